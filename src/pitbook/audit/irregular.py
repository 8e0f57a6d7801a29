"""Irregularities, disputes and resettlements, and the table's inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.automatic import voiding
from pitbook.audit.faults import Fault, ensure
from pitbook.audit.procedure import betting_open, check_confirmed
from pitbook.audit.settling import check_lines, difference, line_of
from pitbook.audit.sic_bo import rows_reached
from pitbook.audit.state import HISTORY, Bet, Past, Round, moved

if TYPE_CHECKING:
    from pitbook.audit.state import Body, Moves, State, Who


def irregularity_called(state: State, event: Body, who: Who) -> Moves:
    name = event["irregularity"]
    check_confirmed(state, event, (one["name"] for one in event["present"] if one["name"] != who.name))
    remedy = state.book.remedies.get(name)
    ensure(remedy == event["remedy"], f"the book's remedy for {name} is {remedy!r}, not {event['remedy']!r}")
    state.round.irregularities.append(name)
    fails = ["EquipmentFailed"] if name in state.book.failing else []
    match remedy:
        case "return wagers":
            state.expect = ["WagersReturned"]
        case "void and return":
            state.expect = [*fails, "RoundVoided"]
        case "wagers stand":
            state.expect = ["BettingReopened"]
        case "settle by the dice, then cease" | "settle by the dice" | "finish the round":
            state.expect = fails
        case "betting resumes":
            state.expect = [] if betting_open(state) else ["BettingReopened"]
        case "withdraw all or stay":
            state.expect = ["PowerFailed"]
        case _:
            pass
    return []


def round_voided(state: State, event: Body, who: Who) -> Moves:
    number = state.round.number
    if state.automatic:
        voiding(state, who)
    undone = [line for past in state.history if past.number == number for line in past.lines]
    ensure(event.get("undone", []) == undone, "what was settled of the void round is not all undone")
    moves = _returned(state, event)
    for line in undone:
        moves += difference(state, line, 0, moves)
    won = sum(line["net"] + line["envy"] for line in undone)
    state.booked(wagered=-sum(line["honoured"] for line in undone), won=won)
    return moves


def wagers_returned(state: State, event: Body, _who: Who) -> Moves:
    return _returned(state, event)


def _returned(state: State, event: Body) -> Moves:
    """The bets made for this throw go back, and the next round begins."""
    ensure(event["round"] == state.round.number, f"this is round {state.round.number}, not {event['round']}")
    bets = state.fresh()
    ensure(sorted(event["returned"]) == sorted(bet.id for bet in bets), "other bets go back than those of this round")
    for bet in bets:
        state.take(bet.id)
    others = [past for past in state.history if past.number != state.round.number]
    state.history = [*others, Past(state.round.number, (), [], state.book, state.setup)][-HISTORY:]
    state.round = Round(state.round.number + 1)
    state.withdrawn, state.power_failed = [], False
    return state.back(bets)


def betting_reopened(state: State, _event: Body, _who: Who) -> Moves:
    state.round = Round(state.round.number + 1, irregularities=state.round.irregularities)
    return []


def power_failed(state: State, _event: Body, _who: Who) -> Moves:
    state.power_failed, state.withdrawn = True, []
    return []


def player_withdrew(state: State, event: Body, who: Who) -> Moves:
    player = event["player"]
    ensure(state.power_failed, "wagers are withdrawn after a power failure only")
    ensure(who.role not in ("player", "shooter") or who.name == player, f"{who.name} acts for {player}")
    bets = [bet for bet in state.fresh() if bet.player == player and bet.kind != "tip in the area"]
    ensure(sorted(event["bets"]) == sorted(bet.id for bet in bets), "a player withdraws all wagers, or none")
    for bet in bets:
        state.take(bet.id)
    state.withdrawn.append(player)
    return state.back(bets)


def play_resumed(state: State, _event: Body, _who: Who) -> Moves:
    ensure(state.power_failed, "the power had not failed")
    state.power_failed = False
    return []


def bet_ruled(state: State, event: Body, _who: Who) -> Moves:
    called = any(state.book.remedies[name] == "supervisor decides" for name in state.round.irregularities)
    ensure(called, "nobody called for a decision on a wager")
    ensure(event["bet"] in state.bets, f"there is no bet {event['bet']}")
    if event["treat_as"] is None:
        return state.back([state.take(event["bet"])])
    ensure(state.wager(event["treat_as"]), f"{event['treat_as']} is not offered here")
    state.turn(event["bet"], event["treat_as"])
    return []


def disputed(state: State, event: Body, _who: Who) -> Moves:
    _past(state, event["round"])
    state.disputed.append(event["round"])
    return []


def dispute_settled(state: State, event: Body, _who: Who) -> Moves:
    ensure(event["round"] in state.disputed, f"round {event['round']} is not disputed")
    state.disputed = [number for number in state.disputed if number != event["round"]]
    return []


def _past(state: State, number: int) -> Past:
    for past in state.history:
        if past.number == number:
            return past
    raise Fault(f"round {number} is not among those kept")


def resettlement_proposed(state: State, event: Body, who: Who) -> Moves:
    ensure(bool(_past(state, event["round"]).dice), f"round {event['round']} was void: there is nothing to settle")
    ensure(not state.book.craps, "a roll of craps is not resettled")
    ensure(event["by"] == who.name, f"{who.name} proposes in the name of {event['by']}")
    ensure(event["round"] not in state.disputed, f"round {event['round']} is disputed: its record is frozen")
    state.proposal = event
    return []


def resettled(state: State, event: Body, who: Who) -> Moves:
    proposal = state.proposal
    if proposal is None or (proposal["round"], proposal["dice"]) != (event["round"], event["dice"]):
        raise Fault("this is not the resettlement that was proposed")
    ensure(proposal["by"] != who.name, f"{who.name} approves an act of their own")
    ensure(event["round"] not in state.disputed, f"round {event['round']} is disputed: its record is frozen")
    past = _past(state, event["round"])
    rows = rows_reached(past.book, tuple(event["dice"]))
    right: dict[int, Body] = {}
    moves: Moves = []
    for line in past.lines:
        new = line
        if line["honoured"]:
            bet = Bet(line["bet"], line["player"], line["wager"], line["stake"], line["kind"], confirmed=True)
            new = line_of(past.book, past.setup, bet, line["honoured"], rows[line["wager"]])
        right[line["bet"]] = new
        moves += difference(state, line, new["net"], moves)
    check_lines(event["lines"], right, past.book.clauses)
    before = sum(line["net"] + line["envy"] for line in past.lines)
    state.booked(won=before - sum(line["net"] + line["envy"] for line in event["lines"]))
    past.dice, past.lines = tuple(event["dice"]), event["lines"]
    state.proposal = None
    return moves


def counted(state: State, event: Body, who: Who) -> Moves:
    _check_second(event, who)
    held = state.ledger.holds(state.float)
    ensure(event["ledger"] == held, f"the count names {event['ledger']} as the ledger's, which has {held}")
    state.books["day"]["opening" if event["when"] == "opening" else "closing"] = event["amount"]
    return []


def filled(state: State, event: Body, who: Who) -> Moves:
    _check_second(event, who)
    state.booked(fills=event["amount"])
    return [moved(state.cage, state.float, event["amount"])]


def credited(state: State, event: Body, who: Who) -> Moves:
    _check_second(event, who)
    state.booked(credits=event["amount"])
    return [moved(state.float, state.cage, event["amount"])]


def drop_collected(state: State, event: Body, who: Who) -> Moves:
    _check_second(event, who)
    held = state.ledger.holds(state.drop)
    ensure(event["amount"] == held, f"{event['amount']} is taken from a drop box that holds {held}")
    return [moved(state.drop, state.cage, event["amount"])]


def _check_second(event: Body, who: Who) -> None:
    ensure(event["second"]["name"] != who.name, f"{who.name} is the second person to their own act")
