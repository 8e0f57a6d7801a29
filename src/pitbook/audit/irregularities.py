"""Irregularities, disputes and resettlements, and the table's inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.automatic import check_voiding
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.patterns import rows_reached
from pitbook.audit.procedure import betting_open, check_between, may_be_called, phase
from pitbook.audit.rolls import return_parts
from pitbook.audit.rounds import check_announced
from pitbook.audit.settling import check_lines, correction_transfers, expected_line
from pitbook.audit.state import HISTORY, Bet, PastRound, Round, transfer
from pitbook.audit.witnesses import DECIDED, check_colleague, check_confirmed, check_present

if TYPE_CHECKING:
    from pitbook.audit.state import Actor, Body, Moves, State


def irregularity_called(state: State, event: Body, who: Actor) -> Moves:
    name = event["irregularity"]
    rule = state.book.irregularities.get(name)
    if rule is None:
        raise CheckFailed("no-irregularity", name=name)
    remedy = rule.remedy
    ensure(remedy == event["remedy"], "remedy", name=name, remedy=remedy, given=event["remedy"])
    check_announced(event, rule.announce, rule.called_by.clauses, who)
    check_present(state, rule, event["present"], who)
    check_confirmed(state, event, (one["name"] for one in event["present"] if one["name"] != who.name))
    _check_call(state, event, who)
    if remedy in DECIDED:
        _note_waiting(state, event, who)
    state.round.irregularities.append(name)
    state.round.callers[name] = who.name
    state.round.witnesses += [person["name"] for person in event["present"]]
    fails = ["EquipmentFailed"] if rule.equipment else []
    match remedy:
        case "return wagers":
            state.expect = ["WagersReturned"]
        case "void and return":
            state.expect = [*fails, "RoundVoided"]
        case "wagers stand":
            state.expect = ["BettingReopened"]
        case "settle by the dice, then cease" | "settle by the dice" | "finish the round":
            state.expect = fails + _waived_steps(state, "illuminate", after="enter dice")
        case "outcome stands":
            if rule.equipment and state.book.equipment[rule.equipment] == "device":
                state.expect = _waived_steps(state, "press deal", after="close betting")
        case "betting resumes":
            state.expect = [] if betting_open(state) else ["BettingReopened"]
        case "withdraw all or stay":
            state.expect = ["PowerFailed"]
        case "re-roll":
            state.expect = ["RollCancelled"]
        case _:
            pass
    return []


def _check_call(state: State, event: Body, who: Actor) -> None:
    """Check that it can happen at this point of the round, and that nobody witnesses their own act."""
    name = event["irregularity"]
    now = phase(state)
    ensure(may_be_called(state, name), "called-when", "order", name=name, now=now)
    named_by = event.get("named_by", who.name)
    ensure(named_by == who.name, "calls-for", "witness", who=who.name, named_by=named_by)
    for one in event["present"]:
        own = one["name"] == who.name and one["role"] != who.role
        ensure(not own, "own-witness", "witness", who=who.name)


def _note_waiting(state: State, event: Body, who: Actor) -> None:
    """Note that someone has to decide: on wagers that the call names, or on what it describes."""
    now, name = state.round, event["irregularity"]
    if "bets" not in event:  # older records name no wagers, need no words, and wait in their round only
        now.undecided.add(name)
        return
    if event["remedy"] == "refer":
        ensure(bool(event["words"].strip()), "not-described", name=name)
        ensure(name not in state.referred, "called-again", "order", name=name, who=state.referred.get(name))
        state.referred[name] = who.name
        return
    now.undecided.add(name)
    ensure(bool(event["bets"]), "no-wager-named", name=name)
    for number in event["bets"]:
        ensure(number in state.bets or number in now.lay, "no-bet-in-round", number=number)
    now.unclear = (now.unclear or set()) | set(event["bets"])
    now.unruled |= set(event["bets"])


def _waived_steps(state: State, act: str, *, after: str) -> list[str]:
    """Return the waiver of a step that an irregularity has overtaken, if it would be due."""
    step = state.book.step(act)
    left = step is not None and step.id not in state.round.done and after in state.round.acts
    return ["StepWaived"] if left else []


def round_voided(state: State, event: Body, who: Actor) -> Moves:
    if state.automatic:
        check_voiding(state, who)
    undone = state.lines()
    ensure(event.get("undone", []) == undone, "not-all-undone")
    moves = _return_bets(state, event)
    for line in undone:
        moves += correction_transfers(state, line, 0, moves)
    _undo_lines(state, undone)
    return moves


def _undo_lines(state: State, lines: list[Body]) -> None:
    won = sum(line["net"] + line["envy"] for line in lines)
    state.add_to_books(wagered=-sum(line["honoured"] for line in lines), won=won)


def wagers_returned(state: State, event: Body, _who: Actor) -> Moves:
    collected = _collected_lines(state, event)
    moves = _return_bets(state, event)
    for line in collected:
        moves += correction_transfers(state, line, 0, moves)
    _undo_lines(state, collected)
    return moves


def _collected_lines(state: State, event: Body) -> list[Body]:
    """Return the losing wagers that were collected before the throw was found invalid; none may be kept."""
    lines = [line for line in state.lines() if line["net"] < 0]
    ensure(event.get("undone", []) == lines, "not-all-back")
    return lines


def _return_bets(state: State, event: Body) -> Moves:
    """Return the bets made for this throw and begin the next round."""
    ensure(event["round"] == state.round.number, "other-round", number=state.round.number, round=event["round"])
    bets = state.new_bets()
    ensure(sorted(event["returned"]) == sorted(bet.id for bet in bets), "other-bets-back")
    for bet in bets:
        state.take(bet.id)
    parts = return_parts(state, event, list(state.bets.values()))
    others = [past for past in state.history if past.number != state.round.number]
    state.history = [*others, PastRound(state.round.number, (), [], state.book, state.setup)][-HISTORY:]
    state.round = Round(state.round.number + 1)
    state.withdrawn, state.power_failed = [], False
    return state.return_bets(bets) + parts


def betting_reopened(state: State, event: Body, _who: Actor) -> Moves:
    now, collected = state.round, _collected_lines(state, event)
    for line in collected:
        bet = now.lay[line["bet"]]
        bet.amount = line["honoured"]
        state.put(bet)
    if collected:
        state.history = [past for past in state.history if past.number != now.number]
    _undo_lines(state, collected)
    called = now.irregularities, now.witnesses
    state.round = Round(now.number + 1, irregularities=called[0], witnesses=called[1], ceasing=now.ceasing)
    return [transfer(state.float, state.escrow, line["honoured"]) for line in collected]


def power_failed(state: State, _event: Body, _who: Actor) -> Moves:
    state.power_failed, state.withdrawn = True, []
    return []


def player_withdrew(state: State, event: Body, _who: Actor) -> Moves:
    player = event["player"]
    ensure(state.power_failed, "withdraw-power")
    own = [bet for bet in state.bets.values() if bet.player == player and bet.kind != "tip in the area"]
    bets = [bet for bet in own if not bet.running]
    ensure(bets or any(bet.since_roll for bet in own), "nothing-to-withdraw", player=player)
    ensure(sorted(event["bets"]) == sorted(bet.id for bet in bets), "withdraw-all")
    for bet in bets:
        state.take(bet.id)
    state.withdrawn.append(player)
    return state.return_bets(bets) + return_parts(state, event, [bet for bet in own if bet.running])


def play_resumed(state: State, _event: Body, _who: Actor) -> Moves:
    ensure(state.power_failed, "no-power-failure")
    state.power_failed = False
    return []


def disputed(state: State, event: Body, _who: Actor) -> Moves:
    _past_round(state, event["round"])
    ensure(event["round"] not in state.disputed, "disputed-already", "order", round=event["round"])
    state.disputed.append(event["round"])
    return []


def dispute_settled(state: State, event: Body, _who: Actor) -> Moves:
    ensure(event["round"] in state.disputed, "not-disputed", round=event["round"])
    ensure(event.get("upheld", True) or event["words"].strip(), "claim-no-reason")
    state.disputed = [number for number in state.disputed if number != event["round"]]
    return []


def _past_round(state: State, number: int) -> PastRound:
    for past in state.history:
        if past.number == number:
            return past
    raise CheckFailed("round-not-kept", number=number)


def resettlement_proposed(state: State, event: Body, who: Actor) -> Moves:
    ensure(bool(_past_round(state, event["round"]).dice), "round-void", round=event["round"])
    if state.book.craps:
        _check_last_roll(state, event)
    ensure(event["round"] != state.round.number, "round-settling", "order", round=event["round"])
    ensure(event["by"] == who.name, "proposes-for", who=who.name, by=event["by"])
    ensure(event["round"] not in state.disputed, "round-frozen", round=event["round"])
    state.proposal = event
    return []


def _check_last_roll(state: State, event: Body) -> None:
    """Check that only the last roll is settled again, before another one, and with its bets as they were."""
    before = state.before
    last = before is not None and before.settled and before.round == event["round"]
    ensure(last, "resettle-last", "order")
    changed = before.changed if before else ""
    ensure(not changed, "bet-changed", changed=changed)


def resettled(state: State, event: Body, who: Actor) -> Moves:
    proposal = state.proposal
    ensure(not state.book.craps, "resettle-dice")
    if proposal is None or (proposal["round"], proposal["dice"]) != (event["round"], event["dice"]):
        raise CheckFailed("other-resettlement")
    ensure(proposal["by"] != who.name, "own-proposal", "witness", who=who.name)
    ensure(event["round"] not in state.disputed, "round-frozen", round=event["round"])
    past = _past_round(state, event["round"])
    rows = rows_reached(past.book, tuple(sorted(event["dice"])))
    right: dict[int, Body] = {}
    moves: Moves = []
    for line in past.lines:
        new = line
        if line["honoured"] and line["row"] != "ruled":
            bet = Bet(line["bet"], line["player"], line["wager"], line["stake"], line["kind"], confirmed=True)
            new = expected_line(past.book, past.setup, bet, line["honoured"], rows[line["wager"]])
        right[line["bet"]] = new
        moves += correction_transfers(state, line, new["net"], moves)
    check_lines(event["lines"], right, past.book.clauses)
    before = sum(line["net"] + line["envy"] for line in past.lines)
    state.add_to_books(won=before - sum(line["net"] + line["envy"] for line in event["lines"]))
    past.dice, past.lines = tuple(event["dice"]), event["lines"]
    state.proposal = None
    return moves


def counted(state: State, event: Body, who: Actor) -> Moves:
    check_colleague(state, event["second"], who)
    check_between(state, who, "counted")
    held = state.ledger.balance(state.float)
    ensure(event["ledger"] == held, "count-ledger", ledger=event["ledger"], held=held)
    state.books["day"]["opening" if event["when"] == "opening" else "closing"] = event["amount"]
    return []


def filled(state: State, event: Body, who: Actor) -> Moves:
    check_colleague(state, event["second"], who)
    ensure(event["amount"] > 0, "no-fill")
    state.add_to_books(fills=event["amount"])
    return [transfer(state.cage, state.float, event["amount"])]


def credited(state: State, event: Body, who: Actor) -> Moves:
    check_colleague(state, event["second"], who)
    held = state.ledger.balance(state.float)
    ensure(0 < event["amount"] <= held, "credit-too-large", amount=event["amount"], held=held)
    state.add_to_books(credits=event["amount"])
    return [transfer(state.float, state.cage, event["amount"])]


def drop_collected(state: State, event: Body, who: Actor) -> Moves:
    check_colleague(state, event["second"], who)
    held = state.ledger.balance(state.drop)
    ensure(event["amount"] == held, "drop-too-large", amount=event["amount"], held=held)
    return [transfer(state.drop, state.cage, event["amount"])]
