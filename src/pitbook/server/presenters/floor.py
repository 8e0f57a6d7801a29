"""Present tables for the floor: their status, readiness and exposure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from pitbook.house.disabled import Cause
from pitbook.rulebooks.text import Label
from pitbook.server.http.problems import MessageText, message_text
from pitbook.server.presenters.tables import dice_until
from pitbook.server.schemas.wagers import Clauses
from pitbook.table.people import is_staff
from pitbook.table.permissions import not_ready
from pitbook.table.state import betting_open, due, phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.house.house import House
    from pitbook.people.state import Account
    from pitbook.table.state import Table


class DueStep(Struct, frozen=True):
    """The step that is due."""

    act: Annotated[str, Meta(description="What kind of act it is.", examples=["close betting"])]
    says: Label
    clause: Clauses
    who: Annotated[list[str], Meta(description="Ids of roles.", examples=[["dealer"]])]


class Lacking(Struct, frozen=True):
    """Why no round can begin."""

    refusal: Annotated[
        str, Meta(description="The kind of refusal that a round would meet.", examples=["not-inspected"])
    ]
    says: str
    clause: Clauses
    message: Annotated[MessageText, Meta(description="Why, in the language that the request asks for.")]


class Stopped(Struct, frozen=True):
    """Something that stops a table, or will."""

    why: Literal["power", "ceased", "failed", "paused", "tumbler", "undecided", "void proposed"]
    what: Annotated[
        str, Meta(description="The id of the equipment or irregularity, a person, or the reason that was given.")
    ]
    name: Annotated[Label | None, Meta(description="What the book calls the equipment or irregularity.")] = None


class DiceInUse(Struct, frozen=True):
    """The dice in the shaker."""

    set: str
    put_in: str
    until: Annotated[str | None, Meta(description="When the book requires new ones.")]


class DayWin(Struct, frozen=True):
    """The house's win on the wagers that ended in a gaming day, beside theory."""

    wagered: int
    won: int
    theory: float

    def __add__(self, other: DayWin) -> DayWin:
        return DayWin(self.wagered + other.wagered, self.won + other.won, self.theory + other.theory)


class FloorTable(Struct, frozen=True):
    """One table of the floor."""

    id: str
    book: str
    title: Label
    short: Annotated[Label, Meta(description="The book's short name.")]
    number: Annotated[int | None, Meta(description="The table's number on the floor, if it has one.")]
    game: str
    open: bool
    automatic: bool
    money: str
    play_money: bool
    phase: str | None
    round: int
    betting: bool
    due: DueStep | None
    lacking: Annotated[Lacking | None, Meta(description="Null where a round could begin, or has begun.")]
    stopped: list[Stopped]
    players: Annotated[int, Meta(description="How many players have wagers on the layout.")]
    staked: int
    worst_throw: Annotated[str | None, Meta(description="The throw that would cost the house most.")]
    worst_result: Annotated[int, Meta(description="The house's result on that throw; negative for a loss.")]
    float: Annotated[
        int,
        Meta(description="The value of the chips in the tray; negative if more was paid out than filled."),
    ]
    payout_max: int | None
    dealer: Annotated[str | None, Meta(description="The dealer's display name.")]
    staffed: Annotated[bool, Meta(description="Whether anybody holds a staff role at this table.")]
    shift: str
    dice: DiceInUse | None
    disputed: Annotated[list[int], Meta(description="Rounds that are disputed.")]
    older_edition: Annotated[bool, Meta(description="Whether a new table would get a newer edition of the book.")]
    approvals: Annotated[int, Meta(description="Approvals that are pending at this table.")]
    yours: Annotated[int, Meta(description="Pending approvals that you may give.")]
    supervised: Annotated[bool, Meta(description="Whether you supervise this table, manage or audit the house.")]
    win: Annotated[
        DayWin | None,
        Meta(description="Of the gaming day; null if you don't supervise the table, or its record is not read yet."),
    ]


class FloorTotal(Struct, frozen=True):
    """All tables that play for the same money."""

    money: str
    play_money: bool
    tables: Annotated[int, Meta(description="How many tables there are.")]
    staked: int
    exposure: Annotated[int, Meta(description="What the house loses if every table has its worst throw.")]
    win: Annotated[DayWin | None, Meta(description="Of the gaming day, at the tables that you supervise.")]


