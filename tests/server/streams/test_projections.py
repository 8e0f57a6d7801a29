"""What the public, players and staff see of a table's entries."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.presenters.tables import build_own_view, build_rules, build_staff_view, build_view, encode_views
from pitbook.server.streams.projections import PUBLIC, VISIBILITY, Viewer, parse_frame, project
from pitbook.server.tables.console import Chips
from pitbook.table import events as e
from pitbook.table.liability import Liability
from pitbook.table.state import Table, betting_open
from tests.server.streams.stream_helpers import entries_of, frames
from tests.table import craps, sic_bo
from tests.table.driving import SHARED_BOOKS, DrivenTable
from tests.table.random_commands import (
    PLAYERS,
    irregularity,
    next_step,
    people,
    put_in_order,
    some_bets,
    something_sensible,
)

STAFF, ANN, BEN = Viewer("dan", staff=True), Viewer("ann"), Viewer("ben")
KINDS = {event.__name__: event for event in e.EVENTS}

LINE = {"bet": 1, "player": "ann", "wager": "small", "kind": "cash", "stake": 500, "net": 500}


def entry(named: str, actor: str = "dan", role: str = "dealer", answer: bytes | None = None, /, **event: Any) -> Entry:
    body = msgspec.json.encode({"type": named, **event})
    return Entry("t1", 7, named, body, actor, role, "2026-03-01", None, None, answer, "", None, (), GENESIS, GENESIS)


def seen(one: Entry, viewer: Viewer) -> dict[str, Any]:
    displayed: dict[str, Any] = msgspec.to_builtins(parse_frame(project(one).frame(viewer)))
    return displayed


def test_every_event_has_a_decision_and_no_other() -> None:
    assert set(VISIBILITY) == {*KINDS, REFUSED, REFUSALS}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_decision_names_fields_that_there_are(kind: str) -> None:
    displayed = VISIBILITY[kind]
    named = {*displayed.plain, *displayed.roles, *displayed.lines, *([displayed.owner] if displayed.owner else [])}
    assert named <= set(KINDS[kind].__struct_fields__)


def test_a_field_that_holds_a_name_or_words_of_people_is_never_shown_plainly() -> None:
    for kind, displayed in VISIBILITY.items():
        assert not {"player", "dealer", "shooter", "by", "words", "second", "present", "lines"} & set(
            displayed.plain
        ), kind


def test_a_kind_without_a_decision_is_private() -> None:
    assert seen(entry("Surprise", name="ann"), PUBLIC) == {"sequence": 7, "at": "2026-03-01", "kind": "private"}


def test_a_frame_carries_its_number_and_its_kind() -> None:
    frame = project(entry("RoundEnded", round=3)).frame(PUBLIC)
    assert frame.startswith(b"id: 7\nevent: RoundEnded\ndata: {")
    assert frame.endswith(b"}\n\n")
    assert seen(entry("RoundEnded", round=3), PUBLIC) == {
        "sequence": 7, "at": "2026-03-01", "role": "dealer", "kind": "RoundEnded", "event": {"round": 3},
    }  # fmt: skip


def test_the_public_sees_a_bet_without_its_player_and_the_player_sees_it_as_theirs() -> None:
    bet = entry("BetPlaced", "dan", bet=4, player="ann", wager="small", amount=500, kind="cash", confirmed=True)
    public = seen(bet, PUBLIC)
    assert public["event"] == {"bet": 4, "wager": "small", "amount": 500, "kind": "cash", "confirmed": True}
    assert "mine" not in public
    assert seen(bet, BEN) == public
    assert seen(bet, ANN) == {**public, "mine": True, "own": {"player": "ann"}}
    assert seen(bet, STAFF)["actor"] == "dan"
    assert seen(bet, STAFF)["event"]["player"] == "ann"


def test_a_bet_laid_by_another_is_its_players_and_not_the_others() -> None:
    bet = entry("BetPlaced", "ben", "player", bet=4, player="ann", wager="small", amount=5, kind="cash", confirmed=True)
    assert "mine" in seen(bet, ANN)
    assert "mine" not in seen(bet, BEN)


def test_settled_bets_are_public_without_players_and_complete_for_their_own_player() -> None:
    paid = entry("WinnersPaid", lines=[LINE, {**LINE, "bet": 2, "player": "ben"}])
    assert [line["bet"] for line in seen(paid, PUBLIC)["event"]["lines"]] == [1, 2]
    assert "ann" not in str(seen(paid, PUBLIC))
    assert seen(paid, ANN)["own"] == {"lines": [LINE]}
    assert "ben" not in str(seen(paid, ANN))


@pytest.mark.parametrize("kind", ["BoughtIn", "CashedOut"])
def test_what_a_player_buys_and_cashes_is_theirs_alone(kind: str) -> None:
    bought = entry(kind, player="ann", amount=123_45)
    assert seen(bought, PUBLIC) == seen(bought, BEN) == {"sequence": 7, "at": "2026-03-01", "kind": "private"}
    assert seen(bought, ANN)["event"] == {"player": "ann", "amount": 123_45}
    assert seen(bought, ANN)["mine"] is True


def test_a_refusal_is_seen_by_the_person_refused_and_by_the_staff() -> None:
    answer = b'{"says":"no funds"}'
    refused = entry(REFUSED, "ann", "player", answer, table="t1", refusal="no-funds")
    assert seen(refused, PUBLIC)["kind"] == seen(refused, BEN)["kind"] == "private"
    assert seen(refused, ANN)["event"]["answer"] == {"says": "no funds"}
    assert seen(refused, STAFF)["answer"] == {"says": "no funds"}
    counted = entry(REFUSALS, "journal", "journal", table="t1", refusal="no-funds", actor="ann", count=9)
    assert seen(counted, ANN)["event"]["count"] == 9
    assert seen(counted, BEN)["kind"] == "private"


def test_a_sealed_seed_goes_to_nobody() -> None:
    sealed = entry("SeedCommitted", round=1, commitment="c0ffee", sealed="5ea1ed", mapping=1, day="monday")
    projected = project(sealed)
    for viewer in (PUBLIC, ANN, STAFF, Viewer("electronic tumbler")):
        assert b"5ea1ed" not in projected.frame(viewer)
        assert b"c0ffee" in projected.frame(viewer)


def test_the_public_sees_people_present_by_role_only() -> None:
    called = entry(
        "IrregularityCalled", irregularity="die-lost", remedy="void", words="ann saw it", announced=None,
        present=[{"name": "fay", "role": "floorperson"}],
    )  # fmt: skip
    assert seen(called, PUBLIC)["event"] == {
        "irregularity": "die-lost", "remedy": "void", "announced": None, "present": ["floorperson"],
    }  # fmt: skip


def test_a_dispute_is_public_and_its_words_are_not() -> None:
    disputed = entry("Disputed", "ann", "player", round=3, words="ben cheated")
    assert seen(disputed, PUBLIC)["event"] == seen(disputed, BEN)["event"] == {"round": 3}
    assert seen(disputed, ANN)["own"]["words"] == "ben cheated"


# -- over random play


def played(book: str, seed: int, turns: int = 120) -> DrivenTable:
    """A table at which all sorts of things were asked; most were done, some refused."""
    pit: DrivenTable = craps.craps_table(book) if book in craps.BOOKS else sic_bo.packaged(book)
    chance = Random(f"{book} {seed}")
    for _ in range(turns):
        table = pit.table
        if not table.open:
            break
        if betting_open(table) and chance.random() < 0.8:
            commands = [some_bets(table, chance)]
        elif chance.random() < 0.1:
            commands = [chance.choice([something_sensible, irregularity])(table, chance)]
        elif chance.random() < 0.05:
            commands = list(put_in_order(table, chance))
        else:
            step = next_step(table, chance)
            commands = [step] if step else list(put_in_order(table, chance))
        for person, command in commands:
            pit.ask(f"{person.name} the {person.role}", command)
    return pit


@pytest.mark.parametrize("book", PACKAGED)
def test_nobody_but_the_staff_ever_reads_a_name_of_another(book: str) -> None:
    for seed in range(3):
        pit = played(book, seed)
        names = {person.name for person in people(pit.table)} | {text.person.name for text in pit.record}
        for one in entries_of(pit.record):
            projected = project(one)
            assert not names & texts(msgspec.to_builtins(parse_frame(projected.frame(PUBLIC)))), one
            placed_by = msgspec.json.decode(one.body).get("by")  # a player sees which member of the staff bet for them
            for name in PLAYERS:
                assert not (names - {name, placed_by}) & texts(
                    msgspec.to_builtins(parse_frame(projected.frame(Viewer(name))))
                ), one


def texts(data: Any) -> set[str]:
    """All strings in some data, but for roles, which may be called like a person."""
    if isinstance(data, dict):
        return set().union(*(texts(value) for key, value in data.items() if key != "role"))
    if isinstance(data, list):
        return set().union(*map(texts, data))
    return {data} if isinstance(data, str) else set()


OUTCOMES = ("StepTaken", "Rolled", "SeedRevealed")
"""Entries that can tell a round's dice; others speak of rounds that are over."""


