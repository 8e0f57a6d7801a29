"""One sentence for each kind of event, and a line for each wager that it settles, returns or changes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING

from pitbook.money import format_amount, format_exact
from pitbook.rulebooks.wagers import RETURN_ROW
from pitbook.table import events as e
from pitbook.table.checklists import points_of
from pitbook.table.people import Consent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Irregularity, Step
    from pitbook.table.commands import Setup
    from pitbook.table.people import Person
    from pitbook.table.state import Bet, Table


@dataclass(frozen=True, slots=True)
class Scene:
    """The table before and after an event, who acted, and the money that moved."""

    before: Table
    after: Table
    who: str
    person: Person
    transfers: tuple[Transfer, ...]

    @property
    def rules(self) -> Rulebook:
        return self.after.rules

    def money(self, amount: int) -> str:
        """An amount of the table's currency: "5.00"."""
        return format_amount(amount, self.rules.decimals)

    def bet(self, number: int) -> str:
        """A bet in words: "5.00 of ann on small"; it may have been settled in this round already."""
        return self.stake(self.before.bets.get(number) or self.before.round.taken[number])

    def stake(self, bet: Bet) -> str:
        """The same, of a bet at hand."""
        kind = "" if bet.kind == "cash" else f" ({bet.kind})"
        return f"{self.money(bet.amount)} of {bet.player} on {placed_on(bet)}{kind}"

    def for_whom(self, player: str) -> str:
        """ " for ann", where somebody acts for a player."""
        return "" if player == self.person.name else f" for {player}"


def placed_on(bet: Bet) -> str:
    """Where a bet lies: its wager, and the number to which it has travelled."""
    return bet.wager if bet.point is None else f"{bet.wager} ({bet.point})"


def tell(event: e.Event, scene: Scene) -> list[str]:
    """What happened: a sentence, and lines that belong below it. Nothing, where another event tells it."""
    told = _describe(event, scene)
    return [told] if isinstance(told, str) else told


def cited(clauses: Iterable[str]) -> str:
    """Clauses as they stand behind a sentence.

    >>> cited(["5(a)", "5(a)(1)"]), cited([])
    (' [5(a), 5(a)(1)]', '')
    """
    found = ", ".join(dict.fromkeys(clauses))
    return f" [{found}]" if found else ""


def quoted(words: str) -> str:
    """What somebody said, behind a sentence; nothing where nothing was said."""
    return f": “{words}”" if words.strip() else ""


def dice(faces: Sequence[int]) -> str:
    """The dice as people write them."""
    return "-".join(str(face) for face in faces)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


@singledispatch
def _describe(event: e.Event, _scene: Scene) -> str | list[str]:
    raise TypeError(f"nobody can tell {type(event).__name__}")


# ---------------------------------------------------------------- the table and its equipment


@_describe.register
def describe_table_opened(event: e.TableOpened, scene: Scene) -> list[str]:
    book = scene.rules.identity
    return [f"{scene.who} opens the table for {event.setup.facility}: {book.title}", *_setup(event.setup, scene)]


@_describe.register
def describe_setup_changed(event: e.SetupChanged, scene: Scene) -> list[str]:
    return [f"{scene.who} changes the set-up", *_setup(event.setup, scene)]


def _setup(setup: Setup, scene: Scene) -> list[str]:
    shaker = "" if scene.after.craps else f", {setup.shaker} shaker"
    lines = [f"currency {setup.currency}{shaker}"]
    for name, limit in setup.limits.items():
        what = "every wager" if name == "*" else name
        lines.append(f"limits of {what}: {scene.money(limit.stake_min)} to {scene.money(limit.stake_max)}")
    for title, chosen in (("pay table", setup.paytables), ("reading", setup.readings), ("option", setup.options)):
        lines += [f"{title} {name}: {choice}" for name, choice in chosen.items()]
    if setup.payout_max is not None:
        lines.append(f"the most that may be lost on a throw: {scene.money(setup.payout_max)}")
    if setup.automatic is not None and setup.automatic.approval:
        lines.append(f"approval of the electronic tumbler: {setup.automatic.approval}")
    if setup.shifts:
        lines.append(f"shifts begin at {_listed(setup.shifts)} ({setup.timezone})")
    if setup.approval_references:
        lines.append("approvals of equipment are recorded with reference and date")
    return lines


