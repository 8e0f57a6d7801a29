"""`pitbook replay`: print what happened at a table, or in one round."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import language, say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json, OwnBooks
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pitbook.house.records import RecordedEntry
    from pitbook.journal.entries import Entry
    from pitbook.messages import Sentence


def replay(
    db: Database,
    table: Annotated[str, Parameter(help=say("help.replay.table"))],
    *,
    round: Annotated[int | None, Parameter(help=say("help.replay.round"))] = None,  # noqa: A002
    book: OwnBooks = None,
    json: Json = False,
) -> None:
    """Print what happened at a table: who did what and when, by which clause, and what was won and lost."""
    from pitbook.house.books import HouseBooks
    from pitbook.house.records import lines, read_entries
    from pitbook.house.stores import known_table, opened
    from pitbook.journal.entries import HOUSE

    books = HouseBooks()
    for own in book or ():
        books.editions.add_file(own)
    if table == HOUSE:
        _replay_house(db, round, json=json)
        return
    last, found = 1, False

    def watched(record: Iterable[RecordedEntry]) -> Iterator[RecordedEntry]:
        nonlocal last
        for one in record:
            last = one.after.round.number
            yield one

    with opened(db) as store:
        record = watched(read_entries(store, known_table(store, table), books))
        if json:
            data = [_recorded_data(one) for one in record if round is None or one.concerns(round)]
            found = bool(data)
            if found:
                print_json({"table": table, "entries": data})
        else:
            for line in lines(record, round, language()):
                found = True
                sys.stdout.write(_printable(line) + "\n")
    if not found:
        raise InputError("cli.no-round", round=round, table=table, last=last)


def _replay_house(db: str, number: int | None, *, json: bool) -> None:
    """Print the house's own record, which has no rounds."""
    from pitbook.house.stores import known_table, opened
    from pitbook.house.transcript import lines, read_transcript
    from pitbook.journal.entries import HOUSE

    if number is not None:
        raise InputError("cli.house-rounds")
    with opened(db) as store:
        record = read_transcript(store)
        known_table(store, HOUSE)
        if json:
            print_json({"table": HOUSE, "entries": [_entry_data(one.entry, one.says) for one in record]})
        else:
            for line in lines(record, language()):
                sys.stdout.write(_printable(line) + "\n")


def _recorded_data(one: RecordedEntry) -> dict[str, Any]:
    return _entry_data(one.entry, one.sentences(), round=one.round)


def _entry_data(entry: Entry, says: Sequence[Sentence], **more: int) -> dict[str, Any]:
    import msgspec

    return {
        "sequence": entry.sequence,
        **more,
        "at": entry.at,
        "actor": entry.actor,
        "role": entry.role,
        "kind": entry.kind,
        "body": msgspec.json.decode(entry.body),
        "says": [one.text() for one in says],
        "messages": [msgspec.to_builtins(one.message) for one in says],
    }


def _printable(line: str) -> str:
    """Return a line without control characters: names and words come from people."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line)
