"""The roles that can be granted: the house's own, and those of the packaged books and of the tables' books."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pitbook.rulebooks.catalogue import SHIPPED, load
from pitbook.server.schemas.people import RoleInfo
from pitbook.table.people import HOUSE_ROLES, is_staff, rank

if TYPE_CHECKING:
    from pitbook.house.house import House
    from pitbook.rulebooks.model import Rulebook


def grantable_roles(house: House) -> list[RoleInfo]:
    """Return all roles; reads tables and books, so call it in a thread."""
    books: dict[str, tuple[Rulebook, list[str]]] = {book: (load(book), []) for book in SHIPPED}
    for name in house.tables():
        table = house.table(name)
        if table.setup is not None:
            with suppress(ValueError):  # a licensee's book that is missing; its table does not run either
                books.setdefault(table.setup.book, (table.rules, []))[1].append(name)
    found: dict[str, RoleInfo] = {}
    ranks: dict[str, int] = {}
    for rules, tables in books.values():
        for role, one in rules.roles.items():
            before = found.get(role)
            at = sorted({*tables, *(before.tables if before else ())})
            label = before.name if before else one.name.model_dump()
            found[role] = RoleInfo(role, label, house=False, staff=is_staff(rules, role), tables=at)
            here = rank(rules, role)
            ranks[role] = max(here, ranks.get(role, here))
    own = [RoleInfo(role, None, house=True, staff=False, tables=[]) for role in HOUSE_ROLES]
    return [*own, *sorted(found.values(), key=lambda one: (ranks[one.role], one.role))]