@_describe.register
def describe_table_closed(_event: e.TableClosed, scene: Scene) -> list[str]:
    changed = [
        f"{scene.money(leg.amount)} in colour chips changed into cash chips: {leg.account.split(':')[1]}"
        for transfer in scene.transfers
        for leg in transfer.legs
        if leg.amount > 0
    ]
    return [f"{scene.who} closes the table", *changed]


@_describe.register
def describe_shift_started(event: e.ShiftStarted, scene: Scene) -> str:
    return f"{scene.who} starts the shift {event.shift!r}"


@_describe.register
def describe_day_started(event: e.DayStarted, scene: Scene) -> str:
    return f"{scene.who} starts the gaming day {event.day!r}"


@_describe.register
def describe_dice_put(event: e.DicePut, scene: Scene) -> str:
    thing = scene.rules.equipment.get("dice")
    sealed = " and seals it" if event.sealed and not scene.after.craps else ""
    where = "" if scene.after.craps else " into the shaker"
    serials = f" ({', '.join(event.serials)})" if event.serials else ""
    used = f", in use since {event.first_used[:16].replace('T', ' ')}" if event.first_used not in ("", event.at) else ""
    clauses = cited(thing.clause if thing else ())
    return f"{scene.who} puts the dice {event.set!r}{serials}{where}{sealed}{used}{clauses}"


@_describe.register
def describe_dice_taken_out(event: e.DiceTakenOut, scene: Scene) -> str:
    where = "away" if scene.after.craps else "out of the shaker"
    fate = "" if event.fate == "kept" else f"; the set is {event.fate}"
    return f"{scene.who} takes the dice {event.set!r} {where}: {event.reason}{fate}"


@_describe.register
def describe_equipment_checked(event: e.EquipmentChecked, scene: Scene) -> list[str]:
    points = zip(event.points, points_of(scene.after, event.equipment), strict=True)
    lines = [f"{'yes' if met else 'NO '}  {point.says}{cited(point.clause)}" for met, point in points]
    result = "in order" if all(event.points) else "not in order"
    approval = [f"approval {event.approval}"] if event.approval else []
    approval += [f"approved on {event.approved_on}"] if event.approved_on else []
    return [f"{scene.who} checks {event.equipment}: {', '.join((result, *approval))}", *lines]


@_describe.register
def describe_inspected(event: e.Inspected, scene: Scene) -> list[str]:
    inspection = scene.rules.inspections[event.inspection]
    how = f"operated {_many(event.proper, 'time')} properly"
    if event.entered:
        how = f"{dice(event.entered)} entered, {_many(len(event.lit), 'area')} lit"
        if event.dark:
            how += f", {_listed(event.dark)} stayed dark"
        if event.wrong:
            how += f", {_listed(event.wrong)} lit wrongly"
    result = "passed" if event.passed else "FAILED"
    return [f"{scene.who} inspects {inspection.equipment}: {how}: {result}{cited(inspection.clause)}"]


@_describe.register
def describe_dealer_took_over(_event: e.DealerTookOver, scene: Scene) -> str:
    return f"{scene.who} takes the table over"


@_describe.register
def describe_dealer_left(_event: e.DealerLeft, scene: Scene) -> str:
    return f"{scene.who} leaves the table"


@_describe.register
def describe_shaker_put_away(event: e.ShakerPutAway, scene: Scene) -> str:
    how = {
        "removed": "removes the automated shaker",
        "covered": "empties the automated shaker and covers it",
        "sign": "empties the automated shaker and marks it out of order",
    }[event.how]
    return f"{scene.who} {how}{_grounds_of(scene, 'replace equipment')}"


@_describe.register
def describe_shaker_in_use(event: e.ShakerInUse, scene: Scene) -> str:
    name = f" {event.name!r}" if event.name else ""
    kind = f"{'an' if event.shaker == 'automated' else 'a'} {event.shaker} shaker"
    return f"{scene.who} puts {kind}{name} into use"


