"""The books: what they say, how their machines look, what lights up and what is paid. Nobody need sign in."""

from typing import Annotated, Any, Literal

from litestar import Request, Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from pitbook.rulebooks.translations import house
from pitbook.server.books.library import books as all_books
from pitbook.server.books.library import choose, opened
from pitbook.server.books.queries import (
    TAGS,
    BookPath,
    Digest,
    OneWager,
    Options,
    Readings,
    Wagers,
    file_operation,
    has_it,
    heavy,
    key_of,
    named,
    quick,
    told,
)
from pitbook.server.http.response_cache import answered
from pitbook.server.presenters.books import book_list, book_page, wager_list
from pitbook.server.presenters.play import lit, settled
from pitbook.server.presenters.reports import Drawing, drawn
from pitbook.server.presenters.translations import translation
from pitbook.server.schemas.books import BookList, BookPage
from pitbook.server.schemas.play import LightAsked, Lit, SettleAsked, Settled
from pitbook.server.schemas.translations import Translation
from pitbook.server.schemas.wagers import WagerList

Asker = Request[Any, Any, Any]
Language = Annotated[
    Literal["en", "zh"],
    QueryParameter(name="lang", required=False, description="The language of words made here; names are in both."),
]
MEDIA_TYPES: dict[Drawing, str] = {
    "svg": "image/svg+xml",
    "dot": "text/vnd.graphviz",
    "mermaid": "text/plain",
    "json": "application/json",
}
ALONE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
"""Of a picture that is opened by itself: it needs nothing, and may ask for nothing."""


@get("/api/v1/books", tags=TAGS, summary="All books of the house", responses=has_it(BookList, "All books."))
async def list_books(request: Asker) -> Response[bytes]:
    """The rulebooks that come with the software, and the house's own."""
    return answered(request, await quick(("books", *all_books()), book_list))


@get(
    "/api/v1/books/{book_id:str}",
    tags=TAGS,
    summary="A whole book",
    responses=has_it(BookPage, "The book under these readings and options."),
)
async def show_book(
    request: Asker,
    book_id: BookPath,
    lang: Language = "en",
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """All that a page needs to draw a book and play it: wagers, pays, layout, procedure, readings, clauses."""

    def made() -> bytes:
        return book_page(choose(book_id, digest, reading, option), lang)

    return answered(request, await quick(key_of("book", book_id, digest, reading, option, lang), made))


@get(
    "/api/v1/books/{book_id:str}/wagers",
    tags=TAGS,
    summary="Some or all wagers of a book",
    responses=has_it(WagerList, "The wagers named, or all."),
)
async def list_wagers(
    request: Asker,
    book_id: BookPath,
    wager: Wagers = None,
    lang: Language = "en",
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """One wager by its id (`?wager=total/4`), those of a family or group, or all."""

    def made() -> bytes:
        chosen, ids, _ = named(book_id, digest, reading, option, wager, None)
        return wager_list(chosen, ids, lang)

    return answered(request, await quick(key_of("wagers", book_id, digest, reading, option, wager, lang), made))


@get(
    "/api/v1/books/{book_id:str}/machine",
    tags=TAGS,
    summary="A wager's machine as a diagram",
    responses=has_it(bytes, "The diagram; by `format` as SVG, DOT, Mermaid or JSON.", "image/svg+xml"),
    operation_class=file_operation(MEDIA_TYPES.values()),
)
async def draw_machine(
    request: Asker,
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
    """The states of a wager, what each roll does, its ends."""

    def prepare() -> tuple[Any, ...]:
        chosen = choose(book_id, digest, reading, option)
        rules = opened(chosen)
        title = house().get(rules.identity.title) if lang == "zh" else None
        return chosen, rules.wager(wager).id, drawing, lang, title

    key = key_of("machine", book_id, digest, reading, option, wager, drawing, lang)
    return answered(request, await heavy(key, prepare, drawn, media_type=MEDIA_TYPES[drawing], headers=ALONE))


@post(
    "/api/v1/books/{book_id:str}/illuminate",
    status_code=200,
    tags=TAGS,
    summary="Which areas win on these dice",
    responses=told(Lit, "The winning areas."),
    opt={"examples": {"request": {"dice": [1, 2, 3]}}},
)
async def light_up(request: Asker, book_id: BookPath, data: JSONBody[LightAsked]) -> Response[bytes]:
    """What the electrical device would light."""

    def made() -> bytes:
        chosen, _, tables = named(book_id, data.digest, data.readings, data.options, None, data.paytables)
        return lit(chosen, data.dice, data.before, tables)

    return answered(request, await quick(None, made))


@post(
    "/api/v1/books/{book_id:str}/settle",
    status_code=200,
    tags=TAGS,
    summary="What bets come to on these rolls",
    responses=told(Settled, "Every bet's outcome."),
    opt={"examples": {"request": {"bets": [{"wager": "small", "stake": 500}], "rolls": [[1, 2, 3]]}}},
)
async def settle_bets(request: Asker, book_id: BookPath, data: JSONBody[SettleAsked]) -> Response[bytes]:
    """Settles bets by the book: craps from a new shooter's come-out, Sic Bo throw by throw. No money moves."""

    def made() -> bytes:
        return settled(choose(book_id, data.digest, data.readings, data.options), data.bets, data.rolls)

    return answered(request, await quick(None, made))


@get(
    "/api/v1/translations/{lang:str}",
    tags=TAGS,
    summary="The books' sentences in another language",
    responses=has_it(Translation, "Every sentence that is translated."),
)
async def show_translation(
    request: Asker,
    lang: Annotated[Literal["zh"], PathParameter(description="The language; names have it in the books themselves.")],
) -> Response[bytes]:
    """What the house's books say, by their own English sentences. It binds nothing: the books' own words prevail."""
    packed = "gzip" in request.headers.get("accept-encoding", "")
    return answered(request, await translation(lang, packed=packed))


handlers = [show_translation, list_books, show_book, list_wagers, draw_machine, light_up, settle_bets]
