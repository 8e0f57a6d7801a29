"""Present settlements, lit areas and results over many rounds as JSON."""

from __future__ import annotations

from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any, cast

from pitbook.dice import Roll
from pitbook.engine.bankroll import Session, bets_session
from pitbook.engine.chance import chance_of
from pitbook.engine.play import Act, Bet, play
from pitbook.engine.progress import advance, initial_progress
from pitbook.engine.rounds import after_rounds
from pitbook.engine.settle import check_stake
from pitbook.engine.spread import spread
from pitbook.engine.strategy import Rule, strategy_of
from pitbook.engine.strategy_session import session as strategy_session
from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.text import Label
from pitbook.server.http.errors import RequestErrors, detail
from pitbook.server.presenters.books import figure
from pitbook.server.schemas import play as wire
from pitbook.server.schemas.wagers import encode
from pitbook.simulation.strategies import packaged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from pitbook.engine.play import Outcome
    from pitbook.engine.rounds import Rounds
    from pitbook.rulebooks.model import Rulebook
    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.books.selection import PaytableChoices

CELLS_MAX = 1 << 20
"""The most distinct results after many rounds; more would take seconds and hundreds of megabytes."""
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
TAIL = 0.05
"""Per cent of all results beyond the drawn range, on either side."""


def settle_result(
    library: Library,
    chosen: ChosenBook,
    bets: Sequence[wire.BetAsked],
    rolls: Sequence[Sequence[int]],
    acts: Sequence[wire.ActAsked] = (),
) -> bytes:
    """Return what bets win or lose on these rolls."""
    rules = library.load_book(chosen)
    errors = RequestErrors()
    for number, bet in enumerate(bets):
        try:
            wager = rules.wager(bet.wager)
            rules.paytable(wager, bet.paytable)
            check_stake(rules, wager, Cents(bet.stake))
        except InputError as error:
            errors.add(f"body.bets[{number}]", error)
    for number, act in enumerate(acts):
        try:
            rules.wager(act.wager)
        except InputError as error:
            errors.add(f"body.acts[{number}]", error)
    thrown = [_parse_roll(rules, faces, f"body.rolls[{number}]", errors) for number, faces in enumerate(rolls)]
    errors.raise_if_any()
    placed = [Bet(bet.wager, Cents(bet.stake), bet.before_roll, bet.paytable) for bet in bets]
    played = play(rules, placed, thrown, [Act(act.what, act.wager, act.before_roll) for act in acts])
    payload = wire.Settled(
        book=rules.id,
        wagers=[_outcome(rules, outcome) for outcome in played.outcomes],
        net=played.net,
        hand=str(played.progress.hand) if rules.identity.game == "craps" else None,
        lammers=dict(played.lammers),
    )
    return encode(payload)


def _parse_roll(rules: Rulebook, faces: Sequence[int], place: str, errors: RequestErrors) -> Roll:
    if len(faces) != rules.dice:
        errors.add(place, detail("field.faces", given=len(faces), book=rules.id, dice=rules.dice))
    return Roll.of(*faces)


def _outcome(rules: Rulebook, outcome: Outcome) -> wire.OutcomeInfo:
    bet, end = outcome.bet, outcome.settlement or (outcome.paid[-1] if outcome.paid else None)
    wager = rules.wagers[bet.wager]
    more: dict[str, Any] = {"wins": len(outcome.paid)} if outcome.paid else {}
    if outcome.taken_down is not None:
        more["taken_down_before_roll"] = outcome.taken_down
    if (standing := outcome.standing) is not None:
        more["chance"] = figure(chance_of(rules, standing))
        more |= {"point": standing.hand.point} if standing.hand.point is not None else {}
        more |= {"called": standing.called} if standing.called else {}
    if end is not None:
        more |= {"capped": end.capped} if end.capped else {}
        more |= {"rounding": figure(end.rounding)} if end.rounding else {}
        more |= {"dealers_get": end.envy} if end.envy else {}
    return wire.OutcomeInfo(
        wager=bet.wager,
        stake=bet.stake,
        paytable=rules.paytable(wager, bet.paytable),
        before_roll=bet.before_roll,
        result=cast("wire.Result", outcome.result),
        row=end.row if end else None,
        pays=rules.printed(end.odds) if end and end.result != "lose" else None,
        net=outcome.net,
        decided_by_roll=outcome.decided_by_roll,
        clause=list(end.clauses if end else wager.clauses),
        **more,
    )


def lit_areas(
    library: Library, chosen: ChosenBook, dice: Sequence[int], before: Sequence[Sequence[int]], tables: PaytableChoices
) -> bytes:
    """Return the areas that win on these dice."""
    rules = library.load_book(chosen)
    errors = RequestErrors()
    earlier = [_parse_roll(rules, faces, f"body.before[{number}]", errors) for number, faces in enumerate(before)]
    roll_shown = _parse_roll(rules, dice, "body.dice", errors)
    errors.raise_if_any()
    progress = initial_progress(rules)
    for roll in earlier:
        progress = advance(rules, progress, roll).progress
    areas = []
    for wager_id, row in advance(rules, progress, roll_shown).ended.items():
        wager = rules.wagers[wager_id]
        odds = wager.pays[rules.paytable(wager, tables.get(wager_id))][row]
        if odds.wins:
            areas.append(wire.LitArea(wager_id, wager.name, row, rules.printed(odds)))
    payload = wire.Lit(rules.id, list(roll_shown.faces), roll_shown.total, [area.wager for area in areas], areas)
    return encode(payload)


