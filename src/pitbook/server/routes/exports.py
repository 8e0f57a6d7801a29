"""The journal as flat tables for other programs, and a player's own statement."""

from datetime import UTC, date, timedelta
from typing import Annotated

from litestar import get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from pitbook.errors import quoted
from pitbook.house.flat_tables import SHEETS
from pitbook.house.statements import COLUMNS, Statement, first_at, round_at
from pitbook.journal.entries import HOUSE
from pitbook.server.backoffice.export_streams import (
    ENDINGS,
    MEDIA_TYPES,
    Pieces,
    PiecesStream,
    SheetFormat,
    Span,
    TextFormat,
    as_parquet,
    as_text,
    read_rows,
)
from pitbook.server.backoffice.rights import manager_or_auditor
from pitbook.server.backoffice.services import length_of
from pitbook.server.books.queries import file_operation
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import MEDIA_TYPE, Problem, ProblemDetails
from pitbook.server.people.identity import PLAY, READ, RequestCaller
from pitbook.server.services import HouseServices, Services

DAYS_MAX = 92
DAYS = 30

Table = Annotated[
    str | None, QueryParameter(max_length=200, required=False, description="only this table; all of them unless named")
]


@get(
    "/api/v1/exports/{sheet:str}",
    tags=["audit"],
    summary="A sheet of the journal",
    media_type="text/csv",
    operation_class=file_operation(("text/csv", MEDIA_TYPES["json-lines"], MEDIA_TYPES["parquet"])),
    responses={501: ResponseSpec(ProblemDetails, description="No Parquet here.", media_type=MEDIA_TYPE)},
)
async def export_sheet(
    sheet: Annotated[str, PathParameter(description="`entries`, `postings` or `settlements`.")],
    services: HouseServices,
    caller: RequestCaller,
    table: Table = None,
    first: Annotated[
        date | None, QueryParameter(name="from", required=False, description="the first day, UTC; the first there is")
    ] = None,
    last: Annotated[
        date | None, QueryParameter(name="to", required=False, description="the last day, UTC; the last there is")
    ] = None,
    form: Annotated[SheetFormat, QueryParameter(name="format", required=False)] = "csv",
) -> Stream:
    """Export a sheet as of now, in full or for some days.

    CSV and JSON lines are streamed, Parquet is sent once it is complete.
    """
    name = manager_or_auditor(caller)
    found = next((one for one in SHEETS if one.name == sheet), None)
    if found is None:
        raise Problem("not-found", detail("no-sheet", sheet=quoted(sheet), sheets=[s.name for s in SHEETS]))
    if first is not None and last is not None and first > last:
        raise Problem("bad-request", detail("from-to"))
    office = services.backoffice
    spans = await office.work(_spans, services, table, first, last)
    gate = office.exports
    gate.enter(name)
    try:
        rows = read_rows(services.house.store, spans, lambda: found.rows)
        if form == "parquet":
            pieces = Pieces(await office.work(as_parquet, found, rows), office.work, gate, name)
        else:
            pieces = Pieces(as_text(found.columns, rows, form), office.work, gate, name)
    except BaseException:
        gate.leave(name)
        raise
    return _file(pieces, form, f"{table or 'all'}-{sheet}")


def _spans(services: Services, table: str | None, first: date | None, last: date | None) -> list[Span]:
    store = services.house.store
    if table is None:
        lengths = {name: head.sequence for name, head in store.heads().items()}
    else:
        lengths = {table: length_of(services.house.store, table)}
        if not lengths[table]:
            services.house.check_not_archived(table)
            raise Problem("not-found", detail("no-record", record=quoted(table)))
    if first is None and last is None:
        return [Span(name, 0, length) for name, length in lengths.items()]
    return _spans_between(services, lengths, first or date.min, last or date.max)


@get(
    "/api/v1/me/statement",
    tags=["people"],
    summary="My bets and results",
    media_type="text/csv",
    operation_class=file_operation(("text/csv", MEDIA_TYPES["json-lines"])),
)
async def export_statement(
    services: HouseServices,
    caller: RequestCaller,
    table: Table = None,
    first: Annotated[
        date | None,
        QueryParameter(name="from", required=False, description="the first day, UTC; 30 days ago unless said"),
    ] = None,
    last: Annotated[date | None, QueryParameter(name="to", required=False, description="the last day; today")] = None,
    form: Annotated[TextFormat, QueryParameter(name="format", required=False)] = "csv",
) -> Stream:
    """Return the caller's lines of the record: buy-ins, bets, returns, losses, wins, corrections. Minor units."""
    name = caller.require_account().name
    if caller.scopes is not None and READ not in caller.scopes:
        caller.require_scope(PLAY)
    until = last or services.clock().astimezone(UTC).date()
    since = first or until - timedelta(days=min(DAYS, (until - date.min).days))
    if since > until:
        raise Problem("bad-request", detail("from-to"))
    if (until - since).days >= DAYS_MAX:
        raise Problem("bad-request", detail("days", most=DAYS_MAX))
    office = services.backoffice
    gate = office.statements
    gate.enter(name)
    try:
        spans = await office.work(_days, services, table, since, until)
        rows = read_rows(services.house.store, spans, lambda: Statement(name).rows)
        pieces = Pieces(as_text(COLUMNS, rows, form), office.work, gate, name)
    except BaseException:
        gate.leave(name)
        raise
    return _file(pieces, form, f"statement-{since}-{until}")


def _days(services: Services, table: str | None, since: date, until: date) -> list[Span]:
    store = services.house.store
    if table is None:
        lengths = {name: head.sequence for name, head in store.heads().items() if name != HOUSE}
    else:
        lengths = {table: length_of(services.house.store, table)}
        if table == HOUSE or not lengths[table]:
            services.house.check_not_archived(table)
            raise Problem("not-found", detail("no-table", table=quoted(table)))
    return _spans_between(services, lengths, since, until)


def _spans_between(services: Services, lengths: dict[str, int], since: date, until: date) -> list[Span]:
    """Return the spans of these records from one day to another."""
    store = services.house.store
    beyond = (until + timedelta(days=1)).isoformat() if until < date.max else "~"
    spans = []
    for name, length in lengths.items():
        begins = first_at(store, name, since.isoformat(), length)
        ends = first_at(store, name, beyond, length)
        if begins < ends:
            number = 1 if name == HOUSE else round_at(store, name, begins - 1)
            spans.append(Span(name, begins - 1, ends - 1, number))
    return spans


def _file(pieces: Pieces, form: SheetFormat, name: str) -> Stream:
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "_" for sign in name)
    headers = {
        "Content-Disposition": f'attachment; filename="{safe}.{ENDINGS[form]}"',
        "Cache-Control": "no-store",
    }
    return PiecesStream(pieces, media_type=MEDIA_TYPES[form], headers=headers)


handlers = [export_sheet, export_statement]
