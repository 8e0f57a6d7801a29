"""Find past rounds of a table without reading its whole record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.tumbler.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Reader

ENDS = ("RoundEnded", "RoundVoided", "WagersReturned")
"""Events that name the round that they end."""
ROUND_ENDS = (*ENDS, "BettingReopened")
ABOUT = ("Disputed", "DisputeSettled", "ResettlementProposed", "Resettled")
"""Later events about an earlier round."""
KINDS = (*ROUND_ENDS, "DiceCorrected", *ABOUT)
"""Events that end, correct or concern a round; the journal has an index of these."""
KINDS_INDEX = "entries_of_rounds"
LATER_MAX = 2_000
"""The most entries of these kinds that are read."""


class PastRound(msgspec.Struct, frozen=True):
    """A round that has an outcome."""

    number: int
    dice: tuple[int, ...]
    at: str
    sequence: int
    corrected: bool = False
    void: bool = False
    call: str | None = None
    """The call of a craps roll; None if the dice were corrected afterwards."""
    lit: tuple[str, ...] = ()
    """Single areas, like Small, that win on these dice by the current rules; for road maps."""


def past_rounds(reader: Reader, table: str, below: int | None = None, limit: int = 100) -> list[PastRound]:
    """Return the rounds with an outcome, the latest first, for road maps and recall."""
    thrown = reader.read_tags(table, below, limit)
    if not thrown:
        return []
    found: dict[int, PastRound] = {}
    for throw, sequence in thrown:
        entry = next(reader.entries(table, sequence - 1, 1))
        event = _body(entry.body)
        found[throw] = PastRound(throw, tuple(event["dice"]), entry.at, sequence, call=event.get("call"))
    first = min(sequence for _, sequence in thrown)
    until = reader.head(table).sequence
    now = thrown[-1][0]
    for _, kind, body in reader.events_of_kinds(table, KINDS, first, until, LATER_MAX + 3 * limit):
        event = _body(body)
        number = event.get("round", now)
        past = found.get(number)
        if past is not None and kind in ("DiceCorrected", "Resettled"):
            found[number] = msgspec.structs.replace(past, dice=tuple(event["dice"]), corrected=True, call=None)
        elif past is not None and kind in ("RoundVoided", "WagersReturned"):
            found[number] = msgspec.structs.replace(past, void=True)
        if kind in ENDS:
            now = number + 1
    return [found[throw] for throw, _ in thrown]


def entries_of(reader: Reader, table: str, number: int, since: int = 0) -> Iterator[Entry]:
    """Yield the entries of a round, then later ones about it.

    Entries up to `since` may be skipped: a long round is not read again as long as it was not over then.
    """
    before = reader.read_tags(table, number, 1)
    now, after = before[0] if before else (1, 0)
    following = reader.next_tagged(table, number)
    until = following if following is not None else reader.head(table).sequence
    for sequence, kind, body in reader.events_of_kinds(table, KINDS, after, until, LATER_MAX):
        if kind in ENDS or kind == "BettingReopened":
            begins = _body(body).get("round", now) + 1
            if begins > number:
                break
            now, after = begins, sequence  # a corrected roll ends twice
    if now != number:
        return
    ended = 0
    if since > after and not any(
        kind in ROUND_ENDS for _, kind, _ in reader.events_of_kinds(table, KINDS, after, since, LATER_MAX)
    ):
        after = since
    for entry in reader.entries(table, after):
        yield entry
        ended = entry.sequence
        if entry.kind == "BettingReopened" or (entry.kind in ENDS and _body(entry.body)["round"] == number):
            break
    for entry in _corrections(reader, table, number, ended):
        yield entry
        ended = entry.sequence
    yield from _later(reader, table, number, ended)


def _corrections(reader: Reader, table: str, number: int, ended: int) -> Iterator[Entry]:
    """Yield corrections of a craps roll after its end, before the next one: the round is reopened and ends again."""
    head = reader.head(table).sequence
    until = reader.next_tagged(table, number) or head
    while rows := [
        row for row in reader.events_of_kinds(table, KINDS, ended, until, LATER_MAX) if row[1] == "DiceCorrected"
    ]:
        for entry in reader.entries(table, rows[0][0] - 1, until - rows[0][0] + 1):
            yield entry
            ended = entry.sequence
            if entry.kind in ENDS:
                break
        else:
            return


def _later(reader: Reader, table: str, number: int, ended: int) -> Iterator[Entry]:
    head = reader.head(table).sequence
    for sequence, kind, body in reader.events_of_kinds(table, KINDS, ended, head, LATER_MAX):
        if kind in ABOUT and _body(body)["round"] == number:
            yield next(reader.entries(table, sequence - 1, 1))


def revealed_later(reader: Reader, table: str, entries: Iterable[Entry]) -> Entry | None:
    """Return the entry that reveals a void round's seed after the end of the round."""
    last = max((entry.sequence for entry in entries if entry.kind == "RoundVoided"), default=None)
    if last is None:
        return None
    return next((entry for entry in reader.entries(table, last, 20) if entry.kind == "SeedRevealed"), None)


def proof_of(table: str, entries: Iterable[Entry], dice: int) -> Proof | None:
    """Return what an automatic round's dice were derived from, or None if no seed was revealed."""
    committed: dict[str, Any] | None = None
    for entry in entries:
        if entry.kind == "SeedCommitted":
            committed = _body(entry.body)
        elif entry.kind == "SeedRevealed" and committed is not None:
            event = _body(entry.body)
            return Proof(
                table=table,
                round=event["round"],
                mapping=committed["mapping"],
                dice=dice if event["close"] else 0,
                commitment=committed["commitment"],
                seed=event["seed"],
                close=event["close"],
                nonces=tuple(event["nonces"]),
                result=tuple(event["dice"]),
                voided=event["voided"],
            )
    return None


def _body(body: bytes) -> dict[str, Any]:
    event: dict[str, Any] = msgspec.json.decode(body)
    return event