@_describe.register
def describe_equipment_failed(event: e.EquipmentFailed, _scene: Scene) -> list[str]:
    ceases = "; play ceases after this round" if event.cease else ""
    return ["", f"out of order: {event.equipment}{ceases}"]


@_describe.register
def describe_equipment_repaired(event: e.EquipmentRepaired, scene: Scene) -> str:
    return f"{scene.who} finds that {event.equipment} works again"


# ---------------------------------------------------------------- money at the table


@_describe.register
def describe_bought_in(event: e.BoughtIn, scene: Scene) -> str:
    chips = "chips"
    if event.colour_value:
        marker = ", shown by a marker" if event.marker else ""
        rule = scene.rules.equipment["colour-chips"]
        colour = f"{event.colour} " if event.colour else ""
        chips = f"{colour}colour chips of {scene.money(event.colour_value)} each{marker}{cited(rule.clause)}"
    told = f"{scene.who} changes {scene.money(event.amount)}{scene.for_whom(event.player)} into {chips}"
    return told + _agreed(event.consent)


@_describe.register
def describe_cashed_out(event: e.CashedOut, scene: Scene) -> str:
    if event.kind == "cash":
        return f"{scene.who} cashes {scene.money(event.amount)}{scene.for_whom(event.player)}{_agreed(event.consent)}"
    chips = f"{scene.money(event.amount)} in {event.colour} colour chips"
    return f"{scene.who} redeems {chips}{scene.for_whom(event.player)}{_agreed(event.consent)}"


def _agreed(consent: Consent | None) -> str:
    """How it was agreed that staff act for a player, behind a sentence."""
    match consent:
        case None:
            return ""
        case Consent(how="second person", by=second):
            return f"; {second.name} ({second.role}) approves"
        case Consent(how="pin"):
            return "; the player consents with a PIN"
        case _:
            return "; the player consents on their own device"


@_describe.register
def describe_bet_placed(event: e.BetPlaced, scene: Scene) -> str:
    existing = scene.before.bets.get(event.bet)
    for_whom = scene.for_whom(event.player)
    more = _in_all(event, existing.amount, scene) if existing else ""
    told = f"{scene.who} {'places' if for_whom else 'bets'} {_stake(event, scene)}{for_whom}{more}{_waits(event)}"
    return told + _agreed(event.consent)


@_describe.register
def describe_bets_placed(event: e.BetsPlaced, scene: Scene) -> list[str]:
    for_whom = scene.for_whom(event.player)
    total = scene.money(sum(placed.amount for placed in event.bets))
    first = f"{scene.who} {'places' if for_whom else 'makes'} {len(event.bets)} bets{for_whom}, {total} together"
    told = [first + _agreed(event.consent)]
    lying = {placed.bet: bet.amount for placed in event.bets if (bet := scene.before.bets.get(placed.bet))}
    for placed in event.bets:
        more = _in_all(placed, lying[placed.bet], scene) if placed.bet in lying else ""
        lying[placed.bet] = lying.get(placed.bet, 0) + placed.amount
        told.append(f"{_stake(placed, scene)}{more}{_waits(placed)}")
    return told


def _stake(placed: e.BetPlaced | e.Placed, scene: Scene) -> str:
    kind = "" if placed.kind == "cash" else f" ({placed.kind})"
    return f"{scene.money(placed.amount)} on {placed.wager}{kind}{_commission(placed.commission, scene)}"


def _commission(amount: int, scene: Scene) -> str:
    return f", with a commission of {scene.money(amount)}" if amount else ""


def _in_all(placed: e.BetPlaced | e.Placed, lies: int, scene: Scene) -> str:
    return f", {scene.money(lies + placed.amount)} in all"


def _waits(placed: e.BetPlaced | e.Placed) -> str:
    return "" if placed.confirmed else ", to be confirmed"