class DisabledInfo(Struct, frozen=True):
    """A table that does not run."""

    id: str
    cause: Annotated[
        Cause, Meta(description="Whether the book is missing, the record is damaged, or a part of it was lost.")
    ]
    says: Annotated[str, Meta(description="What is wrong, and what to do.")]


class Floor(Struct, frozen=True):
    """All tables that the caller works at or oversees."""

    tables: list[FloorTable]
    disabled: list[DisabledInfo] = []
    totals: Annotated[
        list[FloorTotal], Meta(description="Of all your tables, on whichever page they are; real money first.")
    ] = []


class CallerView(NamedTuple):
    """The caller's rights at a table."""

    approvals: int
    yours: int
    supervised: bool
    win: DayWin | None


def floor_totals(tables: Iterable[FloorTable]) -> list[FloorTotal]:
    """Return the totals of the tables, by money."""
    found: dict[str, FloorTotal] = {}
    for one in tables:
        before = found.get(one.money) or FloorTotal(one.money, one.play_money, 0, 0, 0, None)
        found[one.money] = FloorTotal(
            money=one.money,
            play_money=one.play_money,
            tables=before.tables + 1,
            staked=before.staked + one.staked,
            exposure=before.exposure + max(0, -one.worst_result),
            win=before.win + one.win if before.win and one.win else before.win or one.win,
        )
    return sorted(found.values(), key=lambda total: (total.play_money, total.money))


def floor_table(
    table: Table, accounts: Iterable[Account], at: str, held: int, house: House, seen: CallerView
) -> FloorTable:
    """Return an opened table at a time; `held` is the value of the float."""
    assert table.setup is not None
    rules = table.rules
    step = due(table) if table.open and table.automatic is None else None
    found = house.liability.exposure(table)
    missing = not_ready(table, at)
    people = list(accounts)
    return FloorTable(
        id=table.id,
        book=table.setup.book,
        title=rules.identity.title.label,
        short=(rules.identity.short or rules.identity.title).label,
        number=table.setup.number,
        game=rules.identity.game,
        open=table.open,
        automatic=table.automatic is not None,
        money=table.money,
        play_money=table.money != table.setup.currency,
        phase=("between rounds" if missing and table.automatic is None else phase(table)) if table.open else None,
        round=table.round.number,
        betting=table.open and betting_open(table) and (missing is None or table.automatic is not None),
        due=None if step is None else DueStep(step.act, step.says.label, list(step.clause), list(step.who)),
        lacking=None
        if missing is None
        else Lacking(missing.why, missing.says, list(missing.clauses), message_text(missing.message)),
        stopped=_find_stops(table, people),
        players=len({bet.player for bet in table.bets.values()}),
        staked=sum(bet.amount for bet in table.bets.values()),
        worst_throw=str(found.worst) if found.worst else None,
        worst_result=found.worst_result,
        float=held,
        payout_max=table.setup.payout_max,
        dealer=next((one.shown for one in people if one.name == table.dealer), table.dealer),
        staffed=any(
            one.active and any(is_staff(rules, role) and one.holds(role, table.id) for role in rules.roles)
            for one in people
        ),
        shift=table.shift,
        dice=None if table.dice is None else DiceInUse(table.dice.set, table.dice.put_in, dice_until(table)),
        disputed=list(table.disputed),
        older_edition=house.books.editions.is_older(table.setup.book, table.setup.digest),
        approvals=seen.approvals,
        yours=seen.yours,
        supervised=seen.supervised,
        win=seen.win,
    )


def _find_stops(table: Table, people: list[Account]) -> list[Stopped]:
    rules = table.rules
    found = [Stopped("power", "")] if table.power_failed else []
    for thing, ceased in table.failed.items():
        known = rules.equipment.get(thing)  # None after the table was opened under another book
        found.append(Stopped("ceased" if ceased else "failed", thing, known.name if known else None))
    if table.paused is not None:
        found.append(Stopped("paused", table.paused.words))
    if table.tumbler_failed is not None:
        found.append(Stopped("tumbler", table.tumbler_failed))
    for irregularity in table.round.undecided:
        name = rules.irregularities[irregularity].name
        found.append(Stopped("undecided", irregularity, name))
    if table.void_by is not None:
        display_name = next((one.shown for one in people if one.name == table.void_by), table.void_by)
        found.append(Stopped("void proposed", display_name))
    return found