def spread_result(
    library: Library,
    chosen: ChosenBook,
    bets: Sequence[wire.SpreadBet],
    rounds: Sequence[int],
    bins: int,
    tables: PaytableChoices,
) -> bytes:
    """Return the joint result of several wagers on the same rolls, on one round and after many."""
    rules = library.load_book(chosen)
    stakes = _stakes(bets)
    found = spread(rules, stakes, tables)
    for count in rounds:
        _check_cells(list(found.nets), count)
    payload = wire.SpreadFound(
        book=rules.id,
        stakes=dict(stakes),
        stake=found.stake,
        nets=[wire.Net(net, figure(probability)) for net, probability in found.nets.items()],
        win_probability=figure(found.win_probability),
        house_edge=figure(found.house_edge),
        variance=figure(found.variance),
        standard_deviation=found.standard_deviation,
        rounds=[_after_rounds(after_rounds(found.nets, count), bins) for count in rounds],
    )
    return encode(payload)


def session_result(library: Library, chosen: ChosenBook, request: wire.SessionAsked, tables: PaytableChoices) -> bytes:
    """Return the development of a bankroll over many rounds of the same bets, or rolls of a strategy."""
    rules = library.load_book(chosen)
    if bool(request.bets) == bool(request.rules):
        raise InputError("server.bets-or-strategy")
    stake = None
    if request.rules:
        played = [Rule(rule.wager, rule.stake, rule.at_once, rule.not_on_point, rule.on) for rule in request.rules]
        found = strategy_session(rules, strategy_of(rules, played), request.bankroll, request.rounds)
    else:
        one = spread(rules, _stakes(request.bets), tables)
        _check_cells(list(one.nets), request.rounds)
        stake = one.stake
        found = bets_session(one.nets, one.stake, request.bankroll, request.rounds)
    payload = wire.SessionFound(
        book=rules.id,
        stake=stake,
        bankroll=found.bankroll,
        rounds=found.rounds,
        method="certified" if found.error else "exact",
        error=found.error,
        mean=_chance(found.mean),
        standard_deviation=found.standard_deviation,
        ahead=_chance(found.ahead),
        ruined=_chance(found.ruined),
        expected_rounds=_chance(found.expected_rounds),
        percentiles={str(percent): found.percentile(percent) for percent in PERCENTILES},
        bins=_bins(found, request.bins),
        ruined_by=[float(chance) for chance in found.ruined_by],
    )
    return encode(payload)


def strategies_result(library: Library, chosen: ChosenBook) -> bytes:
    """Return the packaged strategies whose bets the book offers."""
    rules = library.load_book(chosen)
    offered = {name for wager in rules.wagers.values() for name in (wager.id, wager.family)}
    found = [
        wire.StrategyInfo(
            name,
            Label(en=text.says, zh=text.zh),
            [
                wire.StrategyRule(
                    bet.wager,
                    bet.stake if bet.stake == "most" else rules.cents(bet.stake),
                    bet.at_once,
                    bet.not_on_point,
                    bet.on,
                )
                for bet in text.bets
            ],
        )
        for name, text in packaged().items()
        if all(bet.wager in offered for bet in text.bets)
    ]
    return encode(wire.Strategies(rules.id, found))


def _stakes(bets: Sequence[wire.SpreadBet]) -> dict[str, Cents]:
    stakes: dict[str, Cents] = {}
    for bet in bets:
        stakes[bet.wager] = Cents(stakes.get(bet.wager, 0) + bet.stake)
    return stakes


def _check_cells(nets: list[int], rounds: int) -> None:
    low, high = min(nets), max(nets)
    step = gcd(*(net - low for net in nets)) or 1
    cells = (high - low) // step * rounds + 1
    if cells > CELLS_MAX:
        raise InputError("engine.rounds-many", rounds=f"{rounds:,}", results=f"{cells:,}", most=f"{CELLS_MAX:,}")


def _after_rounds(result: Rounds, bins: int) -> wire.AfterRounds:
    return wire.AfterRounds(
        rounds=result.rounds,
        method=result.method,
        error=result.error,
        ahead=_chance(result.ahead),
        even=_chance(result.even),
        behind=_chance(result.behind),
        percentiles={str(percent): result.percentile(percent) for percent in PERCENTILES},
        bins=_bins(result, bins),
    )


def _chance(value: Fraction | float) -> wire.Chance:
    return wire.Chance(float(value), None if isinstance(value, float) else str(value))


def _bins(result: Rounds | Session, count: int) -> list[wire.Bin]:
    """Return the results in bins of equal width; the first and the last include the tails."""
    nets = list(result.nets) if isinstance(result, Session) else result.nets
    first, last = nets.index(result.percentile(TAIL)), nets.index(result.percentile(100 - TAIL))
    cells = last - first + 1
    parts = min(count, cells)
    edges = [0, *(first + cells * part // parts for part in range(1, parts)), len(nets)]
    return [
        wire.Bin(nets[low], nets[high - 1], float(result.chance(nets[low], nets[high - 1])))
        for low, high in pairwise(edges)
    ]
