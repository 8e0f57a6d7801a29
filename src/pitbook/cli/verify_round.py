"""`pitbook verify-round`: recompute the dice of an automatic table step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.output import check_new_file, print_json, print_table
from pitbook.cli.parameters import Force, Json
from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.tumbler.proof import Check, Proof

PROOF_BYTES_MAX = 10_000_000
"""A longer file is not a proof."""


def verify_round(
    file: Annotated[
        str | None, Parameter(allow_leading_hyphen=True, help="A round's proof, a JSON file; - reads standard input.")
    ] = None,
    /,
    *,
    journal: Annotated[
        str | None, Parameter(help="Instead of a proof: a journal, an SQLite file or a postgresql:// URL.")
    ] = None,
    table: Annotated[str | None, Parameter(help="The table's name in the journal.")] = None,
    round: Annotated[int | None, Parameter(help="The number of its round.")] = None,  # noqa: A002
    proof: Annotated[Path | None, Parameter(help="Write the round's proof to this new file.")] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Recompute an automatic table's dice from the revealed seed, and check that it is the seed committed to.

    With a journal also: its chain, the order of commitment, close and reveal, the players' nonces.

    Exit code 0: all of it is right; 1: something is wrong.
    """
    from pitbook.tumbler.proof import check, from_json

    if file is not None and file.startswith("-") and file != "-":
        raise InputError(f"unknown option {quoted(file)}; see pitbook verify-round --help")
    check_new_file(proof, force=force)
    found: Proof | None
    if journal is not None:
        if file is not None:
            raise InputError("give a proof or a --journal, not both")
        if table is None or round is None:
            raise InputError("--journal needs the round too: --table NAME --round N")
        found, steps = _read_journal(journal, table, round)
    else:
        if table is not None or round is not None:
            raise InputError("--table and --round name a round of a journal; name the --journal too")
        if file is None:
            raise InputError("name a round's proof (a JSON file, or - for standard input), or a --journal")
        found = from_json(_read_file(file))
        steps = check(found)
    if proof is not None:
        _write(proof, found)
    _show(found, steps, f"Table {table}, round {round}", json=json)
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
            raise InputError(f"cannot read {file}: {error.strerror}") from error
    if len(content) > PROOF_BYTES_MAX:
        raise InputError(f"{file} is too long for a round's proof")
    return content


def _write(path: Path, found: Proof | None) -> None:
    if found is None:
        raise InputError(f"{path} was not written: this round has no proof")
    try:
        with path.open("wb") as file:
            file.write(found.to_json())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _good(found: Proof | None, steps: Sequence[Check]) -> bool:
    return found is not None and all(step.ok for step in steps)


def _show(found: Proof | None, steps: Sequence[Check], name: str, *, json: bool) -> None:
    import msgspec

    good = _good(found, steps)
    if json:
        print_json({"good": good, "proof": msgspec.to_builtins(found), "steps": [step._asdict() for step in steps]})
        return
    title = _printable(f"Table {found.table}, round {found.round}" if found else name)
    rows = [("right" if step.ok else "WRONG", step.name, _printable(step.says)) for step in steps]
    print_table(title, ["", "step", "what was seen"], rows)
    print(
        "The dice are what the seed gives, and the seed is the one committed to."
        if good
        else _describe_failure(found, steps)
    )


def _describe_failure(found: Proof | None, steps: Sequence[Check]) -> str:
    wrong = ", ".join(step.name for step in steps if not step.ok)
    return f"This draw is not proved: {wrong}." if found else f"This round cannot be checked: {wrong}."


def _printable(text: str) -> str:
    """Return a text without control characters: it comes from a file or from people."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