@_describe.register
def describe_bet_taken_down(event: e.BetTakenDown, scene: Scene) -> str | list[str]:
    bet = scene.before.bets[event.bet]
    what = f"{scene.money(event.amount)} off {placed_on(bet)}{scene.for_whom(bet.player)}"
    back = _commission(event.commission, scene)
    if event.tied_to is None:
        return f"{scene.who} takes {what}{back}"
    tied = scene.rules.wagers[bet.wager].tied
    return ["", f"with it {what} comes down{back}{cited(tied.clause if tied else ())}"]


@_describe.register
def describe_bets_called(event: e.BetsCalled, scene: Scene) -> list[str]:
    how = f"calls {event.how}" if event.how else "leaves to the rule of the book"
    bets = [scene.before.bets[number] for number in event.bets]
    clauses = [clause for bet in bets for clause in getattr(scene.rules.wagers[bet.wager].calls, "clause", ())]
    first = f"{scene.who} {how}{scene.for_whom(event.player)}{cited(clauses)}"
    return [first, *(scene.stake(bet) for bet in bets)]


@_describe.register
def describe_bets_confirmed(event: e.BetsConfirmed, scene: Scene) -> list[str]:
    step = next((step for step in scene.rules.procedure.round if step.act == "confirm bet"), None)
    clauses = cited(step.clause if step else ())
    return [f"{scene.who} repeats and places{clauses}", *(scene.bet(number) for number in event.bets)]


@_describe.register
def describe_wager_found(event: e.WagerFound, scene: Scene) -> str:
    late = ", placed or raised late" if event.late else ""
    return f"{scene.who} finds {scene.stake(scene.after.bets[event.bet])}{late}{_agreed(event.consent)}"


# ---------------------------------------------------------------- the round


@_describe.register
def describe_step_taken(event: e.StepTaken, scene: Scene) -> str | list[str]:
    step = next(step for step in scene.rules.procedure.round if step.id == event.step)
    if step.act == "illuminate":
        return []  # the lights tell it themselves
    others = "".join(
        f", {how} {person.name} ({person.role}{_confirmed(person, event.witnessed)})"
        for how, person in (("directed by", event.directed_by), ("confirmed by", event.confirmed_by))
        if person
    )
    flat = "" if event.flat else "; a die does not lie flat"
    return f"{scene.who} {_act(step, event, scene)}{flat}{others}{cited(_step_clauses(step, event, scene))}"


def _confirmed(person: Person, witnessed: tuple[str, ...]) -> str:
    return ", confirmed" if person.name in witnessed else ""


def _step_clauses(step: Step, event: e.StepTaken, scene: Scene) -> list[str]:
    """The step's clauses; where they are named after groups, those of the groups whose areas it concerns."""
    groups = {scene.rules.every[area].group for area in event.areas}
    return [clause for clause in step.clause if clause.rpartition(" ")[2].partition("/")[0] in groups] or step.clause


def _act(step: Step, event: e.StepTaken, scene: Scene) -> str:
    if event.announced:
        return f"announces “{event.announced}”"
    areas = ", ".join(event.areas)
    match step.act:
        case "shake" if step.at_least:
            how = "lets the dice tumble" if step.shaker == "automated" else "covers the shaker and shakes it"
            return f"{how} {_many(event.shakes, 'time')}"
        case "shake":
            return "activates the shaker"
        case "announce dice":
            return f"calls {dice(event.dice)}"
        case "enter dice":
            return f"enters {dice(event.dice)}"
        case "roll":
            if scene.person.name == scene.before.shooter:
                return f"rolls {dice(event.dice)}"
            return f"records {dice(event.dice)}, rolled by {scene.before.shooter}"
        case "mark":
            return f"places lammers on {areas}" if areas else "places lammers"
        case "remove lammers":
            return f"takes the lammers off {areas}" if areas else "takes lammers off"
        case "collect losers" if areas:
            return f"collects the losing wagers and takes the lammers off {areas}"
        case _:
            return ACTS.get(step.act, step.id)


ACTS = {
    "open betting": "opens betting",
    "close betting": "closes betting",
    "press deal": "presses the deal button",
    "reset": "resets the electronic equipment",
    "reveal": "takes the cover off",
    "check dice": "sees that every die rests flat",
    "collect losers": "collects the losing wagers",
    "pay winners": "pays the winning wagers",
    "cover": "puts the cover on",
    "clear": "clears the lights",
}


