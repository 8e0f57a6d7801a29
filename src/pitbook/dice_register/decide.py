"""`decide`: from a command to the register to events or a refusal. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pitbook.dice_register import commands as c
from pitbook.dice_register import events as e
from pitbook.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection

    from pitbook.dice_register.state import Register

NAME_MAX = 60
"""The longest name of a set and the longest serial number."""
SERIALS_MAX = 12
REASON_MAX = 300


class Reason(StrEnum):
    """The reasons for refusing a command to the register."""

    WRONG_ROLE = "wrong-role"
    BAD_TEXT = "bad-text"
    DICE_REGISTER = "dice-register"
    NO_SUCH_SET = "no-such-set"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused command."""

    why: Reason
    message: Message
    asked: Message


@dataclass(frozen=True, slots=True)
class Context:
    """The actor, the time, and the roles that are allowed."""

    name: str
    role: str
    at: str
    allowed: Collection[str]


def decide(register: Register, command: c.Command, context: Context) -> tuple[e.Event, ...] | Refusal:
    """Return the events that a command leads to, or the refusal."""
    receives = isinstance(command, c.ReceiveDice)
    asked = Message("commands.house.receive-dice") if receives else Message("commands.house.retire-dice")

    def refuse(why: Reason, message: str | Message, **params: Any) -> Refusal:
        resolved = message if isinstance(message, Message) else Message(f"refusals.{message}", params)
        return Refusal(why, resolved, asked)

    if context.role not in context.allowed:
        return refuse(Reason.WRONG_ROLE, "equipment.register.role", role=context.role)
    if not is_valid_name(command.set):
        return refuse(Reason.BAD_TEXT, "equipment.name-set", most=NAME_MAX)
    record = register.sets.get(command.set)
    match command:
        case c.ReceiveDice():
            problem = name_problem(register, command.set) or serials_problem(register, command.set, command.serials)
            if record is not None:
                return refuse(Reason.DICE_REGISTER, "equipment.set-known", set=command.set)
            if problem is not None:
                return refuse(Reason.DICE_REGISTER, problem)
            return (e.DiceReceived(command.set, context.at, context.name, command.serials),)
        case c.RetireDice():
            if not command.reason.strip() or len(command.reason) > REASON_MAX:
                return refuse(Reason.BAD_TEXT, "equipment.reason", most=REASON_MAX)
            if record is None:
                return refuse(Reason.NO_SUCH_SET, "equipment.set-unknown", set=command.set)
            if record.standing == "in use":
                where = record.table or ""
                return refuse(Reason.DICE_REGISTER, "equipment.take-out-first", set=command.set, table=where)
            if record.standing == "destroyed" or record.standing == command.fate:
                return refuse(Reason.DICE_REGISTER, "equipment.set-already", set=command.set, standing=record.standing)
            return (e.DiceRetired(command.set, context.at, context.name, command.fate, command.reason),)
        case _:
            raise TypeError(f"the dice register has no command {type(command).__name__}")


def is_valid_name(text: str) -> bool:
    """Return whether a text can name a set or be a serial number."""
    return bool(text.strip()) and text == text.strip() and len(text) <= NAME_MAX and text.isprintable()


def name_problem(register: Register, name: str) -> Message | None:
    """Refuse a name that differs from another set's only by case and spaces: its lifetime would start again."""
    alike = "".join(name.split()).casefold()
    for other in register.sets:
        if other != name and "".join(other.split()).casefold() == alike:
            return Message("refusals.equipment.similar-set", {"other": other})
    return None


def serials_problem(register: Register, name: str, serials: tuple[str, ...]) -> Message | None:
    """Return what is wrong with the serial numbers of a set, or None."""
    if len(serials) > SERIALS_MAX or not all(map(is_valid_name, serials)):
        return Message("refusals.equipment.serials", {"most": SERIALS_MAX, "length": NAME_MAX})
    if len(set(serials)) != len(serials):
        return Message("refusals.equipment.serials-twice")
    if other := register.find_serial_conflict(serials, name):
        return Message("refusals.equipment.serial-of-other", {"serial": other[0], "set": other[1]})
    return None
