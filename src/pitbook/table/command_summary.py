"""Short summaries of commands for the record of refusals: "bet 5.00 on small for ann"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.money import format_amount
from pitbook.table import commands as c

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 160
"""More than this is cut: whoever asks decides how long it is."""
MOST_BETS = 3
"""More bets of one request are only counted."""

PLAIN: dict[type[c.Command], str] = {
    c.OpenTable: "open the table",
    c.ChangeSetup: "change the set-up",
    c.CloseTable: "close the table",
    c.StartShift: "start the shift {0.shift}",
    c.StartDay: "start the gaming day {0.day}",
    c.PutDice: "put the dice {0.set} into use",
    c.TakeOutDice: "take the dice {0.set} out",
    c.CheckEquipment: "check {0.equipment}",
    c.Inspect: "make the inspection {0.inspection}",
    c.TakeOver: "take the table over",
    c.LeaveTable: "leave the table",
    c.PutAwayShaker: "put the automated shaker away ({0.how})",
    c.UseShaker: "use a shaker ({0.shaker})",
    c.Repair: "put {0.equipment} back into use",
    c.MoveBet: "move the bet on {0.wager} to {0.to}",
    c.ConfirmBets: "confirm booked bets",
    c.Call: "call {0.irregularity}",
    c.Withdraw: "withdraw",
    c.Resume: "let play resume",
    c.RuleOnBet: "rule on bet {0.bet}",
    c.RuleInWords: "decide what the book does not cover",
    c.NewShooter: "give the dice to {0.shooter}",
    c.PassDice: "pass the dice",
    c.JoinRail: "join the rail",
    c.LeaveRail: "leave the rail",
    c.RefuseDice: "refuse the dice",
    c.CallNoRoll: "call no roll",
    c.Dispute: "dispute round {0.round}",
    c.SettleDispute: "settle the dispute about round {0.round}",
    c.ApproveResettlement: "approve that round {0.round} is settled anew",
    c.CollectDrop: "take the drop box away",
    c.CorrectClock: "continue at the clock's time",
    c.CommitSeed: "commit to a seed",
    c.StartCountdown: "start the countdown",
    c.GiveNonce: "put {0.nonce} into the draw",
    c.CloseBetting: "close betting",
    c.RevealSeed: "reveal the seed",
    c.ReportTumbler: "report that the electronic tumbler has failed",
    c.Pause: "hold the table",
    c.Unpause: "let the table go on",
    c.ProposeVoid: "have the round void",
    c.ApproveVoid: "approve that round {0.round} is void",
}


def asking(command: c.Command, decimals: int = 2) -> str:
    """What a command asks for, behind "asks to"; on one line, whatever names it carries.

    >>> asking(c.PlaceBets((c.Wanted("small", 500),), "ann"))
    'bet 5.00 on small for ann'
    >>> asking(c.TakeStep("roll", (3, 4)))
    'take the step roll (3-4)'
    """
    words = _words(command, decimals)
    player = getattr(command, "player", None)
    if player and not isinstance(command, c.RecordFound):
        words += f" for {player}"
    line = "".join(letter if letter.isprintable() else "?" for letter in words[: LONGEST + 1])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _words(command: c.Command, decimals: int) -> str:
    def money(amount: int) -> str:
        return format_amount(amount, decimals)

    match command:
        case c.PlaceBets(bets=bets, verbal_cash=verbal):
            return _bets(bets, decimals) + (" with cash, in words" if verbal else "")
        case c.TakeDown(wager=wager, amount=amount, kind=kind, point=point):
            where = "" if point is None else f" on {point}"
            return f"take {'the bet' if amount is None else money(amount)} off {wager}{where}{_kind(kind)}"
        case c.CallBets(how=how, wagers=wagers):
            which = ", ".join(wagers[:MOST_BETS]) if wagers else "all bets"
            return f"leave {which} to the rule" if how == "rule" else f"call {which} {how}"
        case c.RecordFound(player=player, wager=wager, amount=amount):
            return f"record {money(amount)} of {player}, found on {wager}"
        case c.BuyIn(amount=amount, colour_value=value):
            return f"change {money(amount)} into {'' if value is None else 'colour '}chips"
        case c.CashOut(amount=amount, kind=kind):
            return f"cash {money(amount)}{_kind(kind)}"
        case c.TakeStep(step=step, dice=dice):
            return f"take the step {step}" + (f" ({_dice(dice)})" if dice else "")
        case c.CorrectDice(dice=dice):
            return f"put the dice right, {_dice(dice)}"
        case c.ProposeResettlement(round=number, dice=dice):
            return f"have round {number} settled anew, by {_dice(dice)}"
        case c.Count(amount=amount, when=when):
            return f"record the {when} count, {money(amount)}"
        case c.Fill(amount=amount):
            return f"bring {money(amount)} from the cage"
        case c.Credit(amount=amount):
            return f"take {money(amount)} to the cage"
        case _:
            return PLAIN.get(type(command), type(command).__name__).format(command)


def _bets(bets: Sequence[c.Wanted], decimals: int) -> str:
    if not bets:
        return "bet nothing"
    named = [f"{format_amount(one.amount, decimals)} on {one.wager}{_kind(one.kind)}" for one in bets[:MOST_BETS]]
    more = len(bets) - len(named)
    return "bet " + ", ".join(named) + (f" and {more} more" if more else "")


def _kind(kind: str) -> str:
    return "" if kind == "cash" else f" ({kind})"


def _dice(faces: Sequence[int]) -> str:
    return "-".join(str(face) for face in faces)
