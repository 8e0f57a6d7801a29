"""`pitbook draw`: a diagram of a wager's machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.cli.output import check_new_file, print_json
from pitbook.cli.parameters import AsPrinted, BookName, Force, Json, Options, Readings, open_book
from pitbook.errors import InputError


def draw(
    book: BookName,
    wager: Annotated[str, Parameter(help=say("help.shared.wager"))],
    *,
    as_: Annotated[
        Literal["svg", "dot", "mermaid"] | None,
        Parameter(name="--format", help=say("help.draw.format")),
    ] = None,
    output: Annotated[Path | None, Parameter(help=say("help.draw.output"))] = None,
    force: Force = False,
    whole: Annotated[bool, Parameter(negative="", help=say("help.draw.whole"))] = False,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Draw the machine of a wager: its states, what each roll does, its ends."""
    from pitbook.engine.draw import RENDERERS, diagram

    check_new_file(output, force=force)
    rules = open_book(book, reading, option, as_printed=as_printed)
    drawn = diagram(rules, rules.wager(wager), whole=whole)
    if json:
        print_json(drawn.as_data())
        return
    endings = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid"}
    if output and as_ is None and output.suffix not in endings:
        raise InputError("cli.no-format", file=output, endings=", ".join(endings))
    chosen = as_ or (endings[output.suffix] if output else "mermaid")
    text = RENDERERS[chosen](drawn)
    if output is None:
        sys.stdout.write(text)
    else:
        try:
            output.write_text(text, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(
                "common.not-written", file=output, reason=getattr(error, "strerror", None) or error
            ) from None
        print(say("results.draw.written", file=output, nodes=len(drawn.nodes), edges=len(drawn.edges)))
