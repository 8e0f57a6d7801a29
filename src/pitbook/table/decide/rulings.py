"""Rulings: on wagers that were not clearly placed, and on what the book does not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.bet_placement import refuse_unknown
from pitbook.table.decide.disputes import difference
from pitbook.table.decide.irregularities import FREE_RULING, return_wagers, settled_lines, void
from pitbook.table.decide.rights import need_role
from pitbook.table.decide.settlement import RULED, line_of, moves, rows_reached
from pitbook.table.evolve import evolve
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.ledger.transfers import Transfer
    from pitbook.rulebooks.text import Irregularity
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Bet, Table

UNCLEAR = "unclear-wagers"
"""The reading on which wagers a supervisor decides."""


def rule_on_bet(draft: Draft, command: c.RuleOnBet) -> None:
    found = _rule(draft, "supervisor decides")
    if found is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.ruling.no-moving")
    name, rule = found
    need_role(draft, rule.presence, rule.clause, or_above=rule.or_above)
    if name not in draft.table.round.irregularities:
        draft.refuse(Reason.NOT_NOW, "rounds.ruling.not-called", rule.clause, irregularity=rule.name)
    bet = wager_of_round(draft.table, command.bet)
    if bet is None:
        draft.refuse(Reason.NO_SUCH_BET, "bets.no-such-bet", bet=command.bet)
    _check_unclear(draft, bet, rule)
    if command.treat_as is not None and command.treat_as not in draft.rules.wagers:
        refuse_unknown(draft, command.treat_as)
    event = e.BetRuled(bet.id, command.treat_as, command.words)
    if bet.id in draft.table.bets:
        returned = return_wagers(draft, [bet], "returned by decision") if command.treat_as is None else []
        draft.emit(event, *returned)
    else:
        _rule_on_settled(draft, bet, event, rule)


def _check_unclear(draft: Draft, bet: Bet, rule: Irregularity) -> None:
    if bet.id not in draft.table.round.unclear:
        draft.refuse(
            Reason.NOT_NOW,
            "rounds.ruling.bet-not-named",
            rule.clause,
            reading=UNCLEAR,
            bet=bet.id,
            irregularity=rule.name,
        )


def _rule_on_settled(draft: Draft, bet: Bet, event: e.BetRuled, rule: Irregularity) -> None:
    """Undo how a wager was settled in this round, and settle it as it was ruled."""
    old = _settled_as(draft, bet.id)
    if event.treat_as is None:
        new = _returned_line(bet, rule.clause)
    else:
        # What counts of it depends on where the other wagers lie, and on this ruling itself.
        after = evolve(draft.table, replace(event, undone=(old,), settled=(replace(old, wager=event.treat_as),)))
        there = after.round.taken[bet.id]
        line = line_of(after, there, rows_reached(after)[there.wager])
        new = replace(line, clauses=tuple(dict.fromkeys((*line.clauses, *rule.clause))))
    money = difference(draft, old, new.net, "put right by decision", [])
    draft.emit(replace(event, undone=(old,), settled=(new,)), *money)


def rule_in_words(draft: Draft, command: c.RuleInWords) -> None:
    found = _rule(draft, "refer")
    if found is None:
        draft.refuse(Reason.NOT_IN_THE_BOOK, "rounds.ruling.no-referral")
    name, rule = found
    need_role(draft, rule.presence, rule.clause, or_above=rule.or_above)
    if not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.ruling.words", reading=FREE_RULING)
    if draft.table.automatic is not None and (command.void or command.returns or command.pays):
        draft.refuse(Reason.AUTOMATIC, "rounds.ruling.automatic")
    caller = _caller(draft, name, rule)
    if command.void and (command.returns or command.pays):
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.ruling.void-names-bets", reading=FREE_RULING)
    _settle_as_decided(draft, command, caller, rule)
    if command.void:
        void(draft)


def _caller(draft: Draft, name: str, rule: Irregularity) -> str:
    """Return who called what waits for a decision; it must be someone else than the one who decides."""
    if name not in draft.table.round.undecided:
        which = rule.name
        draft.refuse(
            Reason.NOT_NOW, "rounds.ruling.nothing-waits", rule.clause, reading=FREE_RULING, irregularity=which
        )
    caller = draft.table.round.callers.get(name, "")
    if caller == draft.person.name:
        draft.refuse(Reason.OWN_ACT, "rounds.ruling.own-call", rule.clause, reading=FREE_RULING, caller=caller)
    return caller


def _settle_as_decided(draft: Draft, command: c.RuleInWords, caller: str, rule: Irregularity) -> None:
    """Record a decision, and move its money."""
    lines = [_returned_line(bet, rule.clause) for bet in _named(draft, command.returns)]
    for award, bet in zip(command.pays, _named(draft, [one.bet for one in command.pays]), strict=True):
        if award.amount <= 0:
            draft.refuse(Reason.BAD_AMOUNT, "rounds.ruling.award", reading=FREE_RULING, bet=bet.id)
        lines.append(_awarded(bet, award.amount, rule.clause))
    numbers = [line.bet for line in lines]
    if len(set(numbers)) < len(numbers):
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.ruling.once", reading=FREE_RULING)
    undone: list[e.Line] = []
    money: list[Transfer] = []
    for line in lines:
        if line.bet in draft.table.bets:
            money += moves(draft, line)
        else:
            old = _settled_as(draft, line.bet)
            undone.append(old)
            money += difference(draft, old, line.net, "put right by decision", money)
    draft.emit(e.Ruled(command.words, caller, tuple(undone), tuple(lines), command.void), *money)


def _rule(draft: Draft, remedy: str) -> tuple[str, Irregularity] | None:
    """Return the irregularity that is decided in this way."""
    return next(((name, one) for name, one in draft.rules.irregularities.items() if one.remedy == remedy), None)


def wager_of_round(table: Table, number: int) -> Bet | None:
    """Return a wager that lies on the layout, or was collected or paid in this round."""
    return table.bets.get(number) or table.round.taken.get(number)


def _named(draft: Draft, numbers: Sequence[int]) -> list[Bet]:
    found: list[Bet] = []
    for number in numbers:
        bet = wager_of_round(draft.table, number)
        if bet is None:
            draft.refuse(Reason.NO_SUCH_BET, "bets.no-such-bet", bet=number)
        found.append(bet)
    return found


def _settled_as(draft: Draft, number: int) -> e.Line:
    return next(line for line in settled_lines(draft.table) if line.bet == number)


def _returned_line(bet: Bet, clauses: Sequence[str]) -> e.Line:
    return e.Line(
        bet.id, bet.player, bet.wager, bet.kind, bet.amount, 0, None, "returned", 0, clauses=tuple(clauses)
    )  # fmt: skip


def _awarded(bet: Bet, amount: int, clauses: Sequence[str]) -> e.Line:
    return e.Line(
        bet.id, bet.player, bet.wager, bet.kind, bet.amount, bet.amount, RULED, RULED, amount, clauses=tuple(clauses)
    )  # fmt: skip
