"""Display names of the people whom a response mentions, for staff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.people.state import People

Names = Annotated[
    dict[str, str],
    Meta(
        description="As the house knows those who are named here, by sign-in name; who is shown as that is left out.",
        examples=[{"ann": "Ann Lee"}],
    ),
]


def names_of(people: People, names: Iterable[str | None]) -> dict[str, str]:
    """Those who are shown by another name than they sign in with; the software itself has no account.

    For staff only: what players learn of one another goes through the projections.
    """
    found = ((name, people.find(name)) for name in set(names) if name)
    return {name: account.shown for name, account in found if account is not None and account.shown != name}
