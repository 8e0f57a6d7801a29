"""The mathematics of the books: exact figures, other pays, comparison, many rounds, sheets. Nobody need sign in."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from pitbook.server.books.library import choose, opened
from pitbook.server.books.queries import (
    FIGURES,
    AllReadings,
    BookPath,
    Digest,
    Options,
    PayTables,
    Readings,
    Wagers,
    file_operation,
    has_it,
    heavy,
    key_of,
    named,
    told,
)
from pitbook.server.books.selection import chosen_paytables, named_wagers, tried_odds
from pitbook.server.http.errors import RequestErrors
from pitbook.server.http.problems import MEDIA_TYPE, ProblemDetails
from pitbook.server.http.response_cache import answered
from pitbook.server.presenters.figures import book_figures, compared, designed, linted, tried_figures
from pitbook.server.presenters.play import spread_out
from pitbook.server.presenters.reports import ReportForm, report
from pitbook.server.schemas.figures import BookFigures, Compared, Designed, Linted, TriedBook
from pitbook.server.schemas.play import SpreadAsked, SpreadFound, Target, WhatIf

Asker = Request[Any, Any, Any]
REPORT_SECONDS = 60.0
MEDIA_TYPES: dict[ReportForm, str] = {
    "html": "text/html",
    "pdf": "application/pdf",
    "csv": "text/csv",
    "json": "application/json",
}
ALONE = (
    "sandbox allow-scripts; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)
"""Of a sheet that is opened by itself: an origin of its own, which knows nobody's session."""


@get(
    "/api/v1/books/{book_id:str}/analysis",
    tags=FIGURES,
    summary="Exact figures of a book's wagers",
    responses=has_it(BookFigures, "The figures, in the book's order."),
)
async def analyse_book(
    request: Asker,
    book_id: BookPath,
    wager: Wagers = None,
    paytable: PayTables = None,
    reading: Readings = None,
    option: Options = None,
    all_readings: AllReadings = False,
    digest: Digest = None,
) -> Response[bytes]:
    """Chance of every end, house edge, variance, duration and break-even odds: the figures of `pitbook analyse`."""

    def prepare() -> tuple[Any, ...]:
        return *named(book_id, digest, reading, option, wager, paytable), all_readings

    key = key_of("analysis", book_id, digest, reading, option, wager, paytable, all_readings)
    return answered(request, await heavy(key, prepare, book_figures))


@post(
    "/api/v1/books/{book_id:str}/analysis",
    status_code=200,
    tags=FIGURES,
    summary="Figures with other pays",
    responses=told(TriedBook, "The figures with these pays, beside the book's."),
    opt={"examples": {"request": {"pays": {"total/4": "64 to 1", "small": {"win": "1 to 1"}}}}},
)
async def try_pays(request: Asker, book_id: BookPath, data: JSONBody[WhatIf]) -> Response[bytes]:
    """What other odds would do: edge, break-even, difference to the book, and whether the regulator's text is kept."""

    def prepare() -> tuple[Any, ...]:
        wrongs = RequestErrors()
        chosen = choose(book_id, data.digest, data.readings, data.options, wrongs)
        rules = opened(chosen)
        ids = named_wagers(rules, data.wagers, wrongs, "body.wagers")
        tries = tried_odds(rules, data.pays, wrongs)
        tables = chosen_paytables(rules, data.paytables, wrongs)
        wrongs.tell()
        return chosen, ids if data.wagers or not tries else list(tries), tables, tries

    key = key_of("what-if", book_id, data.digest, msgspec.json.encode(data))
    return answered(request, await heavy(key, prepare, tried_figures))


@post(
    "/api/v1/books/{book_id:str}/design",
    status_code=200,
    tags=FIGURES,
    summary="Pays for a house edge",
    responses=told(Designed, "The pays that come closest, and what one step more or less would do."),
    opt={"examples": {"request": {"wager": "total/4", "target_edge": "8%"}}},
)
async def design_pays(request: Asker, book_id: BookPath, data: JSONBody[Target]) -> Response[bytes]:
    """The pay, or the ladder of pays, in whole odds, whose house edge comes closest to a target."""

    def prepare() -> tuple[Any, ...]:
        chosen = choose(book_id, data.digest, data.readings, data.options)
        return chosen, opened(chosen).wager(data.wager).id, data.target_edge, data.paytable

    key = key_of("design", book_id, data.digest, msgspec.json.encode(data))
    return answered(request, await heavy(key, prepare, designed))


