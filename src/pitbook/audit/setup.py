"""Opening, setup, equipment and shifts: little money, but later entries depend on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit import custody
from pitbook.audit.chips import close_purses
from pitbook.audit.composition import JOINED_BY
from pitbook.audit.errors import ensure
from pitbook.audit.inspections import all_points, assign_dice_check, forget, forget_shaker, invalidate_checks, pays
from pitbook.audit.procedure import check_between, set_steps
from pitbook.audit.shelf import NamedBook
from pitbook.audit.side_bets import new_areas
from pitbook.audit.state import Round, new_book

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Body, Moves, State


def table_opened(state: State, event: Body, _who: Actor) -> Moves:
    ensure(not state.open, "open-already")
    ensure(not state.bets, "bets-at-opening")
    state.open = True
    state.shaker = event["setup"].get("shaker", "manual")
    custody.opened(state)
    state.round = Round(state.round.number)
    _check_date(state, event)
    _use(state, event["setup"])
    state.point = None
    state.areas = new_areas(state.book) if state.book.craps else {}
    state.checks, state.inspections = {}, {}
    return []


def _check_date(state: State, event: Body) -> None:
    """Check that the date on the table's sign is that of the entry; older records have none."""
    ensure(event.get("at", "") in ("", state.at), "dated", given=event.get("at"), at=state.at)


def _use(state: State, setup: Body) -> None:
    readings, options = setup.get("readings") or {}, setup.get("options") or {}
    state.setup = setup
    chosen = tuple(sorted(readings.items())), tuple(sorted(options.items()))
    book = state.shelf.book_of(_named_books(setup), *chosen)
    given = setup["digest"]
    ensure(given == book.digest, "setup-digest", "book", book=setup["book"], given=given, right=book.digest)
    state.rules = book
    ensure(setup["currency"] == book.currency, "book-currency", currency=book.currency)
    grouped = any(wager.group for wager in book.every.values())
    ensure(not grouped or any(book.every[name].group for name in book.offered), "no-side-bets")
    for name, table in (setup.get("paytables") or {}).items():
        wagers = [w for w in book.every.values() if w.id in book.offered and name in (w.id, w.family, w.group)]
        ensure(wagers and all(table in wager.pays for wager in wagers), "no-pay-table", name=name, table=table)
    for name in book.offered:
        wager = book.every[name]
        least, most = state.limit(wager)
        ensure(wager.stake_min <= least <= most <= wager.stake_max, "limits-wider", name=name)
    run = setup.get("automatic") or {}
    # Older records do not have this field.
    approved = not run.get("real_money") or str(run.get("approval", "not asked for")).strip()
    ensure(approved, "real-money")
    set_steps(state)


def _named_books(setup: Body) -> list[NamedBook]:
    """Return the books of a table: the base book and its side books, or the only one."""
    parts = setup.get("books") or ()
    if not parts:
        return [NamedBook(setup["book"], setup["digest"], setup.get("text", ""))]
    ids = JOINED_BY.join(part["id"] for part in parts)
    ensure(setup["book"] == ids, "setup-books", "book", book=setup["book"], ids=ids)
    return [NamedBook(part["id"], part["digest"], part.get("text", "")) for part in parts]


def setup_changed(state: State, event: Body, who: Actor) -> Moves:
    check_between(state, who, "changed-setup")
    old, new = state.setup, event["setup"]
    ensure(
        all(old[key] == new[key] for key in ("book", "currency", "shaker")),
        "fixed",
        "order",
    )
    runs = [(setup.get("automatic") or {}).get("real_money") for setup in (old, new)]
    ensure(runs[0] == runs[1], "mode-fixed", "order")
    same = all(old[key] == new[key] for key in ("readings", "options", "paytables", "digest"))
    ensure(same or not state.bets, "readings-running", "order")
    if state.book.craps and any(old[key] != new[key] for key in ("readings", "options", "digest")):
        clear = state.point is None and state.areas == new_areas(state.book)
        ensure(clear, "readings-come-out", "order")
    _check_date(state, event)
    before, paid = all_points(state), pays(state)
    _use(state, new)
    invalidate_checks(state, before, paid)
    if state.book.craps:
        state.areas = {name: state.areas.get(name, area) for name, area in new_areas(state.book).items()}
    state.before = None
    return []


def table_closed(state: State, _event: Body, who: Actor) -> Moves:
    check_between(state, who, "closed-table")
    ensure(not state.bets, "closed-running", "order")
    ensure(not state.referred, "closed-undecided", "order", referred=state.referred)
    ensure(state.draw is None or state.draw.voided, "seed-not-void", "order")
    custody.closed(state)
    state.open, state.shooter, state.before = False, None, None
    state.rail, state.refused = [], []
    return close_purses(state)


def shift_started(state: State, event: Body, _who: Actor) -> Moves:
    state.shift, state.shift_started = event["shift"], state.at
    state.books["shift"] = new_book(state.books["day"]["day"])
    return []


def day_started(state: State, event: Body, who: Actor) -> Moves:
    check_between(state, who, "started-day")
    state.books["day"] = new_book(event["day"])
    return []


def dice_put(state: State, event: Body, who: Actor) -> Moves:
    assign_dice_check(state, event["set"])
    return custody.dice_put(state, event, who)


def dice_taken_out(state: State, event: Body, who: Actor) -> Moves:
    state.dice_set = ""
    return custody.dice_taken_out(state, event, who)


def shaker_in_use(state: State, event: Body, _who: Actor) -> Moves:
    ensure(not state.round.done and not state.new_bets(), "change-between")
    for name, shaker in state.custody.shakers.items():
        if name == event["shaker"] or shaker["place"] == "in use":
            forget_shaker(state, name)
    custody.shaker_in_use(state, event)
    state.shaker, state.dice_set = event["shaker"], ""
    set_steps(state)
    return []


def equipment_failed(state: State, event: Body, _who: Actor) -> Moves:
    called = state.book.irregularities[state.round.irregularities[-1]].remedy
    ceases = called == "settle by the dice, then cease"
    ensure(event["cease"] == ceases, "play-stops" if ceases else "play-continues")
    state.failed[event["equipment"]] = event["cease"]
    if ceases and (state.round.done or state.new_bets()):
        state.round.ceasing = True
    return []


def equipment_repaired(state: State, event: Body, _who: Actor) -> Moves:
    ensure(event["equipment"] in state.failed, "not-failed", equipment=event["equipment"])
    damaged = state.custody.held and state.book.equipment.get(event["equipment"]) == "dice"
    ensure(not damaged, "dice-repaired")
    del state.failed[event["equipment"]]
    forget(state, event["equipment"])
    return []


def ignore(_state: State, _event: Body, _who: Actor) -> Moves:
    """Accept an event without consequences."""
    return []
