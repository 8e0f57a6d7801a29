"""Pages of lists: one `limit`, one cursor `after`, and a `Link` to the next page, the same for every list."""

from __future__ import annotations

from itertools import dropwhile, islice
from typing import TYPE_CHECKING, Annotated, TypeVar
from urllib.parse import parse_qsl, urlencode

from litestar.params import QueryParameter

from pitbook.errors import quoted
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Item = TypeVar("Item")

PAGE_MAX = 500
PageSize = Annotated[
    int, QueryParameter(name="limit", required=False, ge=1, le=PAGE_MAX, description="How many to return at most.")
]
Cursor = Annotated[
    str | None,
    QueryParameter(
        name="after",
        required=False,
        min_length=1,
        max_length=200,
        description="The cursor of the next page, from the `Link` of the one before; none for the first page.",
    ),
]


def take_page(items: Iterable[Item], key: Callable[[Item], str], after: str | None, limit: int) -> list[Item]:
    """Return the items after the one with this key, and link the next page if there are more."""
    rest = iter(items)
    if after is not None:
        rest = dropwhile(lambda one: key(one) != after, rest)
        if next(rest, None) is None:
            raise Problem("bad-request", detail("no-cursor", cursor=quoted(after)))
    page = list(islice(rest, limit + 1))
    if len(page) > limit:
        link_next(key(page[limit - 1]))
    return page[:limit]


def link_next(cursor: str | int | None) -> None:
    """Name the next page in the `Link` header of the current response, if there is one."""
    if cursor is None:
        return
    context = request_context.current()
    parameters = [
        pair for pair in parse_qsl(context.query, keep_blank_values=True) if pair[0] not in ("after", "below")
    ]
    address = f"{context.path}?{urlencode([*parameters, ('after', cursor)])}"
    context.headers.append((b"link", f'<{address}>; rel="next"'.encode("ascii", "ignore")))
