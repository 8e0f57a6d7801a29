"""Summaries of refused commands, for the record: "bet S$5 on Small for ann"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.messages import Message, Money
from pitbook.messages.values import NO_CURRENCY
from pitbook.rulebooks.text import Label
from pitbook.table import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pitbook.table.state import Table

LONGEST = 80
"""Longer names are cut: the sender of a command chooses their length."""
BETS_MAX = 3
"""Further bets of a request are only counted."""

PLAIN: dict[type[c.Command], tuple[str, tuple[str, ...]]] = {
    c.OpenTable: ("table.open", ()),
    c.ChangeSetup: ("table.change-setup", ()),
    c.CloseTable: ("table.close", ()),
    c.StartShift: ("table.start-shift", ("shift",)),
    c.StartDay: ("table.start-day", ("day",)),
    c.PutDice: ("table.put-dice", ("set",)),
    c.TakeOutDice: ("table.take-out-dice", ("set",)),
    c.Inspect: ("table.inspect", ("inspection",)),
    c.TakeOver: ("table.take-over", ()),
    c.LeaveTable: ("table.leave", ()),
    c.PutAwayShaker: ("table.put-away-shaker", ("how",)),
    c.UseShaker: ("table.use-shaker", ("shaker",)),
    c.CollectDrop: ("table.collect-drop", ()),
    c.CorrectClock: ("table.correct-clock", ()),
    c.CallBets: ("play.call-bets", ("how",)),
    c.ConfirmBets: ("play.confirm", ()),
    c.Withdraw: ("play.withdraw", ()),
    c.NewShooter: ("play.shooter", ("shooter",)),
    c.PassDice: ("play.pass", ()),
    c.JoinRail: ("play.join-rail", ()),
    c.LeaveRail: ("play.leave-rail", ()),
    c.RefuseDice: ("play.refuse-dice", ()),
    c.CallNoRoll: ("play.no-roll", ()),
    c.Resume: ("irregular.resume", ()),
    c.RuleOnBet: ("irregular.rule", ("bet",)),
    c.RuleInWords: ("irregular.decide", ()),
    c.Dispute: ("irregular.dispute", ("round",)),
    c.SettleDispute: ("irregular.settle-dispute", ("round",)),
    c.ApproveResettlement: ("irregular.approve-resettlement", ("round",)),
    c.ProposeVoid: ("irregular.propose-void", ()),
    c.ApproveVoid: ("irregular.approve-void", ("round",)),
    c.CommitSeed: ("automatic.commit-seed", ()),
    c.StartCountdown: ("automatic.start-countdown", ()),
    c.GiveNonce: ("automatic.nonce", ("nonce",)),
    c.CloseBetting: ("automatic.close-betting", ()),
    c.RevealSeed: ("automatic.reveal-seed", ()),
    c.ReportTumbler: ("automatic.report-tumbler", ()),
    c.Pause: ("automatic.pause", ()),
    c.Unpause: ("automatic.unpause", ()),
}
"""The message of a command, and the fields that are its parameters."""


def summarise(command: c.Command, table: Table) -> Message:
    """Return a summary of a command; names in it are on one line and not too long.

    >>> from pitbook.table.state import Table
    >>> summarise(c.NewShooter("ann"), Table("t1")).text()
    'give the dice to ann'
    """
    found = _Summary(table).of(command)
    player = getattr(command, "player", None)
    if player and not isinstance(command, c.RecordFound):
        return Message("commands.for", {"command": found, "player": _clip(player)})
    return found


def _say(id: str, /, **params: Any) -> Message:  # noqa: A002
    return Message(f"commands.{id}", params)


class _Summary:
    """Summaries in the words and the money of a table; one that has never been open has neither."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rules = table.rules if table.setup else None

    def of(self, command: c.Command) -> Message:
        kind = type(command)
        if kind in PLAIN:
            id, fields = PLAIN[kind]  # noqa: A001
            return _say(id, **{name: _clip(getattr(command, name)) for name in fields})
        write = WITH_MORE.get(kind)
        return write(self, command) if write else _say("other", command=kind.__name__)

    def bets(self, command: c.PlaceBets) -> Message:
        if not command.bets:
            return _say("play.bet-nothing")
        stakes = list(self._stakes(command.bets))
        more = len(command.bets) - BETS_MAX
        if more > 0:
            stakes.append(_say("play.more", count=more))
        return _say("play.bet-words" if command.verbal_cash else "play.bet", bets=tuple(stakes))

    def _stakes(self, bets: Sequence[c.BetRequest]) -> list[Message]:
        parts: list[Message] = []
        for one in bets[:BETS_MAX]:
            if parts:
                parts.append(_say("play.next"))
            params = {"amount": self._money(one.amount), "area": self._area(one.wager), "kind": _kind(one.kind)}
            parts.append(Message("events.common.on", params))
        return parts

    def take_down(self, command: c.TakeDown) -> Message:
        area = self._area(command.wager)
        if command.amount is None:
            return _say("play.take-down-all", area=area)
        return _say("play.take-down", area=area, amount=self._money(command.amount))

    def move(self, command: c.MoveBet) -> Message:
        return _say("play.move", area=self._area(command.wager), to=self._area(command.to))

    def found(self, command: c.RecordFound) -> Message:
        params = {"amount": self._money(command.amount), "area": self._area(command.wager)}
        return _say("play.found", player=_clip(command.player), **params)

    def buy_in(self, command: c.BuyIn) -> Message:
        kind = "play.buy-in" if command.colour_value is None else "play.buy-in-colour"
        return _say(kind, amount=self._money(command.amount))

    def cash_out(self, command: c.CashOut) -> Message:
        return _say("play.cash-out", amount=self._money(command.amount), kind=_kind(command.kind))

    def step(self, command: c.TakeStep) -> Message:
        steps = self._rules.procedure.round if self._rules else ()
        act = next((step.act for step in steps if step.id == command.step), None)
        what = {"step": _clip(command.step)} if act is None else {"act": act}
        kind = "play.step" if act is None else "play.act"
        if not command.dice:
            return _say(kind, **what)
        return _say(f"{kind}-dice", dice=_dice(command.dice), **what)

    def check(self, command: c.CheckEquipment) -> Message:
        return _say("table.check", thing=self._thing(command.equipment))

    def repair(self, command: c.Repair) -> Message:
        return _say("table.repair", thing=self._thing(command.equipment))

    def call(self, command: c.Call) -> Message:
        rule = self._rules.irregularities.get(command.irregularity) if self._rules else None
        return _say("irregular.call", irregularity=rule.name if rule else _label(command.irregularity))

    def correct_dice(self, command: c.CorrectDice) -> Message:
        return _say("irregular.correct-dice", dice=_dice(command.dice))

    def resettlement(self, command: c.ProposeResettlement) -> Message:
        return _say("irregular.propose-resettlement", round=command.round, dice=_dice(command.dice))

    def count(self, command: c.Count) -> Message:
        return _say("table.count", when=command.when, amount=self._money(command.amount))

    def fill(self, command: c.Fill) -> Message:
        return _say("table.fill", amount=self._money(command.amount))

    def credit(self, command: c.Credit) -> Message:
        return _say("table.credit", amount=self._money(command.amount))

    def _money(self, amount: int) -> Money:
        return Money(amount, self._table.money if self._table.setup else NO_CURRENCY)

    def _area(self, wager: str) -> Label:
        known = self._rules.every.get(wager) if self._rules else None
        return known.name if known else _label(wager)

    def _thing(self, equipment: str) -> Label:
        known = self._rules.equipment.get(equipment) if self._rules else None
        return known.name if known else _label(equipment)