@_describe.register
def describe_step_waived(event: e.StepWaived, scene: Scene) -> list[str]:
    step = next(step for step in scene.rules.procedure.round if step.id == event.step)
    return ["", f"passed over: {step.says}"]


@_describe.register
def describe_illuminated(event: e.Illuminated, scene: Scene) -> list[str]:
    title = "won" if scene.after.craps else "lit"
    return ["", f"{title}: {', '.join(event.wagers)}"] if event.wagers else []


@_describe.register
def describe_rolled(event: e.Rolled, scene: Scene) -> list[str]:
    point = f"; the point is {scene.after.point}" if event.call == "no decision" else ""
    return ["", f"{sum(event.dice)}: {event.call}{point}", *_travels(event.bets, scene)]


def _travels(bets: Iterable[e.BetRolled], scene: Scene) -> list[str]:
    """The bets that a roll has sent to a number of their own."""
    went = [(scene.after.bets[one.bet], one.point) for one in bets if one.point is not None]
    return [f"{bet.player}: {scene.money(bet.amount)} on {bet.wager} travels to {point}" for bet, point in went]


@_describe.register
def describe_losers_collected(event: e.LosersCollected, scene: Scene) -> list[str]:
    return ["", *(_line(line, scene) for line in event.lines)]


@_describe.register
def describe_winners_paid(event: e.WinnersPaid, scene: Scene) -> list[str]:
    return ["", *(_line(line, scene) for line in event.lines)]


def _line(line: e.Line, scene: Scene) -> str:
    """How one wager was settled: what of it counted, the row it reached, what that pays, and what it came to."""
    kind = "" if line.kind == "cash" else f" ({line.kind})"
    bet = scene.before.bets.get(line.bet) or scene.before.round.taken.get(line.bet)
    area = line.wager if bet is None or bet.wager != line.wager else placed_on(bet)
    what = f"{line.player}: {scene.money(line.stake)} on {area}{kind}"
    back = line.stake - line.honoured
    if line.row is None:
        return f"{what}: returned{cited(line.clauses)}"
    given = f", of which {scene.money(back)} is given back" if back else ""
    if line.row == RETURN_ROW:
        return f"{what}: returned, the bet behind which it stood is gone{cited(line.clauses)}"
    if line.row == "ruled":
        return f"{what}: paid by decision: {_signed(line.net, scene)}{cited(line.clauses)}"
    odds = f", {line.pays}" if line.net > 0 else ""
    row = "loses" if line.net < 0 else "pushes" if not line.net else "wins" if line.row == "win" else line.row
    envy = f", and {scene.money(line.envy)} for the dealers" if line.envy else ""
    if line.net > 0 and line.kind in TIPS:
        envy += f", {TIPS[line.kind]}"
    capped = f" (capped by {scene.money(line.capped)})" if line.capped else ""
    rounded = _rounded(line, scene) + _in_cash(line, scene)
    stays = ", and stays up" if line.stays else ""
    net = _signed(line.net, scene)
    return f"{what}{given}: {row}{odds}: {net}{rounded}{capped}{envy}{stays}{cited(line.clauses)}"


def _rounded(line: e.Line, scene: Scene) -> str:
    """How the net was rounded; nothing where it is exact."""
    if line.exact is None:
        return ""
    exact, way = Fraction(line.exact), "up" if line.net > Fraction(line.exact) else "down"
    return f" (exactly {format_exact(exact, scene.rules.decimals)}, rounded {way} in the {line.favour}'s favour)"


def _in_cash(line: e.Line, scene: Scene) -> str:
    """What of a wager in colour chips is not a whole chip, and therefore given in cash chips."""
    own = scene.before.purses.get(line.player) if line.kind == "colour" else None
    if own is None:
        return ""
    amount = line.stake - line.honoured if line.net < 0 else line.net
    rest = amount - own.whole_chips(amount)
    return f" ({scene.money(rest)} in cash chips)" if rest else ""


