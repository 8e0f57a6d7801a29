"""One sentence for each kind of event, and a line for each bet that it settles, returns or changes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce, singledispatch
from typing import TYPE_CHECKING, Any

from pitbook.dice_register.event_text import describe_fate, removal_reason
from pitbook.messages import Message, Money, Sentence
from pitbook.messages.catalogue import entries
from pitbook.money import format_exact
from pitbook.rulebooks.text import BookText, Label
from pitbook.rulebooks.wagers import RETURN_ROW
from pitbook.table import events as e
from pitbook.table.checklists import points_of
from pitbook.table.people import Consent
from pitbook.table.standing import area_of, bets_won

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Option, Reading, Step
    from pitbook.table.commands import Kind, Setup
    from pitbook.table.people import Person
    from pitbook.table.state import Bet, Table

Parts = tuple[Message, ...]
"""Parts of a sentence that may be missing."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table before and after an event, who acted, and the money that moved."""

    before: Table
    after: Table
    person: Person
    transfers: tuple[Transfer, ...] = ()

    @property
    def rules(self) -> Rulebook:
        return self.after.rules

    def say(self, id: str, clauses: Iterable[str] = (), **params: Any) -> Sentence:  # noqa: A002
        """Return a sentence about who acted; `id` is that of a message in `messages/events`."""
        return Sentence(_message(id, who=self.person, **params), tuple(clauses))

    def money(self, amount: int) -> Money:
        """Return an amount of the table's money."""
        return Money(amount, self.after.money)

    def area(self, wager: str) -> Label:
        """Return the name of a wager; one that the book doesn't have is called by its id."""
        found = self.rules.every.get(wager)
        return found.name if found else Label(en=wager, zh=wager)

    def areas(self, wagers: Iterable[str]) -> tuple[Label, ...]:
        """Return the names of wagers."""
        return tuple(self.area(wager) for wager in wagers)

    def thing(self, equipment: str) -> Label:
        """Return the name of an item of equipment."""
        found = self.rules.equipment.get(equipment)
        return found.name if found else Label(en=equipment, zh=equipment)

    def bet(self, number: int) -> Message:
        """Return a bet with its player; it may have been settled in this round already."""
        return self.owned(self.before.bets.get(number) or self.before.round.taken[number])

    def owned(self, bet: Bet) -> Message:
        """Return a bet with its player."""
        return _message("common.of", player=bet.player, stake=self.stake(bet.amount, bet.wager, bet.kind, bet.point))

    def stake(self, amount: int, wager: str, kind: Kind, point: int | None = None) -> Message:
        """Return a stake: how much, where, and in what chips."""
        return _message("play.bets.stake", amount=self.money(amount), area=self.place(wager, point), kind=_kind(kind))

    def place(self, wager: str, point: int | None = None) -> Message:
        """Return where a bet is: its area, and the number to which it has moved."""
        if point is None:
            return _message("play.bets.area", area=self.area(wager))
        return _message("play.bets.area-point", area=self.area(wager), point=point)

    def for_whom(self, player: str) -> Parts:
        """Return for whom someone acts, unless it is for themselves."""
        return () if player == self.person.name else (_message("common.for", player=player),)


def describe(event: e.Event, scene: Scene) -> list[Sentence]:
    """Return what happened: a sentence, and lines that belong below it."""
    found = _describe(event, scene)
    return [found] if isinstance(found, Sentence) else found


def continues(event: e.Event) -> bool:
    """Return whether an event is described by the entry before it."""
    return isinstance(event, _CONTINUED) or (isinstance(event, e.BetTakenDown) and event.tied_to is not None)


_CONTINUED = (
    *(e.EquipmentFailed, e.StepWaived, e.Illuminated, e.Rolled, e.LosersCollected, e.WinnersPaid, e.RoundEnded),
    *(e.RoundVoided, e.WagersReturned, e.BettingReopened, e.PowerFailed, e.CountdownStarted),
)


def dice(faces: Sequence[int]) -> str:
    """Return dice as people write them.

    >>> dice((1, 3))
    '1-3'
    """
    return "-".join(str(face) for face in faces)


def quoted(words: str) -> Parts:
    """Return what someone said, to follow a sentence."""
    return (_message("common.words", words=words),) if words.strip() else ()


def _message(id: str, /, **params: Any) -> Message:  # noqa: A002
    return Message(f"events.{id}", params)


def _line_of(message: Message, clauses: Iterable[str] = ()) -> Sentence:
    return Sentence(message, tuple(clauses))


def _with_title(title: str, lines: Iterable[Message]) -> list[Sentence]:
    return [_line_of(_message("common.titled", title=_message(f"common.{title}"), line=line)) for line in lines]


def _kind(kind: str) -> Parts:
    return () if kind == "cash" else (_message("common.kind", kind=kind),)


