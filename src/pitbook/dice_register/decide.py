"""`decide`: what follows from a command to the register, or why it is refused. Pure."""

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
"""So long a set's name, a serial number and a reason may be."""
SERIALS_MAX = 12
REASON_MAX = 300


class Why(StrEnum):
    """Every reason for which the register refuses a command."""

    WRONG_ROLE = "wrong-role"
    BAD_TEXT = "bad-text"
    DICE_REGISTER = "dice-register"
    NO_SUCH_SET = "no-such-set"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out."""

    why: Why
    says: str
    asked: str


@dataclass(frozen=True, slots=True)
class Context:
    """Who asks, in which role, when, and which roles may ask."""

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
    if not is_name(command.set):
        return refuse(Why.BAD_TEXT, f"a set of dice needs a name of at most {NAME_MAX} characters")
    record = register.sets.get(command.set)
    match command:
        case c.ReceiveDice():
            wrong = name_wrong(register, command.set) or serials_wrong(register, command.set, command.serials)
            if record is not None:
                return refuse(Why.DICE_REGISTER, f"the set {command.set!r} is in the register already")
            if wrong is not None:
                return refuse(Why.DICE_REGISTER, wrong)
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


def is_name(text: str) -> bool:
    """Whether a text can name a set or be a serial number."""
    return bool(text.strip()) and text == text.strip() and len(text) <= NAME_MAX and text.isprintable()


def name_wrong(register: Register, name: str) -> str | None:
    """Say which set has the same name but for capitals and spaces; None if no other has. Its time would start again."""
    alike = "".join(name.split()).casefold()
    for other in register.sets:
        if other != name and "".join(other.split()).casefold() == alike:
            return f"the register has a set {other!r}; if this is another set, give it another name"
    return None


def serials_wrong(register: Register, name: str, serials: tuple[str, ...]) -> str | None:
    """Say what is wrong with the serial numbers of a set; None if nothing is."""
    if len(serials) > SERIALS_MAX or not all(map(is_name, serials)):
        return f"a set has at most {SERIALS_MAX} serial numbers of at most {NAME_MAX} characters each"
    if len(set(serials)) != len(serials):
        return "two dice of a set have the same serial number"
    if other := register.other_with(serials, name):
        return f"the die {other[0]!r} belongs to the set {other[1]!r}"
    return None
