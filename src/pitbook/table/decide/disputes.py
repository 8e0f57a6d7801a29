"""Disputes, and resettlement of a past round by the true dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.dice import Roll
from pitbook.engine.progress import advance, initial_progress
from pitbook.engine.settle import settle
from pitbook.ledger.transfers import Leg, Transfer, move
from pitbook.money import Cents
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.settlement import RULED, rounded
from pitbook.table.decide.throws import check_throw
from pitbook.table.refusals import Reason
from pitbook.table.state import paytable_of

if TYPE_CHECKING:
    from pitbook.ledger.accounts import Account
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import BeforeRoll, Proposal, Settled


def dispute(draft: Draft, command: c.Dispute) -> None:
    _record(draft, command.round)
    if command.round in draft.table.disputed:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.past.already-disputed", round=command.round)
    if not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "tables.past.what")
    draft.emit(e.Disputed(command.round, command.words, draft.person.name))


def settle_dispute(draft: Draft, command: c.SettleDispute) -> None:
    if command.round not in draft.table.disputed:
        draft.refuse(Reason.NO_SUCH_ROUND, "tables.past.not-disputed", round=command.round)
    if not command.upheld and not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "tables.past.why-refused")
    draft.emit(e.DisputeSettled(command.round, command.words, command.upheld))


def _record(draft: Draft, number: int) -> Settled:
    found = next((record for record in draft.table.history if record.number == number), None)
    if found is None:
        draft.refuse(Reason.NO_SUCH_ROUND, "tables.past.not-kept", round=number)
    return found


def propose_resettlement(draft: Draft, command: c.ProposeResettlement) -> None:
    record = _record(draft, command.round)
    if command.round == draft.table.round.number:
        draft.refuse(Reason.NOT_NOW, "tables.past.not-over")
    if not record.dice:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.past.void", round=command.round)
    _check_same_rules(draft, command.round)
    if draft.table.craps:
        check_last_roll(draft, command.round)
    dice = check_throw(draft, command.dice)
    if dice == record.dice:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.past.same-dice")
    if command.round in draft.table.disputed:
        draft.refuse(Reason.FROZEN, "tables.past.frozen", round=command.round)
    event = e.ResettlementProposed(command.round, dice, draft.person.name, command.words)
    draft.emit(event)


def _check_same_rules(draft: Draft, number: int) -> None:
    """Check that the rules have not changed since the round, which is resettled by those it was settled by."""
    if number < draft.table.rules_since:
        draft.refuse(Reason.CONFIGURATION, "tables.past.other-rules", round=number)


def check_last_roll(draft: Draft, number: int) -> BeforeRoll:
    """Return the table before the last roll of craps; refuse where that roll can no longer be corrected."""
    table, before = draft.table, draft.table.before_roll
    if before is None or before.round != number or not before.settled:
        draft.refuse(Reason.NOT_NOW, "tables.past.last-roll-only")
    if table.round.done:
        draft.refuse(Reason.NOT_NOW, "tables.past.not-over")
    if before.changed:
        draft.refuse(Reason.NOT_NOW, "tables.past.changed-since", bet=before.changed)
    return before


def check_proposal(draft: Draft, command: c.ApproveResettlement) -> Proposal:
    """Return the proposal that a command approves; refuse someone's own, and one about a disputed round."""
    proposal = draft.table.proposal
    if proposal is None or proposal.round != command.round:
        draft.refuse(Reason.NO_SUCH_PROPOSAL, "tables.past.no-proposal", round=command.round)
    if proposal.by == draft.person.name:
        draft.refuse(Reason.OWN_ACT, "rights.second-person")
    if command.round in draft.table.disputed:
        draft.refuse(Reason.FROZEN, "tables.past.frozen", round=command.round)
    _check_same_rules(draft, command.round)
    return proposal


def approve_resettlement(draft: Draft, command: c.ApproveResettlement) -> None:
    proposal = check_proposal(draft, command)
    record = _record(draft, command.round)
    rules = draft.rules
    ended = advance(rules, initial_progress(rules), Roll.of(*proposal.dice)).ended
    irregular = {clause for rule in rules.irregularities.values() for clause in rule.clause}
    lines: list[e.Line] = []
    transfers: list[Transfer] = []
    for line in record.lines:
        if not line.honoured or line.row == RULED:
            lines.append(line)
            continue
        wager = rules.wagers[line.wager]
        row = ended[line.wager]
        settled = settle(rules, wager, Cents(line.honoured), row, paytable_of(draft.table, line.wager))
        clauses = (*settled.clauses, *(clause for clause in line.clauses if clause in irregular))
        new = e.Line(
            line.bet, line.player, line.wager, line.kind, line.stake, line.honoured, row,
            rules.printed(settled.odds), settled.net, 0, settled.capped, clauses, **rounded(settled),
        )  # fmt: skip
        lines.append(new)
        transfers += difference(draft, line, new.net, "resettled", transfers)
    draft.emit(e.Resettled(command.round, proposal.dice, tuple(lines)), *transfers)


def difference(draft: Draft, old: e.Line, net: int, why: str, before: list[Transfer]) -> list[Transfer]:
    """Pay or take back what another net makes for a player, in the chips of the stake.

    Colour chips are taken from the purse first, then cash chips; what they no longer hold is owed on the disputes
    account.
    """
    change = net - old.net
    if not change:
        return []
    legs: dict[Account, int] = {draft.float: -change}
    if change > 0:
        legs |= draft.shares(old.player, old.kind, change)
    else:
        owed, own = -change, draft.table.purses.get(old.player)
        if old.kind == "colour" and own is not None:
            purse = draft.chips(old.player, "colour")
            taken = own.whole_chips(min(owed, _balance_left(draft, purse, before)))
            legs[purse], owed = -taken, owed - taken
        cash = draft.player(old.player)
        taken = min(owed, _balance_left(draft, cash, before))
        legs |= {cash: -taken, draft.disputes: taken - owed}
    return [Transfer(f"{old.wager}: {why}", tuple(Leg(account, amount) for account, amount in legs.items() if amount))]


def reversal(draft: Draft, line: e.Line, why: str, before: list[Transfer]) -> list[Transfer]:
    """Undo how a bet was settled by a roll of craps: it lies on the layout again as before that roll.

    What the player no longer holds is owed on the disputes account.
    """
    if line.net < 0:
        return [move(f"{line.wager}: {why}", draft.float, draft.escrow, line.honoured + line.commission)]
    found = difference(draft, line, 0, why, before)
    if line.envy:
        found.append(
            _take_back(draft, f"{line.wager}: {why}", draft.dealers, draft.float, line.envy, [*before, *found])
        )
    stake = 0 if line.stays else line.honoured + line.commission
    if stake:
        owner = draft.owner(line.player, line.kind)
        found.append(_take_back(draft, f"{line.wager}: stands again", owner, draft.escrow, stake, [*before, *found]))
    return found


def _take_back(
    draft: Draft, why: str, source: Account, target: Account, amount: int, before: list[Transfer]
) -> Transfer:
    """Move an amount back; what the account no longer holds is owed on the disputes account."""
    taken = min(amount, _balance_left(draft, source, before))
    legs = {source: -taken, draft.disputes: taken - amount, target: amount}
    return Transfer(why, tuple(Leg(account, moved) for account, moved in legs.items() if moved))


def _balance_left(draft: Draft, account: Account, before: list[Transfer]) -> int:
    """Return what an account holds after transfers that are not in the draft yet; never less than nothing."""
    moved = sum(leg.amount for transfer in before for leg in transfer.legs if leg.account == account)
    return max(0, draft.context.balances.get(account, 0) + moved)