@get(
    "/api/v1/books/{book_id:str}/lint",
    tags=FIGURES,
    summary="What is questionable about a book's pays",
    responses=has_it(Linted, "The findings, worst first."),
)
async def lint_book(
    request: Asker,
    book_id: BookPath,
    min_return: Annotated[
        str | None,
        QueryParameter(required=False, max_length=60, description="A floor for the return to the player, like `75%`."),
    ] = None,
    reading: Readings = None,
    option: Options = None,
    digest: Digest = None,
) -> Response[bytes]:
    """Questions a book's pays by mathematics alone."""

    def prepare() -> tuple[Any, ...]:
        return choose(book_id, digest, reading, option), min_return

    key = key_of("lint", book_id, digest, reading, option, min_return)
    return answered(request, await heavy(key, prepare, linted))


@get(
    "/api/v1/compare",
    tags=FIGURES,
    summary="The same bets in two books",
    responses=has_it(Compared, "The bets that both offer, or those named."),
)
async def compare_books(
    request: Asker,
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
    """Matched by what decides them, not by their names."""

    def prepare() -> tuple[Any, ...]:
        books = [choose(book) for book in dict.fromkeys(filter(None, (left, right)))]
        wrongs = RequestErrors()
        found = [opened(book) for book in books]
        for word in wager or ():
            if not any(word in rules.wagers for rules in found):
                wrongs.note("query.wager", f"none of these books has a wager {word[:80]!r}")
        wrongs.tell()
        return books, list(wager or ())

    key = key_of("compare", left, None, key_of("", right, None) if right else None, wager)
    return answered(request, await heavy(key, prepare, compared))


@post(
    "/api/v1/books/{book_id:str}/spread",
    status_code=200,
    tags=FIGURES,
    summary="Several wagers on one throw, and after many rounds",
    responses=told(SpreadFound, "The chance of every result."),
    opt={"examples": {"request": {"bets": [{"wager": "small", "stake": 500}], "rounds": [100]}}},
)
async def spread_bets(request: Asker, book_id: BookPath, data: JSONBody[SpreadAsked]) -> Response[bytes]:
    """The joint result of several one-roll wagers: exact where that is cheap, else with a certified error."""

    def prepare() -> tuple[Any, ...]:
        chosen, _, tables = named(book_id, data.digest, data.readings, data.options, None, data.paytables)
        return chosen, data.bets, data.rounds, data.bins, tables

    key = key_of("spread", book_id, data.digest, msgspec.json.encode(data))
    return answered(request, await heavy(key, prepare, spread_out))


@get(
    "/api/v1/books/{book_id:str}/report",
    tags=FIGURES,
    summary="The sheet of a book's figures, as a file",
    responses=has_it(bytes, "The file; by `format` a page, a PDF, CSV or JSON.", "application/pdf")
    | {501: ResponseSpec(ProblemDetails, description="This house cannot make sheets.", media_type=MEDIA_TYPE)},
    operation_class=file_operation(MEDIA_TYPES.values()),
)
async def make_report(
    request: Asker,
    book_id: BookPath,
    form: Annotated[
        ReportForm, QueryParameter(name="format", required=False, description="A page, a PDF, or data.")
    ] = "html",
    wager: Wagers = None,
    paytable: PayTables = None,
    reading: Readings = None,
    option: Options = None,
    all_readings: AllReadings = False,
    digest: Digest = None,
) -> Response[bytes]:
    """What a test laboratory would file, with the day on which it was made."""
    today = datetime.now(UTC).date()

    def prepare() -> tuple[Any, ...]:
        return *named(book_id, digest, reading, option, wager, paytable), all_readings, form, today

    key = key_of("report", book_id, digest, reading, option, wager, paytable, all_readings, form, today)
    headers = {
        "Content-Disposition": f'attachment; filename="{book_id}.{form}"',
        "Content-Security-Policy": ALONE,
        "X-Content-Type-Options": "nosniff",
    }
    page = await heavy(key, prepare, report, media_type=MEDIA_TYPES[form], headers=headers, seconds=REPORT_SECONDS)
    return answered(request, page)


handlers = [analyse_book, try_pays, design_pays, lint_book, compare_books, spread_bets, make_report]