TIPS = {"tip in the area": "for the dealers with its stake", "tip on top": "for the dealers; the stake goes back"}
"""Who gets what of a tip that wins."""


def _signed(amount: int, scene: Scene) -> str:
    return ("+" if amount > 0 else "") + scene.money(amount)


@_describe.register
def describe_round_ended(event: e.RoundEnded, _scene: Scene) -> list[str]:
    return ["", f"round {event.round} is over"]


@_describe.register
def describe_dice_corrected(event: e.DiceCorrected, scene: Scene) -> list[str]:
    returned = [f"given back: {scene.bet(number)}" for number in event.returned]
    returned += _parts(event.parts, "given back", scene)
    undone = [f"undone: {_line(line, scene)}" for line in event.undone]
    hand = []
    if scene.after.craps:
        point = f"the point is {scene.after.point}" if scene.after.point else "the next roll is a come-out roll"
        hand = [f"{point}; {scene.after.shooter or 'nobody'} has the dice"]
    first = f"{scene.who} puts the dice right, {dice(event.dice)}{quoted(event.words)}"
    return [first, *undone, *returned, *_owed(scene), *hand, *_travels(event.bets, scene)]


def _parts(parts: Iterable[e.Part], what: str, scene: Scene) -> list[str]:
    """Parts of running bets that were given back."""
    lying = [(scene.before.bets[part.bet], part) for part in parts]
    return [f"{what}: {scene.money(part.amount)} of {scene.stake(bet)}" for bet, part in lying]


# ---------------------------------------------------------------- irregularities


@_describe.register
def describe_irregularity_called(event: e.IrregularityCalled, scene: Scene) -> list[str]:
    rule = scene.rules.irregularities[event.irregularity]
    said = f"announces “{event.announced}”: " if event.announced else "calls: "
    there = ", ".join(f"{person.name} ({person.role}{_confirmed(person, event.witnessed)})" for person in event.present)
    by = f", named by {event.named_by}" if any(one.name != event.named_by for one in event.present) else ""
    lines = [f"in the presence of {there}{by if event.named_by else ''}"] if there else []
    lines += [f"to be decided: {scene.bet(number)}" for number in event.bets]
    words = quoted(event.words)
    return [f"{scene.who} {said}{_lower(rule)}{words}{_grounds(rule)}", *lines, f"remedy: {event.remedy}"]


def _lower(rule: Irregularity) -> str:
    return rule.name.en[0].lower() + rule.name.en[1:]


@_describe.register
def describe_round_voided(event: e.RoundVoided, scene: Scene) -> list[str]:
    undone = [f"undone: {_line(line, scene)}" for line in event.undone]
    returned = [*_returned(event.returned, scene), *_parts(event.parts, "returned", scene)]
    return ["", f"round {event.round} is void", *returned, *undone, *_owed(scene)]


@_describe.register
def describe_wagers_returned(event: e.WagersReturned, scene: Scene) -> list[str]:
    undone = [f"returned, although collected: {_bare(line, scene)}" for line in event.undone]
    return ["", "the throw does not count", *_returned(event.returned, scene), *undone]


def _bare(line: e.Line, scene: Scene) -> str:
    """A wager of a settlement: whose, how much, where."""
    return f"{line.player}: {scene.money(line.stake)} on {line.wager}"


def _returned(bets: Iterable[int], scene: Scene) -> list[str]:
    return [f"returned: {scene.bet(number)}" for number in bets]


def _owed(scene: Scene) -> list[str]:
    """What a player no longer holds, and the house is owed."""
    return [
        f"{scene.money(-leg.amount)} is no longer there, and owed to the house ({transfer.why})"
        for transfer in scene.transfers
        for leg in transfer.legs
        if leg.account.startswith("disputes:")
    ]


@_describe.register
def describe_betting_reopened(event: e.BettingReopened, scene: Scene) -> list[str]:
    undone = [f"stands again, although collected: {_bare(line, scene)}" for line in event.undone]
    return ["", "the wagers stand for another throw, and may be changed", *undone]


