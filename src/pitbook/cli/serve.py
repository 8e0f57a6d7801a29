"""`pitbook serve`: the live house."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import Json


def serve(
    *,
    db: Annotated[
        str | None, Parameter(help="The journal: an SQLite file, or a postgresql:// URL; made where there is none.")
    ] = None,
    host: Annotated[str | None, Parameter(help="The address to listen on; this machine only unless given.")] = None,
    port: Annotated[int | None, Parameter(help="The port to listen on; 0 is any free one.")] = None,
    books: Annotated[Path | None, Parameter(help="A folder with the house's own books, as .toml files.")] = None,
    demo: Annotated[bool | None, Parameter(help="Whether an empty journal gets a demo house; it does.")] = None,
    config: Annotated[Path | None, Parameter(help="A TOML file with settings.")] = None,
    show_config: Annotated[bool, Parameter(negative="", help="Print every setting and its source, and stop.")] = False,
    force_insecure: Annotated[
        bool | None, Parameter(negative="", help="Listen to others without TLS, or with a demo house, all the same.")
    ] = None,
    tls_certificate: Annotated[Path | None, Parameter(help="A certificate chain (PEM), to speak HTTPS.")] = None,
    tls_key: Annotated[Path | None, Parameter(help="The certificate's private key (PEM).")] = None,
    log_level: Annotated[str | None, Parameter(help="The least that is logged: debug, info, warning, error.")] = None,
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
    rows = [(one["setting"], _plain(one["value"]), one["source"], one["meaning"]) for one in listed]
    print_table("settings", ["setting", "value", "source", "meaning"], rows)


def _plain(value: object) -> str:
    if value is None or value == []:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
