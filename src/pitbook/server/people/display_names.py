"""Display names of the people whom a response mentions, for staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.people.state import People


def display_names(people: People, names: Iterable[str | None]) -> dict[str, str]:
    """Return the display names of people who have one other than their sign-in name.

    For staff only: what players see of each other is decided by the projections.
    """
    found = ((name, people.find(name)) for name in set(names) if name)
    return {name: account.shown for name, account in found if account is not None and account.shown != name}
