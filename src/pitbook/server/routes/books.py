"""The books: contents, diagrams, winning areas and settlements. Public."""

from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.params import JSONBody, QueryParameter

from pitbook.server.books.queries import (
    TAGS,
    BookPath,
    Digest,
    OneWager,
    Options,
    Readings,
    Wagers,
    answer_in_process,
    answer_in_thread,
    cache_key,
    cacheable_responses,
    file_operation,
    resolve_query,
    responses,
)
from pitbook.server.books.scripts import SentLanguage
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.response_cache import respond_cached
from pitbook.server.presenters.books import book_list, book_page, wager_list
from pitbook.server.presenters.play import lit_areas, settle_result
from pitbook.server.presenters.reports import Drawing, diagram_file
from pitbook.server.schemas.books import BookList, BookPage
from pitbook.server.schemas.play import LightAsked, Lit, SettleAsked, Settled
from pitbook.server.schemas.wagers import WagerList
from pitbook.server.services import HouseLibrary

AnyRequest = Request[Any, Any, Any]
Language = Annotated[
    SentLanguage,
    QueryParameter(name="lang", required=False, description="The language of words made here; names are in both."),
]
MEDIA_TYPES: dict[Drawing, str] = {
    "svg": "image/svg+xml",
    "dot": "text/vnd.graphviz",
    "mermaid": "text/plain",
    "json": "application/json",
}
PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
"""For a picture that is opened on its own: it may load nothing."""


@get(
    "/api/v1/books", tags=TAGS, summary="All books of the house", responses=cacheable_responses(BookList, "All books.")
)
async def list_books(
    request: AnyRequest, library: HouseLibrary, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Response[bytes]:
    """List the packaged rulebooks and the house's own."""
    names = take_page(library.list_books(), lambda one: one.book, after, limit)
    return respond_cached(request, await answer_in_thread(("books", *names), lambda: book_list(library, names)))


@get(
    "/api/v1/books/{book_id:str}",
    tags=TAGS,
    summary="A whole book",
    responses=cacheable_responses(BookPage, "The book under these readings and options."),
)
async def show_book(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    lang: Language = "en",
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Return all that a page needs to show and play a book: wagers, pays, layout, procedure, readings, clauses."""

    def work() -> bytes:
        chosen = library.choose_book(book_id, digest, reading, option)
        return book_page(library.load_book(chosen), lang)

    return respond_cached(
        request, await answer_in_thread(cache_key(library, "book", book_id, digest, reading, option, lang), work)
    )


@get(
    "/api/v1/books/{book_id:str}/wagers",
    tags=TAGS,
    summary="Some or all wagers of a book",
    responses=cacheable_responses(WagerList, "The wagers named, or all."),
)
async def list_wagers(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    wager: Wagers = None,
    lang: Language = "en",
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Return one wager by its id (`?wager=total/4`), those of a family or group, or all."""

    def work() -> bytes:
        chosen, ids, _ = resolve_query(library, book_id, digest, reading, option, wager, None)
        return wager_list(library.load_book(chosen), ids, lang)

    return respond_cached(
        request,
        await answer_in_thread(cache_key(library, "wagers", book_id, digest, reading, option, wager, lang), work),
    )


@get(
    "/api/v1/books/{book_id:str}/machine",
    tags=TAGS,
    summary="A wager's machine as a diagram",
    responses=cacheable_responses(bytes, "The diagram; by `format` as SVG, DOT, Mermaid or JSON.", "image/svg+xml"),
    operation_class=file_operation(MEDIA_TYPES.values()),
)
async def draw_machine(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    wager: OneWager,
    drawing: Annotated[
        Drawing, QueryParameter(name="format", required=False, description="As what it is drawn.")
    ] = "svg",
    lang: Language = "en",
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Return the states of a wager, what each roll does, and its ends."""

    def prepare() -> tuple[Any, ...]:
        chosen = library.choose_book(book_id, digest, reading, option)
        rules = library.load_book(chosen)
        return chosen, rules.wager(wager).id, drawing, lang

    key = cache_key(library, "machine", book_id, digest, reading, option, wager, drawing, lang)
    return respond_cached(
        request,
        await answer_in_process(
            library, key, prepare, diagram_file, media_type=MEDIA_TYPES[drawing], headers=PICTURE_HEADERS
        ),
    )


@post(
    "/api/v1/books/{book_id:str}/illuminate",
    status_code=200,
    tags=TAGS,
    summary="Which areas win on these dice",
    responses=responses(Lit, "The winning areas."),
    opt={"examples": {"request": {"dice": [1, 2, 3]}}},
)
async def illuminate_layout(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[LightAsked]
) -> Response[bytes]:
    """Return the areas that the electrical device would light."""

    def work() -> bytes:
        chosen, _, tables = resolve_query(
            library, book_id, data.digest, data.readings, data.options, None, data.paytables
        )
        return lit_areas(library, chosen, data.dice, data.before, tables)

    return respond_cached(request, await answer_in_thread(None, work))


@post(
    "/api/v1/books/{book_id:str}/settle",
    status_code=200,
    tags=TAGS,
    summary="What bets come to on these rolls",
    responses=responses(Settled, "Every bet's outcome."),
    opt={"examples": {"request": {"bets": [{"wager": "small", "stake": 500}], "rolls": [[1, 2, 3]]}}},
)
async def settle_bets(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[SettleAsked]
) -> Response[bytes]:
    """Settle bets by the book: craps from a new shooter's come-out, Sic Bo throw by throw. No money moves."""

    def work() -> bytes:
        chosen = library.choose_book(book_id, data.digest, data.readings, data.options)
        return settle_result(library, chosen, data.bets, data.rolls, data.acts)

    return respond_cached(request, await answer_in_thread(None, work))


handlers = [list_books, show_book, list_wagers, draw_machine, illuminate_layout, settle_bets]
