"""Encode a table's events and snapshots for the journal, and decode them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.house.encoding import answer_bytes, event_bytes, event_decoder, refuse, to_journal
from pitbook.house.state import HouseState, dump_house, evolve_house, load_house
from pitbook.journal.decisions import Accepted, Event
from pitbook.journal.entries import HOUSE
from pitbook.journal.states import Domain
from pitbook.table import events as e
from pitbook.table import snapshots
from pitbook.table.commands import BookPart
from pitbook.table.evolve import closed_by, evolve
from pitbook.table.refusals import Refusal

if TYPE_CHECKING:
    from pitbook.house.books import HouseBooks
    from pitbook.journal.decisions import Decision as JournalDecision
    from pitbook.journal.entries import Entry
    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.editions import Editions
    from pitbook.table.commands import Command
    from pitbook.table.decide import Decision
    from pitbook.table.people import Person
    from pitbook.table.state import Table

read_event = event_decoder(e.EVENTS).decode
"""Returns an event from its bytes."""


def request_bytes(person: Person, command: Command) -> bytes:
    """Return a command and its actor as the bytes that its idempotency key is bound to."""
    return msgspec.json.encode((person, command), order="deterministic")


def encode_outcome(table: Table, outcome: Decision | Refusal, editions: Editions) -> JournalDecision:
    """Return a decision or a refusal as the journal records it."""
    if isinstance(outcome, Refusal):
        reading, digest = outcome.reading, _digest(table)
        return refuse(outcome.why, outcome.message, outcome.clauses, outcome.asked, digest, {"reading": reading})
    moved: dict[int, list[Transfer]] = {}
    for place, transfer in outcome.moves:
        moved.setdefault(place, []).append(transfer)
    before = (table, *outcome.states)
    written = tuple(
        Event(type(event).__name__, event_bytes(event), tuple(moved.get(place, ())), _throw(before[place], event))
        for place, event in enumerate(outcome.events)
    )
    beside = to_journal(outcome.register)
    needs_hash = any(isinstance(event, e.BettingClosed) for event in outcome.events)  # see `evolve_entry`
    after = None if needs_hash else before[-1]
    return Accepted(
        written, answer_bytes(written), _digest(before[-1]), beside, _texts(outcome.events, editions), after
    )


def _texts(events: tuple[e.Event, ...], editions: Editions) -> dict[str, bytes]:
    """Return the texts of the books that events put a table under, by digest."""
    setups = [event.setup for event in events if isinstance(event, e.TableOpened | e.SetupChanged)]
    named = [part for setup in setups for part in setup.books or [BookPart(setup.book, setup.digest)]]
    texts = {part.digest: editions.text_of(part.id, part.digest) for part in named}
    return {digest: text for digest, text in texts.items() if text is not None}


def _digest(table: Table) -> str:
    return table.setup.digest if table.setup else ""


def _throw(table: Table, event: e.Event) -> int | None:
    """Return the throw of which an event is the outcome; a round has one."""
    if isinstance(event, e.Rolled):
        return table.round.number
    if isinstance(event, e.StepTaken) and event.dice:
        act = next(step.act for step in table.rules.procedure.round if step.id == event.step)
        return table.round.number if act == "enter dice" else None
    return None


def evolve_entry(table: Table, entry: Entry, event: e.Event) -> Table:
    """Return the table after an entry; the hash of the one that closes betting goes into the draw."""
    after = evolve(table, event)
    return closed_by(after, entry.hash.hex()) if isinstance(event, e.BettingClosed) else after


def _evolve(state: Table | HouseState, entry: Entry) -> Table | HouseState:
    if isinstance(state, HouseState):
        return evolve_house(state, entry)
    return evolve_entry(state, entry, read_event(entry.body))


def _save(state: Table | HouseState) -> bytes:
    return dump_house(state) if isinstance(state, HouseState) else snapshots.dump(state)


def domain(books: HouseBooks) -> Domain[Table | HouseState]:
    """Return how the journal loads, folds and saves the states of tables and of the house (people and dice)."""

    def load(table: str, content: bytes | None) -> Table | HouseState:
        if table == HOUSE:
            return load_house(content)
        return books.new_table(table) if content is None else snapshots.load(content, books)

    return Domain(load, _evolve, _save, books.read_text)
