"""`pitbook serve`: the live house."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import head, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Json


def serve(
    *,
    db: Annotated[str | None, Parameter(help=say("help.serve.db"))] = None,
    host: Annotated[str | None, Parameter(help=say("help.serve.host"))] = None,
    port: Annotated[int | None, Parameter(help=say("help.serve.port"))] = None,
    books: Annotated[Path | None, Parameter(help=say("help.serve.books"))] = None,
    demo: Annotated[bool | None, Parameter(help=say("help.serve.demo"))] = None,
    config: Annotated[Path | None, Parameter(help=say("help.serve.config"))] = None,
    show_config: Annotated[bool, Parameter(negative="", help=say("help.serve.show-config"))] = False,
    force_insecure: Annotated[bool | None, Parameter(negative="", help=say("help.serve.force-insecure"))] = None,
    tls_certificate: Annotated[Path | None, Parameter(help=say("help.serve.tls-certificate"))] = None,
    tls_key: Annotated[Path | None, Parameter(help=say("help.serve.tls-key"))] = None,
    log_level: Annotated[str | None, Parameter(help=say("help.serve.log-level"))] = None,
    json: Json = False,
) -> None:
    """Run the table server."""
    from pitbook.server.setting_sources import gather

    options: dict[str, Any] = {
        "journal": db,
        "host": host,
        "port": port,
        "books": books,
        "demo": demo,
        "force_insecure": force_insecure,
        "tls_certificate": tls_certificate,
        "tls_key": tls_key,
        "log_level": log_level,
    }
    gathered = gather(options, os.environ, config)
    if show_config:
        _show(gathered.describe(), json=json)
        return
    from pitbook.server.serve import serve as run

    run(gathered.settings, lambda: gather(options, os.environ, config).settings)


def _show(listed: list[dict[str, Any]], *, json: bool) -> None:
    if json:
        print_json(listed)
        return
    rows = [
        (
            one["setting"],
            _plain(one["value"]),
            say("results.serve.default") if one["source"] == "default" else one["source"],
            say(f"settings.{one['setting']}"),
        )
        for one in listed
    ]
    print_table(say("results.serve.title"), head("setting", "value", "source", "meaning"), rows)


def _plain(value: object) -> str:
    if value is None or value == []:
        return "—"
    if isinstance(value, bool):
        return say(f"results.shared.{'yes' if value else 'no'}")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