WITH_MORE: dict[type[c.Command], Callable[[_Summary, Any], Message]] = {
    c.PlaceBets: _Summary.bets,
    c.TakeDown: _Summary.take_down,
    c.MoveBet: _Summary.move,
    c.RecordFound: _Summary.found,
    c.BuyIn: _Summary.buy_in,
    c.CashOut: _Summary.cash_out,
    c.TakeStep: _Summary.step,
    c.CheckEquipment: _Summary.check,
    c.Repair: _Summary.repair,
    c.Call: _Summary.call,
    c.CorrectDice: _Summary.correct_dice,
    c.ProposeResettlement: _Summary.resettlement,
    c.Count: _Summary.count,
    c.Fill: _Summary.fill,
    c.Credit: _Summary.credit,
}
"""Commands whose summary needs names or amounts of the table."""


def _clip(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    line = "".join(letter if letter.isprintable() else "?" for letter in value[: LONGEST + 1])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _label(name: str) -> Label:
    return Label(en=_clip(name), zh=_clip(name))


def _kind(kind: str) -> tuple[Message, ...]:
    return () if kind == "cash" else (Message("events.common.kind", {"kind": kind}),)


def _dice(faces: Sequence[int]) -> str:
    return _clip("-".join(str(face) for face in faces[:LONGEST]))  # type: ignore[no-any-return]
