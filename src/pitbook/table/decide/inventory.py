"""The table's inventory: counts, fills, credits and the drop, each with a second person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.ledger.transfers import move
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import second_person
from pitbook.table.refusals import Reason
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft


def count(draft: Draft, command: c.Count) -> None:
    second_person(draft, command.second)
    if not idle(draft.table):
        draft.refuse(Reason.NOT_NOW, "chips.count-between-rounds")
    if command.amount < 0:
        draft.refuse(Reason.BAD_AMOUNT, "chips.negative-count")
    draft.emit(e.Counted(command.when, command.amount, draft.holds(draft.float), command.second))


def fill(draft: Draft, command: c.Fill) -> None:
    second_person(draft, command.second)
    if command.amount <= 0:
        draft.refuse(Reason.BAD_AMOUNT, "chips.amount")
    draft.emit(e.Filled(command.amount, command.second), move("fill", draft.cage, draft.float, command.amount))


def credit(draft: Draft, command: c.Credit) -> None:
    second_person(draft, command.second)
    if command.amount <= 0 or command.amount > draft.holds(draft.float):
        draft.refuse(Reason.BAD_AMOUNT, "chips.credit", held=draft.money(draft.holds(draft.float)))
    draft.emit(e.Credited(command.amount, command.second), move("credit", draft.float, draft.cage, command.amount))


def collect_drop(draft: Draft, command: c.CollectDrop) -> None:
    second_person(draft, command.second)
    held = draft.holds(draft.drop)
    if held <= 0:
        draft.refuse(Reason.NOTHING_TO_DO, "chips.drop-empty")
    draft.emit(e.DropCollected(held, command.second), move("drop", draft.drop, draft.cage, held))