@_describe.register
def describe_power_failed(_event: e.PowerFailed, scene: Scene) -> list[str]:
    clauses = _grounds_of(scene, "withdraw all or stay")
    since = "since the last roll" if scene.after.craps else "for this throw"
    return ["", f"until play resumes, each player may withdraw all wagers made {since}, or none{clauses}"]


@_describe.register
def describe_player_withdrew(event: e.PlayerWithdrew, scene: Scene) -> list[str]:
    returned = [*_returned(event.bets, scene), *_parts(event.parts, "returned", scene)]
    return [f"{scene.who} withdraws{scene.for_whom(event.player)}", *returned]


@_describe.register
def describe_play_resumed(_event: e.PlayResumed, scene: Scene) -> str:
    return f"{scene.who} lets play resume"


@_describe.register
def describe_bet_ruled(event: e.BetRuled, scene: Scene) -> list[str]:
    how = "it is returned" if event.treat_as is None else f"it stands on {event.treat_as}"
    clauses = _grounds_of(scene, "supervisor decides")
    first = f"{scene.who} rules on {scene.bet(event.bet)}: {how}{quoted(event.words)}{clauses}"
    return [first, *_put_right(event, scene)]


@_describe.register
def describe_ruled(event: e.Ruled, scene: Scene) -> list[str]:
    called = f", called by {event.called_by}" if event.called_by else ""
    first = f"{scene.who} decides{called}{quoted(event.words)}{_grounds_of(scene, 'refer')}"
    return [first, *_put_right(event, scene)]


def _put_right(event: e.BetRuled | e.Ruled, scene: Scene) -> list[str]:
    """How a ruling settles wagers, and what it undoes."""
    undone = [f"undone: {_line(line, scene)}" for line in event.undone]
    return [*undone, *(_line(line, scene) for line in event.settled), *_owed(scene)]


def _grounds(rule: Irregularity) -> str:
    """Return the clauses that provide for an irregularity, or the reading where the text is silent, in brackets."""
    return cited(rule.clause) if rule.reading is None else f" [reading {rule.reading}]"


def _grounds_of(scene: Scene, remedy: str) -> str:
    """Return the same of the irregularity with this remedy; nothing where there is none."""
    rules = scene.rules.irregularities.values()
    return next((_grounds(rule) for rule in rules if rule.remedy == remedy), "")


@_describe.register
def describe_shooter_named(event: e.ShooterNamed, scene: Scene) -> str:
    return f"{scene.who} gives the dice to {event.shooter}"


@_describe.register
def describe_dice_passed(_event: e.DicePassed, scene: Scene) -> str:
    return f"{scene.who} passes the dice"


@_describe.register
def describe_rail_joined(event: e.RailJoined, scene: Scene) -> str:
    rail = scene.after.rail
    order = f": {', '.join(rail)}" if len(rail) > 1 else ""
    return f"{scene.who} joins the rail{scene.for_whom(event.player)}{order}"


@_describe.register
def describe_rail_left(event: e.RailLeft, scene: Scene) -> str:
    return f"{scene.who} leaves the rail{scene.for_whom(event.player)}"


@_describe.register
def describe_dice_refused(event: e.DiceRefused, scene: Scene) -> str:
    return f"{scene.who} refuses the dice{scene.for_whom(event.player)}"


@_describe.register
def describe_roll_cancelled(event: e.RollCancelled, scene: Scene) -> str:
    return f"{scene.who} calls no roll{quoted(event.words)}"


# ---------------------------------------------------------------- afterwards


@_describe.register
def describe_disputed(event: e.Disputed, scene: Scene) -> str:
    return f"{scene.who} disputes round {event.round}{quoted(event.words)}; its record is frozen"


@_describe.register
def describe_dispute_settled(event: e.DisputeSettled, scene: Scene) -> str:
    if not event.upheld:
        return f"{scene.who} settles the dispute about round {event.round}: claim refused{quoted(event.words)}"
    return f"{scene.who} settles the dispute about round {event.round}{quoted(event.words)}"


