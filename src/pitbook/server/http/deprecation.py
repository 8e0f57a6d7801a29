"""Deprecated operations and parameters: marked in the description, and named in the headers of answers.

A handler says so with `opt={"deprecation": Deprecation(…)}`. The policy is in docs/guides/integrate.md.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.server.http import request_context

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

NOTICE_DAYS = 365
"""How long something is deprecated before it may be gone."""


class Deprecation(NamedTuple):
    """A deprecation: what, since when, and from when it may be removed."""

    since: date
    sunset: date
    instead: str
    """The replacement."""
    parameters: Collection[str] = ()
    """The parameters that are deprecated; none: the whole operation."""

    def announce(self, used: Iterable[str]) -> None:
        """Add headers to the current response if what is deprecated was used (RFC 9745, RFC 8594)."""
        if self.parameters and not set(self.parameters) & set(used):
            return
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        request_context.current().headers += (
            (b"deprecation", b"@%d" % since.timestamp()),
            (b"sunset", format_datetime(sunset, usegmt=True).encode()),
            (b"link", b'</api/v1/reference>; rel="deprecation"'),
        )

    def mark(self, operation: dict[str, Any]) -> None:
        """Mark an operation or its parameters in the description."""
        if not self.parameters:
            operation["deprecated"] = True
            operation["description"] = f"{operation.get('description', '')}\n\nDeprecated: {self.instead}".strip()
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in self.parameters:
                parameter["deprecated"] = True
                parameter["description"] = f"Deprecated: {self.instead}"