@pytest.mark.parametrize("book", PACKAGED)
def test_no_frame_and_no_view_tells_the_dice_of_a_round_before_its_close(book: str) -> None:
    data, liability = 0, Liability()
    for seed in range(3):
        pit = played(book, seed)
        table, closed = SHARED_BOOKS.new_table("t1"), False
        for text, one in zip(pit.record, entries_of(pit.record), strict=True):
            projected = project(one)
            if isinstance(text.what, e.Event):
                closed = closed or closes(table, text.what)
                after = evolved(table, text.what)
            else:
                after = table
            for viewer in (PUBLIC, ANN, STAFF):
                (frame,) = frames(projected.frame(viewer))
                if frame.kind in OUTCOMES and frame.data["event"].get("dice"):
                    data += 1
                    assert closed, one
            if after.open and not closed:
                for displayed in encode_views(after, one.sequence, pit.now, liability):
                    assert not msgspec.json.decode(displayed)["dice"], one
            if after.open and betting_open(after):
                closed = False
            table = after
    assert data > 10, "the play had too few outcomes"


def evolved(table: Table, event: e.Event) -> Table:
    from pitbook.table.evolve import evolve

    return evolve(table, event)


def closes(table: Table, event: e.Event) -> bool:
    if isinstance(event, e.BettingClosed):
        return True
    if not isinstance(event, e.StepTaken):
        return False
    act = next(step.act for step in table.rules.procedure.round if step.id == event.step)
    return act in ("close betting", "roll")


