"""`pitbook verify-round`: recompute the dice of an automatic table step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.language import head, language, say, word
from pitbook.cli.output import check_new_file, print_json, print_table
from pitbook.cli.parameters import Force, Json
from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.tumbler.proof import Check, Proof

PROOF_BYTES_MAX = 10_000_000
"""A longer file is not a proof."""


def verify_round(
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True, help=say("help.verify-round.file"))] = None,
    /,
    *,
    journal: Annotated[str | None, Parameter(help=say("help.verify-round.journal"))] = None,
    table: Annotated[str | None, Parameter(help=say("help.verify-round.table"))] = None,
    round: Annotated[int | None, Parameter(help=say("help.verify-round.round"))] = None,  # noqa: A002
    proof: Annotated[Path | None, Parameter(help=say("help.verify-round.proof"))] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Recompute an automatic table's dice from the revealed seed, and check that it is the seed committed to."""
    from pitbook.tumbler.proof import check, from_json

    if file is not None and file.startswith("-") and file != "-":
        raise InputError("cli.unknown-option", option=quoted(file))
    check_new_file(proof, force=force)
    found: Proof | None
    if journal is not None:
        if file is not None:
            raise InputError("cli.proof-or-journal")
        if table is None or round is None:
            raise InputError("cli.journal-round")
        found, steps = _read_journal(journal, table, round)
    else:
        if table is not None or round is not None:
            raise InputError("cli.round-journal")
        if file is None:
            raise InputError("cli.what-to-verify")
        found = from_json(_read_file(file))
        steps = check(found)
    if proof is not None:
        _write(proof, found)
    _show(found, steps, table, round, json=json)
    return 0 if _good(found, steps) else 1


def _read_journal(journal: str, table: str, number: int) -> tuple[Proof | None, list[Check]]:
    from pitbook.house.draws import draw_of
    from pitbook.house.stores import known_table, opened

    with opened(journal) as store:
        draw = draw_of(store, known_table(store, table), number)
    return draw.proof, draw.steps


def _read_file(file: str) -> bytes:
    if file == "-":
        content = sys.stdin.buffer.read(PROOF_BYTES_MAX + 1)
    else:
        try:
            with Path(file).open("rb") as opened:
                content = opened.read(PROOF_BYTES_MAX + 1)
        except OSError as error:
            raise InputError("common.not-read", file=file, reason=error.strerror) from error
    if len(content) > PROOF_BYTES_MAX:
        raise InputError("cli.proof-long", file=file)
    return content


def _write(path: Path, found: Proof | None) -> None:
    if found is None:
        raise InputError("cli.no-proof", file=path)
    try:
        with path.open("wb") as file:
            file.write(found.to_json())
    except OSError as error:
        raise InputError("common.not-written", file=path, reason=error.strerror) from error


def _good(found: Proof | None, steps: Sequence[Check]) -> bool:
    return found is not None and all(step.ok for step in steps)


def _show(found: Proof | None, steps: Sequence[Check], table: str | None, number: int | None, *, json: bool) -> None:
    import msgspec

    good = _good(found, steps)
    if json:
        print_json({"good": good, "proof": msgspec.to_builtins(found), "steps": [_data(step) for step in steps]})
        return
    where = (found.table, found.round) if found else (table, number)
    title = _printable(say("results.verify-round.title", table=where[0], round=where[1]))
    rows = [(_word(ok=step.ok), _name(step), _printable(step.text(language()))) for step in steps]
    print_table(title, ["", *head("step", "what-was-found")], rows)
    print(say("results.verify-round.good") if good else _describe_failure(found, steps))


def _data(step: Check) -> dict[str, object]:
    return step._asdict() | {"values": step.shown_values}


def _word(*, ok: bool) -> str:
    return say(f"results.verify-round.{'right' if ok else 'wrong'}")


def _name(step: Check) -> str:
    """Return the name of a step, with the number that some have."""
    name, _, number = step.name.partition(" ")
    label = word(f"results.checks.{name}", name)
    return f"{label} {number}".rstrip()


def _describe_failure(found: Proof | None, steps: Sequence[Check]) -> str:
    wrong = [_name(step) for step in steps if not step.ok]
    return say(f"results.verify-round.{'not-proved' if found else 'unchecked'}", steps=wrong)


def _printable(text: str) -> str:
    """Return a text without control characters: it comes from a file or from people."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
