"""The mathematics of the books: exact figures, other pays, comparison, many rounds, sheets. Public."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from pitbook.errors import quoted
from pitbook.reports.volatility import SheetForm
from pitbook.server.books.queries import (
    FIGURES,
    AllReadings,
    BookPath,
    Digest,
    Options,
    PayTables,
    Readings,
    Wagers,
    answer_in_process,
    cache_key,
    cacheable_responses,
    file_operation,
    resolve_query,
    responses,
)
from pitbook.server.books.selection import find_paytables, find_wagers, parse_trial_odds
from pitbook.server.http import request_context
from pitbook.server.http.errors import RequestErrors, detail
from pitbook.server.http.problems import MEDIA_TYPE, ProblemDetails
from pitbook.server.http.response_cache import respond_cached
from pitbook.server.presenters.figures import book_figures, comparison_result, design_result, lint_result, trial_figures
from pitbook.server.presenters.play import session_result, spread_result, strategies_result
from pitbook.server.presenters.reports import report_file
from pitbook.server.schemas.figures import BookFigures, Compared, Designed, Linted, TriedBook
from pitbook.server.schemas.play import (
    SessionAsked,
    SessionFound,
    SpreadAsked,
    SpreadFound,
    Strategies,
    Target,
    WhatIf,
)
from pitbook.server.services import HouseLibrary

AnyRequest = Request[Any, Any, Any]
REPORT_SECONDS = 60.0
MEDIA_TYPES: dict[SheetForm, str] = {
    "html": "text/html",
    "pdf": "application/pdf",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
REPORT_CSP = (
    "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)
"""For a sheet that is opened on its own: a separate origin, without anyone's session."""


@get(
    "/api/v1/books/{book_id:str}/analysis",
    tags=FIGURES,
    summary="Exact figures of a book's wagers",
    responses=cacheable_responses(BookFigures, "The figures, in the book's order."),
)
async def analyse_book(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    wager: Wagers = None,
    paytable: PayTables = None,
    reading: Readings = None,
    option: Options = None,
    all_readings: AllReadings = False,
    digest: Digest = None,
) -> Response[bytes]:
    """Return the chance of every end, house edge, variance, duration and break-even odds, like `pitbook analyse`."""

    def prepare() -> tuple[Any, ...]:
        return *resolve_query(library, book_id, digest, reading, option, wager, paytable), all_readings

    key = cache_key(library, "analysis", book_id, digest, reading, option, wager, paytable, all_readings)
    return respond_cached(request, await answer_in_process(library, key, prepare, book_figures))


@post(
    "/api/v1/books/{book_id:str}/analysis",
    status_code=200,
    tags=FIGURES,
    summary="Figures with other pays",
    responses=responses(TriedBook, "The figures with these pays, beside the book's."),
    opt={"examples": {"request": {"pays": {"total/4": "64 to 1", "small": {"win": "1 to 1"}}}}},
)
async def try_pays(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[WhatIf]
) -> Response[bytes]:
    """Return what other odds would do to edge and break-even, and whether the regulator's text allows them."""

    def prepare() -> tuple[Any, ...]:
        errors = RequestErrors()
        chosen = library.choose_book(book_id, data.digest, data.readings, data.options, errors)
        rules = library.load_book(chosen)
        ids = find_wagers(rules, data.wagers, errors, "body.wagers")
        tries = parse_trial_odds(rules, data.pays, errors)
        tables = find_paytables(rules, data.paytables, errors)
        errors.raise_if_any()
        return chosen, ids if data.wagers or not tries else list(tries), tables, tries

    key = cache_key(library, "what-if", book_id, data.digest, msgspec.json.encode(data))
    return respond_cached(request, await answer_in_process(library, key, prepare, trial_figures))


@post(
    "/api/v1/books/{book_id:str}/design",
    status_code=200,
    tags=FIGURES,
    summary="Pays for a house edge",
    responses=responses(Designed, "The pays that come closest, and what one step more or less would do."),
    opt={"examples": {"request": {"wager": "total/4", "target_edge": "8%"}}},
)
async def design_pays(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[Target]
) -> Response[bytes]:
    """Return the pay, or the ladder of pays, that comes closest to a house edge and other targets, with a proof."""

    def prepare() -> tuple[Any, ...]:
        chosen = library.choose_book(book_id, data.digest, data.readings, data.options)
        library.load_book(chosen).wager(data.wager)
        return chosen, data, language

    language = request_context.current().language
    key = cache_key(library, "design", book_id, data.digest, msgspec.json.encode(data), language)
    return respond_cached(request, await answer_in_process(library, key, prepare, design_result))