def _part_if(condition: object, id: str, **params: Any) -> Parts:  # noqa: A002
    """Return a part that is there only under a condition."""
    return (_message(id, **params),) if condition else ()


def _flag(fact: bool) -> str:
    return "yes" if fact else "no"


@singledispatch
def _describe(event: e.Event, _scene: Scene) -> Sentence | list[Sentence]:
    raise TypeError(f"{type(event).__name__} has no message")


# ---------------------------------------------------------------- the table and its equipment


@_describe.register
def describe_table_opened(event: e.TableOpened, scene: Scene) -> list[Sentence]:
    book = scene.rules.identity.title
    return [scene.say("table.opened", facility=event.setup.facility, book=book), *_setup(event.setup, scene)]


@_describe.register
def describe_setup_changed(event: e.SetupChanged, scene: Scene) -> list[Sentence]:
    return [scene.say("table.changed"), *_setup(event.setup, scene)]


def _setup(setup: Setup, scene: Scene) -> list[Sentence]:
    return [_line_of(_message(f"table.setup.{kind}", **params)) for kind, params in _setup_parts(setup, scene)]


def _setup_parts(setup: Setup, scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
    if setup.number is not None:
        yield "number", {"number": setup.number}
    if scene.after.craps:
        yield "currency", {"currency": setup.currency}
    else:
        yield "shaker", {"currency": setup.currency, "shaker": setup.shaker}
    for name, limit in setup.limits.items():
        least, most = scene.money(limit.stake_min), scene.money(limit.stake_max)
        yield "limits", {"scope": _scope(name, scene), "least": least, "most": most}
    for name, paytable in setup.paytables.items():
        yield "paytable", {"scope": _scope(name, scene), "paytable": paytable}
    for name, choice in setup.readings.items():
        yield "reading", {"name": name, "choice": _choice(scene.rules.readings, name, choice)}
    for name, choice in setup.options.items():
        groups = [scene.rules.groups.get(one) for one in choice.split(", ")]
        if all(groups):
            yield "groups", {"groups": tuple(group.name for group in groups if group)}
        else:
            yield "option", {"name": name, "choice": _choice(scene.rules.options, name, choice)}
    if setup.payout_max is not None:
        yield "payout", {"most": scene.money(setup.payout_max)}
    if setup.automatic is not None and setup.automatic.approval:
        yield "approval", {"approval": setup.automatic.approval}
    if setup.shifts:
        yield "shifts", {"times": setup.shifts, "zone": setup.timezone}
    if setup.approval_references:
        yield "references", {}


def _scope(name: str, scene: Scene) -> Message:
    """Return what a limit or a pay table is for: every bet, a group, a family or an area."""
    if name == "*":
        return _message("table.setup.every")
    group = scene.rules.groups.get(name)
    family = [one.name for one in scene.rules.every.values() if one.family == name and one.id != name]
    if group is None and family:
        return _message("table.setup.range", first=family[0], last=family[-1])
    return _message("table.setup.area", area=group.name if group else scene.area(name))


def _choice(places: Mapping[str, Reading | Option], name: str, choice: str) -> BookText:
    found = places[name].choices.get(choice) if name in places else None
    return found.says if found else BookText(choice)


@_describe.register
def describe_table_closed(_event: e.TableClosed, scene: Scene) -> list[Sentence]:
    changed = [
        _line_of(
            _message("table.chips-changed", player=leg.account.split(":")[1], amount=scene.money(leg.amount)),
        )
        for transfer in scene.transfers
        for leg in transfer.legs
        if leg.amount > 0
    ]
    return [scene.say("table.closed"), *changed]


@_describe.register
def describe_shift_started(event: e.ShiftStarted, scene: Scene) -> Sentence:
    return scene.say("table.shift", shift=event.shift)


@_describe.register
def describe_day_started(event: e.DayStarted, scene: Scene) -> Sentence:
    return scene.say("table.day", day=event.day)


@_describe.register
def describe_dice_put(event: e.DicePut, scene: Scene) -> Sentence:
    thing = scene.rules.equipment.get("dice")
    clauses = thing.clause if thing else ()
    serials = _part_if(event.serials, "table.dice.serials", serials=event.serials)
    since = _part_if(event.first_used not in ("", event.at), "table.dice.since", since=event.first_used)
    if scene.after.craps:
        return scene.say("table.dice.put-craps", clauses, set=event.set, serials=serials, since=since)
    sealed = _part_if(event.sealed, "table.dice.sealed")
    return scene.say("table.dice.put", clauses, set=event.set, serials=serials, sealed=sealed, since=since)


@_describe.register
def describe_dice_taken_out(event: e.DiceTakenOut, scene: Scene) -> Sentence:
    kind = "table.dice.out-craps" if scene.after.craps else "table.dice.out"
    return scene.say(kind, set=event.set, reason=removal_reason(event.reason), fate=describe_fate(event.fate))


@_describe.register
def describe_equipment_checked(event: e.EquipmentChecked, scene: Scene) -> list[Sentence]:
    approval = _part_if(event.approval, "table.equipment.approval", approval=event.approval)
    day = _part_if(event.approved_on, "table.equipment.day", day=event.approved_on)
    met, thing = _flag(all(event.points)), scene.thing(event.equipment)
    points = zip(event.points, points_of(scene.after, event.equipment), strict=True)
    lines = [
        _line_of(
            _message(f"table.equipment.{'met' if ok else 'unmet'}", requirement=point.says),
            point.clause,
        )
        for ok, point in points
    ]
    return [scene.say("table.equipment.checked", thing=thing, met=met, approval=approval, day=day), *lines]


@_describe.register
def describe_inspected(event: e.Inspected, scene: Scene) -> Sentence:
    inspection = scene.rules.inspections[event.inspection]
    params = {"thing": scene.thing(inspection.equipment), "passed": _flag(event.passed)}
    if not event.entered:
        return scene.say("table.equipment.operated", inspection.clause, count=event.proper, **params)
    dark = _part_if(event.dark, "table.equipment.dark", areas=scene.areas(event.dark))
    wrong = _part_if(event.wrong, "table.equipment.wrong", areas=scene.areas(event.wrong))
    params |= {"dice": dice(event.entered), "dark": dark, "wrong": wrong}
    return scene.say("table.equipment.entered", inspection.clause, count=len(event.lit), **params)


@_describe.register
def describe_dealer_took_over(_event: e.DealerTookOver, scene: Scene) -> Sentence:
    return scene.say("table.dealer-came")


@_describe.register
def describe_dealer_left(_event: e.DealerLeft, scene: Scene) -> Sentence:
    return scene.say("table.dealer-left")


@_describe.register
def describe_shaker_put_away(event: e.ShakerPutAway, scene: Scene) -> Sentence:
    message = _message(f"table.equipment.shaker-{event.how}", who=scene.person)
    return _with_grounds(message, scene, "replace equipment")


@_describe.register
def describe_shaker_in_use(event: e.ShakerInUse, scene: Scene) -> Sentence:
    name = _part_if(event.name, "table.equipment.shaker-name", name=event.name)
    return scene.say("table.equipment.shaker", shaker=event.shaker, name=name)


@_describe.register
def describe_equipment_failed(event: e.EquipmentFailed, scene: Scene) -> Sentence:
    kind = "failed-cease" if event.cease else "failed"
    return _line_of(_message(f"table.equipment.{kind}", thing=scene.thing(event.equipment)))


@_describe.register
def describe_equipment_repaired(event: e.EquipmentRepaired, scene: Scene) -> Sentence:
    return scene.say("table.equipment.repaired", thing=scene.thing(event.equipment))


# ---------------------------------------------------------------- money at the table


@_describe.register
def describe_bought_in(event: e.BoughtIn, scene: Scene) -> Sentence:
    params: dict[str, Any] = {
        "for": scene.for_whom(event.player),
        "amount": scene.money(event.amount),
        "consent": _consent(event.consent),
    }
    if not event.colour_value:
        return scene.say("play.chips.bought", **params)
    clauses = scene.rules.equipment["colour-chips"].clause
    params["marker"] = _part_if(event.marker, "play.chips.marker")
    params["value"] = scene.money(event.colour_value)
    if not event.colour:
        return scene.say("play.chips.bought-own", clauses, **params)
    return scene.say("play.chips.bought-colour", clauses, colour=event.colour, **params)


@_describe.register
def describe_cashed_out(event: e.CashedOut, scene: Scene) -> Sentence:
    params: dict[str, Any] = {
        "for": scene.for_whom(event.player),
        "amount": scene.money(event.amount),
        "consent": _consent(event.consent),
    }
    if event.kind == "cash":
        return scene.say("play.chips.cashed", **params)
    return scene.say("play.chips.redeemed", colour=event.colour or "", **params)


def _consent(consent: Consent | None) -> Parts:
    """Return how it was agreed that staff act for a player."""
    match consent:
        case None:
            return ()
        case Consent(how="second person", by=second):
            return (_message("common.consent.second", who=second),)
        case _:
            return (_message(f"common.consent.{consent.how}"),)


@_describe.register
def describe_bet_placed(event: e.BetPlaced, scene: Scene) -> Sentence:
    existing = scene.before.bets.get(event.bet)
    bet = _placed(event, existing.amount if existing else 0, scene)
    params: dict[str, Any] = {"for": scene.for_whom(event.player), "consent": _consent(event.consent)}
    return scene.say("play.bets.placed", bet=bet, **params)


@_describe.register
def describe_bets_placed(event: e.BetsPlaced, scene: Scene) -> list[Sentence]:
    params: dict[str, Any] = {"for": scene.for_whom(event.player), "consent": _consent(event.consent)}
    total = scene.money(sum(placed.amount for placed in event.bets))
    lines = [scene.say("play.bets.many", count=len(event.bets), total=total, **params)]
    on_area = {placed.bet: bet.amount for placed in event.bets if (bet := scene.before.bets.get(placed.bet))}
    for placed in event.bets:
        lines.append(_line_of(_placed(placed, on_area.get(placed.bet, 0), scene)))
        on_area[placed.bet] = on_area.get(placed.bet, 0) + placed.amount
    return lines


def _placed(placed: e.BetPlaced | e.Placed, before: int, scene: Scene) -> Message:
    """Return a bet as it was placed, and its total if there was one before."""
    return _message(
        "play.bets.bet",
        stake=scene.stake(placed.amount, placed.wager, placed.kind),
        commission=_commission(placed.commission, scene),
        total=_part_if(before, "play.bets.total", amount=scene.money(before + placed.amount)),
        waits=_part_if(not placed.confirmed, "play.bets.waits"),
    )


def _commission(amount: int, scene: Scene) -> Parts:
    return _part_if(amount, "play.bets.commission", amount=scene.money(amount))


@_describe.register
def describe_bet_taken_down(event: e.BetTakenDown, scene: Scene) -> Sentence:
    bet = scene.before.bets[event.bet]
    params: dict[str, Any] = {
        "for": scene.for_whom(bet.player),
        "amount": scene.money(event.amount),
        "area": scene.place(bet.wager, bet.point),
        "commission": _commission(event.commission, scene),
    }
    if event.tied_to is None:
        return scene.say("play.bets.taken", **params)
    tied = scene.rules.wagers[bet.wager].tied
    return _line_of(_message("play.bets.taken-with", **params), tied.clause if tied else ())


@_describe.register
def describe_bets_called(event: e.BetsCalled, scene: Scene) -> list[Sentence]:
    bets = [scene.before.bets[number] for number in event.bets]
    clauses = [clause for bet in bets for clause in getattr(scene.rules.wagers[bet.wager].calls, "clause", ())]
    params: dict[str, Any] = {"for": scene.for_whom(event.player), "how": event.how or "rule"}
    return [scene.say("play.bets.called", clauses, **params), *(_line_of(scene.owned(bet)) for bet in bets)]


@_describe.register
def describe_bets_confirmed(event: e.BetsConfirmed, scene: Scene) -> list[Sentence]:
    step = next((step for step in scene.rules.procedure.round if step.act == "confirm bet"), None)
    bets = [_line_of(scene.bet(number)) for number in event.bets]
    return [scene.say("play.bets.confirmed", step.clause if step else ()), *bets]


@_describe.register
def describe_wager_found(event: e.WagerFound, scene: Scene) -> Sentence:
    late = _part_if(event.late, "play.bets.late")
    bet = scene.owned(scene.after.bets[event.bet])
    return scene.say("play.bets.found", bet=bet, late=late, consent=_consent(event.consent))


# ---------------------------------------------------------------- the round


@_describe.register
def describe_step_taken(event: e.StepTaken, scene: Scene) -> Sentence:
    step = next(step for step in scene.rules.procedure.round if step.id == event.step)
    others: list[Message] = []
    for how, person in (("directed", event.directed_by), ("confirmed", event.confirmed_by)):
        if person:
            others.append(_message(f"play.step.{how}", who=person))
            others += _part_if(person.name in event.witnessed, "play.step.in-person")
    flat = _part_if(not event.flat, "play.step.not-flat")
    message = _message("play.step.taken", act=_act(step, event, scene), flat=flat, others=tuple(others))
    return _line_of(message, _step_clauses(step, event, scene))


def _step_clauses(step: Step, event: e.StepTaken, scene: Scene) -> list[str]:
    """Return the step's clauses; where they are named after groups, those of the groups whose areas it concerns."""
    groups = {scene.rules.every[area].group for area in event.areas}
    return [clause for clause in step.clause if clause.rpartition(" ")[2].partition("/")[0] in groups] or step.clause


def _act(step: Step, event: e.StepTaken, scene: Scene) -> Message:
    def say(id: str, **params: Any) -> Message:  # noqa: A002
        return _message(f"play.step.{id}", who=scene.person, **params)

    if event.announced:
        return say("announced", words=_announced_text(event.announced, step))
    areas, faces = scene.areas(event.areas), dice(event.dice)
    match step.act:
        case "shake" if step.at_least:
            return say("tumbled" if step.shaker == "automated" else "shook", count=event.shakes)
        case "shake":
            return say("activated")
        case "announce dice":
            return say("called", dice=faces)
        case "enter dice":
            return say("entered", dice=faces)
        case "roll":
            if scene.person.name == scene.before.shooter:
                return say("rolled", dice=faces)
            return say("recorded", dice=faces, shooter=scene.before.shooter or "")
        case "mark":
            return say("marked-on", areas=areas) if areas else say("marked")
        case "remove lammers":
            return say("unmarked-from", areas=areas) if areas else say("unmarked")
        case "collect losers" if areas:
            return say("collected-unmarked", areas=areas)
        case act if f"events.play.step.act.{act}" in entries():
            return say(f"act.{act}")
        case _:
            return say("other", step=step.id)


def _announced_text(announced: str, rule: Step | Irregularity) -> BookText:
    """Return the words of an announcement, with their translation if the book has the same words."""
    return rule.announce if rule.announce == announced else BookText(announced)


@_describe.register
def describe_step_waived(event: e.StepWaived, scene: Scene) -> Sentence:
    step = next(step for step in scene.rules.procedure.round if step.id == event.step)
    return _line_of(_message("play.step.waived", step=step.says))


@_describe.register
def describe_illuminated(event: e.Illuminated, scene: Scene) -> Sentence:
    kind = "won" if scene.after.craps else "lit"
    if not event.wagers:
        return _line_of(_message(f"play.roll.none-{kind}"))
    areas = [label for area in event.wagers for label in _winners_on(area, scene)]
    return _line_of(_message(f"play.roll.{kind}", areas=tuple(areas)))


def _winners_on(area: str, scene: Scene) -> list[Label]:
    """Return what has won on an area: where odds are made, it may be the bet that has travelled there, or both."""
    won = [bet for bet in bets_won(scene.after) if area_of(scene.after, bet) == area]
    places = {(bet.wager, bet.point): scene.place(bet.wager, bet.point) for bet in won if bet.point is not None}
    here = [scene.area(area)] if not places or any(bet.wager == area for bet in won) else []
    return [*(Label(en=place.text("en"), zh=place.text("zh-Hant")) for place in places.values()), *here]


@_describe.register
def describe_rolled(event: e.Rolled, scene: Scene) -> list[Sentence]:
    called = {"total": sum(event.dice), "call": event.call}
    message = _message("play.roll.called", **called)
    if event.call == "no decision" and scene.after.point:
        message = _message("play.roll.undecided", point=scene.after.point, **called)
    return [_line_of(message), *_moved_bets(event.bets, scene)]


def _moved_bets(bets: Iterable[e.BetRolled], scene: Scene) -> list[Sentence]:
    """Return the bets that a roll has moved to their own number."""
    went = [(scene.after.bets[one.bet], one.point) for one in bets if one.point is not None]
    return [
        _line_of(
            _message(
                "play.roll.travelled",
                player=bet.player,
                amount=scene.money(bet.amount),
                area=scene.area(bet.wager),
                point=point,
            )
        )
        for bet, point in went
    ]


@_describe.register
def describe_losers_collected(event: e.LosersCollected, scene: Scene) -> list[Sentence]:
    first = _message("play.settled.collected", count=len(event.lines))
    return [_line_of(first if event.lines else _message("play.settled.none-lost")), *_lines(event.lines, scene)]


@_describe.register
def describe_winners_paid(event: e.WinnersPaid, scene: Scene) -> list[Sentence]:
    first = _message("play.settled.paid", count=len(event.lines))
    return [_line_of(first if event.lines else _message("play.settled.none-won")), *_lines(event.lines, scene)]


def _lines(lines: Iterable[e.Line], scene: Scene) -> list[Sentence]:
    return [_line_of(_line(line, scene), line.clauses) for line in lines]


def _undone_lines(lines: Iterable[e.Line], scene: Scene) -> list[Sentence]:
    title = _message("common.undone")
    return [_line_of(_message("common.titled", title=title, line=_line(line, scene)), line.clauses) for line in lines]


def _line(line: e.Line, scene: Scene) -> Message:
    """Return how one bet was settled: what of it counted, what it pays, and the result."""
    bet = _bare(line, scene)
    if line.row is None:
        return _message("play.settled.returned", bet=bet)
    if line.row == RETURN_ROW:
        return _message("play.settled.returned-tied", bet=bet)
    net = scene.money(line.net)
    if line.row == "ruled":
        return _message("play.settled.ruled", bet=bet, net=net)
    returned = line.stake - line.honoured
    back = _part_if(returned, "play.settled.back", amount=scene.money(returned))
    more = tuple(_details(line, scene))
    if line.net < 0:
        return _message("play.settled.lost", bet=bet, back=back, net=net, more=more)
    if line.net == 0:
        return _message("play.settled.pushed", bet=bet, back=back, more=more)
    return _message("play.settled.won", bet=bet, back=back, odds=line.pays, net=net, more=more)


def _details(line: e.Line, scene: Scene) -> Iterator[Message]:
    yield from _rounded(line, scene)
    yield from _in_cash(line, scene)
    yield from _part_if(line.capped, "play.settled.capped", amount=scene.money(line.capped))
    yield from _part_if(line.envy, "play.settled.envy", amount=scene.money(line.envy))
    if line.net > 0 and line.kind in TIPS:
        yield _message(f"play.settled.{TIPS[line.kind]}")
    yield from _part_if(line.stays, "play.settled.stays")


def _rounded(line: e.Line, scene: Scene) -> Parts:
    """Return how the net was rounded; nothing where it is exact."""
    if line.exact is None:
        return ()
    exact = Fraction(line.exact)
    way = "up" if line.net > exact else "down"
    text = format_exact(exact, scene.rules.decimals)
    return (_message(f"play.settled.rounded-{way}", exact=text, favour=line.favour or "house"),)


def _in_cash(line: e.Line, scene: Scene) -> Parts:
    """Return what of a bet in colour chips is not a whole chip, and therefore given in cash chips."""
    own = scene.before.purses.get(line.player) if line.kind == "colour" else None
    if own is None:
        return ()
    amount = line.stake - line.honoured if line.net < 0 else line.net
    rest = amount - own.whole_chips(amount)
    return _part_if(rest, "play.settled.in-cash", amount=scene.money(rest))


TIPS = {"tip in the area": "tip-in-area", "tip on top": "tip-on-top"}
"""The split of a winning tip."""


@_describe.register
def describe_round_ended(event: e.RoundEnded, _scene: Scene) -> Sentence:
    return _line_of(_message("play.roll.ended", round=event.round))


@_describe.register
def describe_dice_corrected(event: e.DiceCorrected, scene: Scene) -> list[Sentence]:
    first = scene.say("irregular.corrected", dice=dice(event.dice), words=quoted(event.words))
    returned = _with_title("returned", (*map(scene.bet, event.returned), *_returned_parts(event.parts, scene)))
    return [
        *(first, *_undone_lines(event.undone, scene), *returned, *_debts(scene)),
        *(*_hand(scene), *_moved_bets(event.bets, scene)),
    ]


def _hand(scene: Scene) -> list[Sentence]:
    """Return the point and the shooter after a correction at craps."""
    if not scene.after.craps:
        return []
    shooter = scene.after.shooter
    if shooter is None:
        return [_line_of(_message("irregular.hand-nobody"))]
    if scene.after.point:
        return [_line_of(_message("irregular.hand-point", point=scene.after.point, shooter=shooter))]
    return [_line_of(_message("irregular.hand-come-out", shooter=shooter))]


def _returned_parts(parts: Iterable[e.Part], scene: Scene) -> list[Message]:
    """Return parts of running bets that were returned."""
    found = [(scene.before.bets[part.bet], part) for part in parts]
    return [_message("common.part", amount=scene.money(part.amount), stake=scene.owned(bet)) for bet, part in found]


# ---------------------------------------------------------------- irregularities


@_describe.register
def describe_irregularity_called(event: e.IrregularityCalled, scene: Scene) -> list[Sentence]:
    rule = scene.rules.irregularities[event.irregularity]
    params: dict[str, Any] = {"irregularity": rule.name, "words": quoted(event.words)}
    message = _message("irregular.called", who=scene.person, **params)
    if event.announced:
        announced = _announced_text(event.announced, rule)
        message = _message("irregular.announced", who=scene.person, announced=announced, **params)
    lines = [_by_rule(message, rule), *_present(event)]
    lines += _with_title("to-be-decided", map(scene.bet, event.bets))
    return [*lines, _line_of(_message("irregular.remedy", remedy=event.remedy))]


def _present(event: e.IrregularityCalled) -> list[Sentence]:
    if not event.present:
        return []
    people = [
        _message("irregular.someone-confirmed" if person.name in event.witnessed else "irregular.someone", who=person)
        for person in event.present
    ]
    others = event.named_by and any(one.name != event.named_by for one in event.present)
    everyone = reduce(lambda first, second: _message("irregular.and", first=first, second=second), people)
    named = _part_if(others, "irregular.named-by", name=event.named_by)
    return [_line_of(_message("irregular.present", people=everyone, named=named))]


@_describe.register
def describe_round_voided(event: e.RoundVoided, scene: Scene) -> list[Sentence]:
    first = _line_of(_message("irregular.voided", round=event.round))
    returned = _with_title("returned", (*map(scene.bet, event.returned), *_returned_parts(event.parts, scene)))
    return [first, *returned, *_undone_lines(event.undone, scene), *_debts(scene)]


@_describe.register
def describe_wagers_returned(event: e.WagersReturned, scene: Scene) -> list[Sentence]:
    undone = [_line_of(_message("irregular.collected-returned", bet=_bare(line, scene))) for line in event.undone]
    return [
        _line_of(_message("irregular.no-throw")),
        *_with_title("returned", map(scene.bet, event.returned)),
        *undone,
    ]


def _bare(line: e.Line, scene: Scene) -> Message:
    """Return the bet of a settlement: whose, how much, where."""
    bet = scene.before.bets.get(line.bet) or scene.before.round.taken.get(line.bet)
    point = bet.point if bet is not None and bet.wager == line.wager else None
    return _message("common.of", player=line.player, stake=scene.stake(line.stake, line.wager, line.kind, point))


def _debts(scene: Scene) -> list[Sentence]:
    """Return what a player no longer has, and owes the house."""
    return [
        _line_of(_message("common.owed", amount=scene.money(-leg.amount)))
        for transfer in scene.transfers
        for leg in transfer.legs
        if leg.account.startswith("disputes:")
    ]


@_describe.register
def describe_betting_reopened(event: e.BettingReopened, scene: Scene) -> list[Sentence]:
    undone = [_line_of(_message("irregular.collected-restored", bet=_bare(line, scene))) for line in event.undone]
    return [_line_of(_message("irregular.reopened")), *undone]


@_describe.register
def describe_power_failed(_event: e.PowerFailed, scene: Scene) -> Sentence:
    message = _message("irregular.power-craps" if scene.after.craps else "irregular.power")
    return _with_grounds(message, scene, "withdraw all or stay")


@_describe.register
def describe_player_withdrew(event: e.PlayerWithdrew, scene: Scene) -> list[Sentence]:
    params: dict[str, Any] = {"for": scene.for_whom(event.player)}
    returned = _with_title("returned", (*map(scene.bet, event.bets), *_returned_parts(event.parts, scene)))
    return [scene.say("irregular.withdrew", **params), *returned]


@_describe.register
def describe_play_resumed(_event: e.PlayResumed, scene: Scene) -> Sentence:
    return scene.say("irregular.resumed")


@_describe.register
def describe_bet_ruled(event: e.BetRuled, scene: Scene) -> list[Sentence]:
    params: dict[str, Any] = {"who": scene.person, "bet": scene.bet(event.bet), "words": quoted(event.words)}
    message = (
        _message("irregular.ruled-returned", **params)
        if event.treat_as is None
        else _message("irregular.ruled-area", area=scene.area(event.treat_as), **params)
    )
    return [_with_grounds(message, scene, "supervisor decides"), *_resolved(event, scene)]


@_describe.register
def describe_ruled(event: e.Ruled, scene: Scene) -> list[Sentence]:
    params: dict[str, Any] = {"who": scene.person, "words": quoted(event.words)}
    message = (
        _message("irregular.decided-called", name=event.called_by, **params)
        if event.called_by
        else _message("irregular.decided", **params)
    )
    return [_with_grounds(message, scene, "refer"), *_resolved(event, scene)]


def _resolved(event: e.BetRuled | e.Ruled, scene: Scene) -> list[Sentence]:
    """Return how a ruling settles bets, and what it reverses."""
    return [*_undone_lines(event.undone, scene), *_lines(event.settled, scene), *_debts(scene)]


def _by_rule(message: Message, rule: Irregularity) -> Sentence:
    """Return a sentence with the clauses that provide for an irregularity, or the reading where the text is silent."""
    if rule.reading is None:
        return Sentence(message, tuple(rule.clause))
    return Sentence(message, reading=rule.reading)


def _with_grounds(message: Message, scene: Scene, remedy: str) -> Sentence:
    """Return a sentence with the grounds of the irregularity that has this remedy, if the book has one."""
    rules = scene.rules.irregularities.values()
    rule = next((rule for rule in rules if rule.remedy == remedy), None)
    return Sentence(message) if rule is None else _by_rule(message, rule)


@_describe.register
def describe_shooter_named(event: e.ShooterNamed, scene: Scene) -> Sentence:
    return scene.say("play.shooter.named", shooter=event.shooter)


@_describe.register
def describe_dice_passed(_event: e.DicePassed, scene: Scene) -> Sentence:
    return scene.say("play.shooter.passed")


@_describe.register
def describe_rail_joined(event: e.RailJoined, scene: Scene) -> Sentence:
    params: dict[str, Any] = {"for": scene.for_whom(event.player)}
    rail = scene.after.rail
    if len(rail) > 1:
        return scene.say("play.shooter.joined-order", rail=rail, **params)
    return scene.say("play.shooter.joined", **params)


@_describe.register
def describe_rail_left(event: e.RailLeft, scene: Scene) -> Sentence:
    params: dict[str, Any] = {"for": scene.for_whom(event.player)}
    return scene.say("play.shooter.left", **params)


@_describe.register
def describe_dice_refused(event: e.DiceRefused, scene: Scene) -> Sentence:
    params: dict[str, Any] = {"for": scene.for_whom(event.player)}
    return scene.say("play.shooter.refused", **params)


@_describe.register
def describe_roll_cancelled(event: e.RollCancelled, scene: Scene) -> Sentence:
    return scene.say("irregular.no-roll", words=quoted(event.words))


# ---------------------------------------------------------------- afterwards


@_describe.register
def describe_disputed(event: e.Disputed, scene: Scene) -> Sentence:
    return scene.say("irregular.dispute.opened", round=event.round, words=quoted(event.words))


@_describe.register
def describe_dispute_settled(event: e.DisputeSettled, scene: Scene) -> Sentence:
    kind = "settled" if event.upheld else "rejected"
    return scene.say(f"irregular.dispute.{kind}", round=event.round, words=quoted(event.words))


@_describe.register
def describe_resettlement_proposed(event: e.ResettlementProposed, scene: Scene) -> Sentence:
    params: dict[str, Any] = {"round": event.round, "dice": dice(event.dice), "words": quoted(event.words)}
    return scene.say("irregular.dispute.proposed", **params)


@_describe.register
def describe_resettled(event: e.Resettled, scene: Scene) -> list[Sentence]:
    old = next(record for record in scene.before.history if record.number == event.round)
    changed = [
        _line_of(_message("play.settled.was", line=_line(line, scene), net=scene.money(before.net)), line.clauses)
        for before, line in zip(old.lines, event.lines, strict=True)
        if line.net != before.net
    ]
    params: dict[str, Any] = {"round": event.round, "dice": dice(event.dice), "before": dice(old.dice)}
    return [scene.say("irregular.dispute.resettled", **params), *changed, *_debts(scene)]


@_describe.register
def describe_counted(event: e.Counted, scene: Scene) -> Sentence:
    off = event.amount - event.ledger
    differs = _part_if(off, "table.inventory.differs", ledger=scene.money(event.ledger), off=scene.money(off))
    return _two_person_act("counted", event, scene, when=event.when, differs=differs)


@_describe.register
def describe_filled(event: e.Filled, scene: Scene) -> Sentence:
    return _two_person_act("fill", event, scene)


@_describe.register
def describe_credited(event: e.Credited, scene: Scene) -> Sentence:
    return _two_person_act("credit", event, scene)


@_describe.register
def describe_drop_collected(event: e.DropCollected, scene: Scene) -> Sentence:
    return _two_person_act("drop", event, scene)


def _two_person_act(
    kind: str, event: e.Counted | e.Filled | e.Credited | e.DropCollected, scene: Scene, **params: Any
) -> Sentence:
    """Return what two people did with chips."""
    return scene.say(f"table.inventory.{kind}", second=event.second, amount=scene.money(event.amount), **params)


# ---------------------------------------------------------------- automatic tables


@_describe.register
def describe_clock_corrected(event: e.ClockCorrected, scene: Scene) -> Sentence:
    return scene.say("automatic.clock", words=quoted(event.words))


@_describe.register
def describe_seed_committed(event: e.SeedCommitted, scene: Scene) -> Sentence:
    return scene.say("automatic.committed", commitment=event.commitment, mapping=str(event.mapping))


@_describe.register
def describe_countdown_started(event: e.CountdownStarted, _scene: Scene) -> Sentence:
    return _line_of(_message("automatic.countdown", until=event.until[11:19]))


@_describe.register
def describe_nonce_given(event: e.NonceGiven, scene: Scene) -> Sentence:
    return scene.say("automatic.nonce", nonce=event.nonce)


@_describe.register
def describe_betting_closed(_event: e.BettingClosed, scene: Scene) -> Sentence:
    return scene.say("automatic.closed")


@_describe.register
def describe_seed_revealed(event: e.SeedRevealed, scene: Scene) -> list[Sentence]:
    first = scene.say("automatic.revealed", seed=event.seed)
    if not event.dice:
        return [first, _line_of(_message("automatic.no-dice"))]
    kind = "automatic.dice-void" if event.voided else "automatic.dice"
    return [first, _line_of(_message(kind, dice=dice(event.dice)))]


@_describe.register
def describe_tumbler_failed(event: e.TumblerFailed, scene: Scene) -> Sentence:
    kind = "automatic.failed-lost" if event.lost else "automatic.failed"
    return _with_grounds(_message(kind, who=scene.person, words=event.words), scene, "refer")


@_describe.register
def describe_tumbler_repaired(_event: e.TumblerRepaired, scene: Scene) -> Sentence:
    return scene.say("automatic.repaired")


@_describe.register
def describe_paused(event: e.Paused, scene: Scene) -> Sentence:
    if event.left is None:
        return scene.say("automatic.paused", words=quoted(event.words))
    return scene.say("automatic.paused-left", count=round(event.left), words=quoted(event.words))


@_describe.register
def describe_unpaused(event: e.Unpaused, scene: Scene) -> Sentence:
    if event.until is None:
        return scene.say("automatic.resumed")
    return scene.say("automatic.resumed-until", until=event.until[11:19])


@_describe.register
def describe_void_proposed(event: e.VoidProposed, scene: Scene) -> Sentence:
    return scene.say("irregular.dispute.void", round=event.round, words=quoted(event.words))
