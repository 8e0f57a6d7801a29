"""What can be asked of the register without a table, in the imperative."""

from __future__ import annotations

from typing import Literal

import msgspec


class Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Something asked of the register."""

    set: str


class ReceiveDice(Command, frozen=True):
    """Enter a set that the house has received."""

    serials: tuple[str, ...] = ()


class RetireDice(Command, frozen=True):
    """Cancel or destroy a set that is in no shaker."""

    fate: Literal["cancelled", "destroyed"]
    reason: str


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
"""Every command there is."""
