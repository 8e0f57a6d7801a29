"""`decide`: from a command to the register to events or a refusal. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pitbook.dice_register import commands as c
from pitbook.dice_register import events as e

if TYPE_CHECKING:
    from collections.abc import Collection

    from pitbook.dice_register.state import Register

NAME_MAX = 60
"""The longest name of a set and the longest serial number."""
SERIALS_MAX = 12
REASON_MAX = 300


class Why(StrEnum):
    """The reasons for refusing a command to the register."""

    WRONG_ROLE = "wrong-role"
    BAD_TEXT = "bad-text"
    DICE_REGISTER = "dice-register"
    NO_SUCH_SET = "no-such-set"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused command."""

    why: Why
    says: str
    asked: str


@dataclass(frozen=True, slots=True)
class Context:
    """The actor, the time, and the roles that are allowed."""

    name: str
    role: str
    at: str
    allowed: Collection[str]


def decide(register: Register, command: c.Command, context: Context) -> tuple[e.Event, ...] | Refusal:
    """Return the events that a command leads to, or the refusal."""
    asked = "receive dice" if isinstance(command, c.ReceiveDice) else "retire dice"

    def refuse(why: Why, says: str) -> Refusal:
        return Refusal(why, says, asked)

    if context.role not in context.allowed:
        return refuse(Why.WRONG_ROLE, f"a manager or somebody above the dealers does this, not a {context.role}")
    if not is_valid_name(command.set):
        return refuse(Why.BAD_TEXT, f"a set of dice needs a name of at most {NAME_MAX} characters")
    record = register.sets.get(command.set)
    match command:
        case c.ReceiveDice():
            problem = name_problem(register, command.set) or serials_problem(register, command.set, command.serials)
            if record is not None:
                return refuse(Why.DICE_REGISTER, f"the set {command.set!r} is in the register already")
            if problem is not None:
                return refuse(Why.DICE_REGISTER, problem)
            return (e.DiceReceived(command.set, context.at, context.name, command.serials),)
        case c.RetireDice():
            if not command.reason.strip() or len(command.reason) > REASON_MAX:
                return refuse(Why.BAD_TEXT, f"say why, in at most {REASON_MAX} characters")
            if record is None:
                return refuse(Why.NO_SUCH_SET, f"the register has no set {command.set!r}")
            if record.standing == "in use":
                says = f"the set {command.set!r} is in use at {record.table}; take it out there first"
                return refuse(Why.DICE_REGISTER, says)
            if record.standing == "destroyed" or record.standing == command.fate:
                return refuse(Why.DICE_REGISTER, f"the set {command.set!r} is {record.standing} already")
            return (e.DiceRetired(command.set, context.at, context.name, command.fate, command.reason),)
        case _:
            raise TypeError(f"the dice register has no command {type(command).__name__}")


def is_valid_name(text: str) -> bool:
    """Return whether a text can name a set or be a serial number."""
    return bool(text.strip()) and text == text.strip() and len(text) <= NAME_MAX and text.isprintable()


def name_problem(register: Register, name: str) -> str | None:
    """Return which set has the same name except for case and spaces, whose lifetime would start again, or None."""
    alike = "".join(name.split()).casefold()
    for other in register.sets:
        if other != name and "".join(other.split()).casefold() == alike:
            return f"the register has a set {other!r}; if this is another set, give it another name"
    return None


def serials_problem(register: Register, name: str, serials: tuple[str, ...]) -> str | None:
    """Return what is wrong with the serial numbers of a set, or None."""
    if len(serials) > SERIALS_MAX or not all(map(is_valid_name, serials)):
        return f"a set has at most {SERIALS_MAX} serial numbers of at most {NAME_MAX} characters each"
    if len(set(serials)) != len(serials):
        return "two dice of a set have the same serial number"
    if other := register.find_serial_conflict(serials, name):
        return f"the die {other[0]!r} belongs to the set {other[1]!r}"
    return None