def test_the_public_view_has_no_exposure() -> None:
    pit = played("massachusetts-sic-bo", 1, 10)
    public, staff = (msgspec.json.decode(displayed) for displayed in encode_views(pit.table, 3, pit.now))
    assert set(staff) - set(public) == {"worst_throw", "worst_result", "rest_of_hand_most", "rest_of_hand_mean"}
    assert public["sequence"] == 3


@pytest.mark.parametrize("book", PACKAGED)
def test_payloads_have_the_types_that_their_schemas_declare(book: str) -> None:
    pit = played(book, 2)
    table, sent, setup, liability = SHARED_BOOKS.new_table("t1"), 0, None, Liability()
    for event in pit.events:
        table = evolved(table, event)
        if not table.open:
            continue
        payloads: list[msgspec.Struct] = [
            *(build_view(table, pit.now, liability, staff=staff) for staff in (False, True)),
            *([build_rules(table)] if table.setup != setup else []),  # which are large, and the same until it changes
            *(build_own_view(table, name, Chips(500, 100)) for name in PLAYERS),
            build_staff_view(table, ["dealer"], holds={"ann": Chips(500, 100)}, at=pit.now, liability=liability),
        ]
        for payload in payloads:
            encoded = msgspec.json.encode(payload)
            assert msgspec.json.encode(msgspec.json.decode(encoded, type=type(payload))) == encoded
            sent += 1
        setup = table.setup
    assert sent > 100
