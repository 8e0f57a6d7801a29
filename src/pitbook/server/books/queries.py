"""Answer questions about a book: from the cache at once, otherwise by a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import PathParameter, QueryParameter

from pitbook.server.books.library import at_desk, choose, find, opened
from pitbook.server.books.selection import chosen_paytables, named_wagers
from pitbook.server.http.errors import RequestErrors
from pitbook.server.http.problems import MEDIA_TYPE, ProblemDetails
from pitbook.server.http.response_cache import JSON, CachedResponse, ResponseCache, etag_of_content
from pitbook.server.worker_pool import COUNTER, OFFICE, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from pitbook.server.books.library import Chosen, Given, Kept
    from pitbook.server.books.selection import Tables

BOOKS = ResponseCache(16_000_000)
"""Books as this process has told them."""
FOUND = ResponseCache(32_000_000)
"""What the back office has worked out for this process; no flood of questions drives the books out."""

TAGS = ["books"]
FIGURES = ["mathematics"]
BookPath = Annotated[str, PathParameter(description="The book's id.", max_length=120)]
Digest = Annotated[
    str | None,
    QueryParameter(name="digest", required=False, max_length=64, description="That very content of the book."),
]
Readings = Annotated[
    list[str] | None,
    QueryParameter(
        name="reading",
        required=False,
        max_items=64,
        description="A reading as `name:choice`; repeatable.",
    ),
]
Options = Annotated[
    list[str] | None,
    QueryParameter(
        name="option",
        required=False,
        max_items=64,
        description="A house option as `name:choice`; `groups:a,b` offers only those groups. Repeatable.",
    ),
]
Wagers = Annotated[
    list[str] | None,
    QueryParameter(
        name="wager",
        required=False,
        max_items=64,
        description="A wager's id, a family or a group; all wagers unless named. Repeatable.",
    ),
]
OneWager = Annotated[str, QueryParameter(name="wager", max_length=120, description="A wager's id, like `total/4`.")]
PayTables = Annotated[
    list[str] | None,
    QueryParameter(
        name="paytable",
        required=False,
        max_items=64,
        description="A pay table for all wagers that have it, or as `wager:name`. Repeatable.",
    ),
]
AllReadings = Annotated[
    bool,
    QueryParameter(name="all_readings", required=False, description="Under every reading that matters to a wager."),
]


def told(kind: Any, says: str, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """What a route answers, for the reference."""
    trouble = {
        400: "Something in the question is wrong; `errors` has every place.",
        404: "There is no such book.",
        503: "Too much is asked at once, or this took too long.",
    }
    return {
        200: ResponseSpec(kind, description=says, media_type=media_type, generate_examples=False),
        **{
            status: ResponseSpec(ProblemDetails, description=why, media_type=MEDIA_TYPE, generate_examples=False)
            for status, why in trouble.items()
        },
    }


def has_it(kind: Any, says: str, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """The same of a route that knows `If-None-Match`."""
    return told(kind, says, media_type) | {
        304: ResponseSpec(None, description="The asker has it already.", generate_examples=False)
    }


def file_operation(media_types: Iterable[str]) -> type[Operation]:
    """The reference's entry for a route that answers in one of several formats."""
    kinds = tuple(media_types)

    @dataclass
    class FileOperation(Operation):
        def __post_init__(self) -> None:
            found = (self.responses or {}).get("200")
            if isinstance(found, OpenAPIResponse):
                found.content = {
                    kind: OpenAPIMediaType(Schema(type=OpenAPIType.OBJECT if kind == JSON else OpenAPIType.STRING))
                    for kind in kinds
                }

    return FileOperation


def named(
    book: str,
    digest: str | None,
    readings: Given,
    options: Given,
    wagers: Sequence[str] | None,
    paytables: Given,
) -> tuple[Chosen, list[str], Tables]:
    """What a question names, found in the library; every mistake at once."""
    wrongs = RequestErrors()
    chosen = choose(book, digest, readings, options, wrongs)
    rules = opened(chosen)
    ids = named_wagers(rules, wagers or (), wrongs)
    tables = chosen_paytables(rules, paytables, wrongs)
    wrongs.tell()
    return chosen, ids, tables


def key_of(kind: str, book: str, digest: str | None, *rest: object) -> Hashable:
    """What an answer is kept under: the book's content and the question as it was asked."""
    return kind, find(book, digest), *(tuple(part) if isinstance(part, list) else part for part in rest)


async def quick(key: Hashable | None, work: Callable[[], bytes]) -> CachedResponse:
    """An answer that the counter works out in a moment; without a key it is not kept."""

    async def make() -> CachedResponse:
        content = await COUNTER.work(work)
        return CachedResponse(content, etag_of_content(content))

    if key is None:
        return await make()
    return BOOKS.get(key) or await BOOKS.find(key, make)


async def heavy(
    key: Hashable,
    prepare: Callable[[], tuple[Any, ...]],
    function: Callable[..., bytes],
    *,
    media_type: str = JSON,
    headers: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> CachedResponse:
    """An answer that the back office works out: what is asked is read here, and worked on over there."""

    async def make() -> CachedResponse:
        arguments, kept = await COUNTER.work(_prepared, prepare)
        content = await OFFICE.work(at_desk, kept, function, arguments, seconds=seconds)
        return CachedResponse(content, etag_of_content(content), media_type, headers or {})

    return FOUND.get(key) or await FOUND.find(key, make)


def _prepared(prepare: Callable[[], tuple[Any, ...]]) -> tuple[tuple[Any, ...], list[Kept]]:
    arguments = prepare()
    several = arguments[0] if isinstance(arguments[0], list) else [arguments[0]]
    return arguments, [kept for chosen in several if (kept := chosen.kept) is not None]
