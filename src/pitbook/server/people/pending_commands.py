"""The command that an approval holds until a second person has approved it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitbook.table import commands as c
from pitbook.table.people import Person

if TYPE_CHECKING:
    from pitbook.people.state import Approval


class PendingCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, and who has confirmed it so far."""

    command: c.AnyCommand
    expected: tuple[int, int] | None = None
    confirmed: tuple[str, ...] = ()
    """Witnesses who confirmed with a PIN."""
    witness: Person | None = None
    """The witness who has yet to confirm; whoever approves takes their place."""


_decoder = msgspec.json.Decoder(PendingCommand)


def pending_command(approval: Approval) -> PendingCommand:
    """Return the command that an approval is about."""
    return _decoder.decode(approval.command)