@get(
    "/api/v1/books/{book_id:str}/lint",
    tags=FIGURES,
    summary="What is questionable about a book's pays",
    responses=cacheable_responses(Linted, "The findings, worst first."),
)
async def lint_book(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    min_return: Annotated[
        str | None,
        QueryParameter(required=False, max_length=60, description="A floor for the return to the player, like `75%`."),
    ] = None,
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Check a book's pays by mathematics alone."""

    def prepare() -> tuple[Any, ...]:
        return library.choose_book(book_id, digest, reading, option), min_return, language

    language = request_context.current().language
    key = cache_key(library, "lint", book_id, digest, reading, option, min_return, language)
    return respond_cached(request, await answer_in_process(library, key, prepare, lint_result))


@get(
    "/api/v1/compare",
    tags=FIGURES,
    summary="The same bets in two books",
    responses=cacheable_responses(Compared, "The bets that both offer, or those named."),
)
async def compare_books(
    request: AnyRequest,
    library: HouseLibrary,
    left: Annotated[str, QueryParameter(max_length=120, description="A book's id.")],
    right: Annotated[
        str | None,
        QueryParameter(
            required=False, max_length=120, description="Another's; without it, the first one's pay tables."
        ),
    ] = None,
    wager: Annotated[
        list[str] | None,
        QueryParameter(
            name="wager", required=False, max_items=64, description="Only these bets, by an id in any book."
        ),
    ] = None,
) -> Response[bytes]:
    """Compare bets that are decided alike, whatever their names."""

    def prepare() -> tuple[Any, ...]:
        books = [library.choose_book(book) for book in dict.fromkeys(filter(None, (left, right)))]
        errors = RequestErrors()
        found = [library.load_book(book) for book in books]
        for word in wager or ():
            if not any(word in rules.wagers for rules in found):
                errors.add("query.wager", detail("field.in-no-book", wager=quoted(word)))
        errors.raise_if_any()
        return books, list(wager or ())

    key = cache_key(library, "compare", left, None, cache_key(library, "", right, None) if right else None, wager)
    return respond_cached(request, await answer_in_process(library, key, prepare, comparison_result))


@post(
    "/api/v1/books/{book_id:str}/spread",
    status_code=200,
    tags=FIGURES,
    summary="Several wagers on the same rolls, and after many rounds",
    responses=responses(SpreadFound, "The chance of every result."),
    opt={"examples": {"request": {"bets": [{"wager": "small", "stake": 500}], "rounds": [100]}}},
)
async def spread_bets(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[SpreadAsked]
) -> Response[bytes]:
    """Return the joint result of several wagers on the same rolls, once and after many rounds."""

    def prepare() -> tuple[Any, ...]:
        chosen, _, tables = resolve_query(
            library, book_id, data.digest, data.readings, data.options, None, data.paytables
        )
        return chosen, data.bets, data.rounds, data.bins, tables

    key = cache_key(library, "spread", book_id, data.digest, msgspec.json.encode(data))
    return respond_cached(request, await answer_in_process(library, key, prepare, spread_result))


@post(
    "/api/v1/books/{book_id:str}/session",
    status_code=200,
    tags=FIGURES,
    summary="A bankroll over many rounds of the same bets, or rolls of a strategy",
    responses=responses(SessionFound, "The result, the risk of ruin, and how long the money lasts."),
    opt={"examples": {"request": {"bets": [{"wager": "small", "stake": 500}], "bankroll": 10_000, "rounds": 100}}},
)
async def play_session(
    request: AnyRequest, library: HouseLibrary, book_id: BookPath, data: JSONBody[SessionAsked]
) -> Response[bytes]:
    """Return the development of a bankroll: exact where that is cheap, else with a certified error."""

    def prepare() -> tuple[Any, ...]:
        chosen, _, tables = resolve_query(
            library, book_id, data.digest, data.readings, data.options, None, data.paytables
        )
        return chosen, data, tables

    key = cache_key(library, "session", book_id, data.digest, msgspec.json.encode(data))
    return respond_cached(request, await answer_in_process(library, key, prepare, session_result))


@get(
    "/api/v1/books/{book_id:str}/strategies",
    tags=FIGURES,
    summary="Ways to play a book, for sessions",
    responses=cacheable_responses(Strategies, "The packaged strategies; none of a book without a craps hand."),
)
async def list_strategies(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Return the packaged strategies whose bets the book offers, each as the rules that a session takes."""

    def prepare() -> tuple[Any, ...]:
        return (library.choose_book(book_id, digest, reading, option),)

    key = cache_key(library, "strategies", book_id, digest, reading, option)
    return respond_cached(request, await answer_in_process(library, key, prepare, strategies_result))


@get(
    "/api/v1/books/{book_id:str}/report",
    tags=FIGURES,
    summary="The sheet of a book's figures, as a file",
    responses=cacheable_responses(
        bytes, "The file; by `format` a page, a PDF, a workbook, CSV or JSON.", "application/pdf"
    )
    | {501: ResponseSpec(ProblemDetails, description="This house cannot make sheets.", media_type=MEDIA_TYPE)},
    operation_class=file_operation(MEDIA_TYPES.values()),
)
async def make_report(
    request: AnyRequest,
    library: HouseLibrary,
    book_id: BookPath,
    form: Annotated[
        SheetForm, QueryParameter(name="format", required=False, description="A page, a PDF, or data.")
    ] = "html",
    wager: Wagers = None,
    paytable: PayTables = None,
    reading: Readings = None,
    option: Options = None,
    all_readings: AllReadings = False,
    digest: Digest = None,
) -> Response[bytes]:
    """Return the sheet that a test laboratory would file, dated today."""
    today = datetime.now(UTC).date()

    def prepare() -> tuple[Any, ...]:
        return *resolve_query(library, book_id, digest, reading, option, wager, paytable), all_readings, form, today

    key = cache_key(library, "report", book_id, digest, reading, option, wager, paytable, all_readings, form, today)
    headers = {
        "Content-Disposition": f'attachment; filename="{book_id}.{form}"',
        "Content-Security-Policy": REPORT_CSP,
        "X-Content-Type-Options": "nosniff",
    }
    page = await answer_in_process(
        library, key, prepare, report_file, media_type=MEDIA_TYPES[form], headers=headers, seconds=REPORT_SECONDS
    )
    return respond_cached(request, page)


handlers = [
    *(analyse_book, try_pays, design_pays, lint_book, compare_books, spread_bets),
    *(play_session, list_strategies, make_report),
]