@_describe.register
def describe_resettlement_proposed(event: e.ResettlementProposed, scene: Scene) -> str:
    words = quoted(event.words)
    return f"{scene.who} proposes to settle round {event.round} anew, by {dice(event.dice)}{words}"


@_describe.register
def describe_resettled(event: e.Resettled, scene: Scene) -> list[str]:
    old = next(record for record in scene.before.history if record.number == event.round)
    lines = []
    for before, line in zip(old.lines, event.lines, strict=True):
        if line.net != before.net:
            lines.append(f"{_line(line, scene)}; it was {_signed(before.net, scene)}")
    first = f"{scene.who} approves: round {event.round} is settled by {dice(event.dice)} instead of {dice(old.dice)}"
    return [first, *lines, *_owed(scene)]


@_describe.register
def describe_counted(event: e.Counted, scene: Scene) -> str:
    off = event.amount - event.ledger
    differs = f"; the ledger has {scene.money(event.ledger)}, {_signed(off, scene)}" if off else ""
    return f"{scene.who} and {_second(event.second)} count {scene.money(event.amount)} ({event.when}){differs}"


@_describe.register
def describe_filled(event: e.Filled, scene: Scene) -> str:
    return f"{scene.who} and {_second(event.second)} bring {scene.money(event.amount)} from the cage"


@_describe.register
def describe_credited(event: e.Credited, scene: Scene) -> str:
    return f"{scene.who} and {_second(event.second)} take {scene.money(event.amount)} to the cage"


@_describe.register
def describe_drop_collected(event: e.DropCollected, scene: Scene) -> str:
    return f"{scene.who} and {_second(event.second)} take the drop box away: {scene.money(event.amount)}"


def _second(person: Person) -> str:
    return f"{person.name} ({person.role})"


# ---------------------------------------------------------------- automatic tables


@_describe.register
def describe_clock_corrected(event: e.ClockCorrected, scene: Scene) -> str:
    return f"{scene.who} corrects the clock: the times before this entry were ahead of it{quoted(event.words)}"


@_describe.register
def describe_seed_committed(event: e.SeedCommitted, scene: Scene) -> str:
    return f"{scene.who} commits to a seed: {event.commitment} (mapping {event.mapping})"


@_describe.register
def describe_countdown_started(event: e.CountdownStarted, _scene: Scene) -> list[str]:
    return ["", f"betting closes at {event.until[11:19]}"]


@_describe.register
def describe_nonce_given(event: e.NonceGiven, scene: Scene) -> str:
    return f"{scene.who} puts {event.nonce!r} into the draw"


@_describe.register
def describe_betting_closed(_event: e.BettingClosed, scene: Scene) -> str:
    return f"{scene.who} closes betting"


@_describe.register
def describe_seed_revealed(event: e.SeedRevealed, scene: Scene) -> list[str]:
    what = f"the dice are {dice(event.dice)}" if event.dice else "betting had not closed, and no dice follow from it"
    first = f"{scene.who} reveals the seed {event.seed}"
    return [first, f"{'of the void round: ' if event.voided else ''}{what}"]


@_describe.register
def describe_tumbler_failed(event: e.TumblerFailed, scene: Scene) -> str:
    lost = "; the seed is lost" if event.lost else ""
    return f"{scene.who} has failed: {event.words}{lost}{_grounds_of(scene, 'refer')}"


@_describe.register
def describe_tumbler_repaired(_event: e.TumblerRepaired, scene: Scene) -> str:
    return f"{scene.who} puts the electronic tumbler back into use"


@_describe.register
def describe_paused(event: e.Paused, scene: Scene) -> str:
    left = "" if event.left is None else f", {event.left:.0f} seconds before betting closes"
    return f"{scene.who} holds the table{left}{quoted(event.words)}"


@_describe.register
def describe_unpaused(event: e.Unpaused, scene: Scene) -> str:
    closes = "" if event.until is None else f"; betting closes at {event.until[11:19]}"
    return f"{scene.who} lets the table go on{closes}"


@_describe.register
def describe_void_proposed(event: e.VoidProposed, scene: Scene) -> str:
    return f"{scene.who} proposes that round {event.round} is void{quoted(event.words)}"
