"""Commands to the register that need no table, in the imperative."""

from __future__ import annotations

from typing import Literal

import msgspec


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A command to the register."""

    set: str


class ReceiveDice(Command, frozen=True):
    """Enter a set that the house has received."""

    serials: tuple[str, ...] = ()


class RetireDice(Command, frozen=True):
    """Cancel or destroy a set that is in no shaker."""

    fate: Literal["cancelled", "destroyed"]
    reason: str


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""All commands."""
