"""Answer questions about a book from a cache, in a thread or in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import PathParameter, QueryParameter

from pitbook.server.books.library import run_with_books
from pitbook.server.books.selection import find_paytables, find_wagers
from pitbook.server.http.errors import RequestErrors
from pitbook.server.http.problems import MEDIA_TYPE, ProblemDetails
from pitbook.server.http.response_cache import JSON, CachedResponse, ResponseCache, etag_of_content
from pitbook.server.worker_pool import QUICK_QUERIES, WORK_SECONDS, WORKER_POOL

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from pitbook.rulebooks.editions import BookData
    from pitbook.server.books.library import ChosenBook, Library, RawChoices
    from pitbook.server.books.selection import PaytableChoices

BOOK_CACHE = ResponseCache(16_000_000)
"""Encoded books."""
RESULT_CACHE = ResponseCache(32_000_000)
"""Results of worker processes; their own cache, so that many questions do not evict the books."""

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


def responses(kind: Any, says: str, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """Return the documented responses of a route."""
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


def cacheable_responses(kind: Any, says: str, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """Return the documented responses of a route that honours `If-None-Match`."""
    return responses(kind, says, media_type) | {
        304: ResponseSpec(None, description="The asker has it already.", generate_examples=False)
    }


def file_operation(media_types: Iterable[str]) -> type[Operation]:
    """Return the OpenAPI operation of a route that answers in one of several formats."""
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


def resolve_query(
    library: Library,
    book: str,
    digest: str | None,
    readings: RawChoices,
    options: RawChoices,
    wagers: Sequence[str] | None,
    paytables: RawChoices,
) -> tuple[ChosenBook, list[str], PaytableChoices]:
    """Return the book, wagers and pay tables that a request names; raise every error at once."""
    errors = RequestErrors()
    chosen = library.choose_book(book, digest, readings, options, errors)
    rules = library.load_book(chosen)
    ids = find_wagers(rules, wagers or (), errors)
    tables = find_paytables(rules, paytables, errors)
    errors.raise_if_any()
    return chosen, ids, tables


def cache_key(library: Library, kind: str, book: str, digest: str | None, *rest: object) -> Hashable:
    """Return the key of an answer: the book's content and the question."""
    return kind, library.find_book(book, digest), *(tuple(part) if isinstance(part, list) else part for part in rest)


async def answer_in_thread(key: Hashable | None, work: Callable[[], bytes]) -> CachedResponse:
    """Return an answer that a thread computes in a moment; without a key it is not cached."""

    async def make() -> CachedResponse:
        content = await QUICK_QUERIES.work(work)
        return CachedResponse(content, etag_of_content(content))

    if key is None:
        return await make()
    return BOOK_CACHE.get(key) or await BOOK_CACHE.find(key, make)


async def answer_in_process(
    library: Library,
    key: Hashable,
    prepare: Callable[[], tuple[Any, ...]],
    function: Callable[..., bytes],
    *,
    media_type: str = JSON,
    headers: Mapping[str, str] | None = None,
    seconds: float = WORK_SECONDS,
) -> CachedResponse:
    """Return an answer that a worker process computes, after a thread has read the question."""

    async def make() -> CachedResponse:
        arguments, stored = await QUICK_QUERIES.work(_prepare_arguments, library, prepare)
        content = await WORKER_POOL.work(run_with_books, stored, function, arguments, seconds=seconds)
        return CachedResponse(content, etag_of_content(content), media_type, headers or {})

    return RESULT_CACHE.get(key) or await RESULT_CACHE.find(key, make)


def _prepare_arguments(
    library: Library, prepare: Callable[[], tuple[Any, ...]]
) -> tuple[tuple[Any, ...], list[BookData]]:
    arguments = prepare()
    several = arguments[0] if isinstance(arguments[0], list) else [arguments[0]]
    return arguments, [data for chosen in several if (data := library.editions.data_of(chosen.digest)) is not None]
