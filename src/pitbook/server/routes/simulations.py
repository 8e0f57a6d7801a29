"""Simulated nights for managers and auditors: scenarios, runs, results and files."""

from pathlib import Path
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import File
from msgspec.structs import replace

from pitbook.errors import quoted
from pitbook.messages import Message
from pitbook.reports.background_run import REPORT
from pitbook.server.backoffice.rights import acting_manager_or_auditor, manager_or_auditor
from pitbook.server.books.queries import file_operation
from pitbook.server.http.errors import FieldError, detail, fields_message
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import MEDIA_TYPE, Problem, ProblemDetails
from pitbook.server.people.identity import RequestCaller
from pitbook.server.routes.analysis import REPORT_CSP
from pitbook.server.schemas.scenarios import Examples, ScenarioCheck, ScenarioRequest
from pitbook.server.schemas.simulation_runs import RunInfo, RunResult, Runs
from pitbook.server.services import HouseServices
from pitbook.server.simulations.scenarios import build_examples, check_request
from pitbook.server.simulations.store import MEDIA_TYPES
from pitbook.server.worker_pool import QUICK_QUERIES

TAGS = ["simulation"]
RunName = Annotated[str, PathParameter(description="A run's name.", max_length=80)]
NOT_INSTALLED = {
    501: ResponseSpec(ProblemDetails, description="This house cannot simulate.", media_type=MEDIA_TYPE),
}


@get("/api/v1/simulations", tags=TAGS, summary="The last runs")
async def list_runs(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Runs:
    """List the recent runs, the newest first, and the one in progress."""
    manager_or_auditor(caller)
    page = await services.simulations.list_runs()
    return replace(page, runs=take_page(page.runs, lambda one: one.run, after, limit))


@get("/api/v1/simulations/examples", tags=TAGS, summary="Scenarios to begin with")
async def list_examples(
    services: HouseServices,
    caller: RequestCaller,
    book: Annotated[str, QueryParameter(max_length=120, description="A book's id.")],
) -> Examples:
    """Return scenarios made for a book from its own wagers."""
    manager_or_auditor(caller)
    return await build_examples(services.library, await QUICK_QUERIES.work(services.library.choose_book, book))


@post(
    "/api/v1/simulations/check",
    tags=TAGS,
    summary="Check a scenario",
    status_code=200,
    responses=NOT_INSTALLED,
    opt={"examples": {"request": {"toml": 'book = "maryland-sic-bo"\nhours = 8\n'}}},
)
async def check_scenario(
    data: JSONBody[ScenarioRequest], services: HouseServices, caller: RequestCaller
) -> ScenarioCheck:
    """Return a scenario as a file, with its errors and its size."""
    services.simulations.limit_checks(manager_or_auditor(caller))
    return await check_request(services.library, check_one_given(data))


@post("/api/v1/simulations", tags=TAGS, summary="Run a scenario", status_code=202, responses=NOT_INSTALLED)
async def start_run(data: JSONBody[ScenarioRequest], services: HouseServices, caller: RequestCaller) -> RunInfo:
    """Run a scenario in a separate process at the lowest priority, never on all cores; one run at a time."""
    name = acting_manager_or_auditor(caller)
    runs = services.simulations
    runs.limit_checks(name)
    found = await check_request(services.library, check_one_given(data))
    if found.size is None:
        errors = [FieldError(one.place, Message(one.message.id, one.message.params)) for one in found.problems]
        raise Problem("unprocessable", fields_message(errors), errors=errors)
    return await runs.start(name, found.toml, found.size)


@get("/api/v1/simulations/{run:str}", tags=TAGS, summary="The state of a run")
async def show_run(run: RunName, services: HouseServices, caller: RequestCaller) -> RunInfo:
    """Return a run's progress, rate and time left, or how it ended."""
    manager_or_auditor(caller)
    return await services.simulations.get_run(run)


@delete("/api/v1/simulations/{run:str}", tags=TAGS, summary="Stop a run", status_code=202)
async def stop_run(run: RunName, services: HouseServices, caller: RequestCaller) -> RunInfo:
    """Stop a run after the current night; the nights that were played are reported."""
    acting_manager_or_auditor(caller)
    return await services.simulations.stop(run)


@get("/api/v1/simulations/{run:str}/result", tags=TAGS, summary="What a run came to")
async def show_result(run: RunName, services: HouseServices, caller: RequestCaller) -> RunResult:
    """Return players, house, ends and wagers, with the numbers of every plot."""
    manager_or_auditor(caller)
    return await services.simulations.result(run)


@get(
    "/api/v1/simulations/{run:str}/files/{name:str}",
    tags=TAGS,
    summary="A file of a run",
    operation_class=file_operation(dict.fromkeys(kind.partition(";")[0] for kind in MEDIA_TYPES.values())),
)
async def export_run(
    run: RunName,
    name: Annotated[
        str,
        PathParameter(description=f"One of {', '.join(f'`{name}`' for name in MEDIA_TYPES)}.", max_length=80),
    ],
    services: HouseServices,
    caller: RequestCaller,
    shown: Annotated[
        bool, QueryParameter(required=False, description="The report to be looked at, not to be kept.")
    ] = False,
) -> Response[bytes] | File:
    """Return the report as a page, players' nights and hours of the house as Parquet, or the scenario."""
    manager_or_auditor(caller)
    runs = services.simulations
    place = await QUICK_QUERIES.work(runs.store.find_file, run, name)
    if place is None:
        raise Problem("not-found", detail("no-run-file", file=quoted(name), run=quoted(run)))
    return _file(place, run, shown=shown and name == REPORT)


def _file(place: Path, run: str, *, shown: bool) -> File:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": REPORT_CSP}
    return File(
        place,
        filename=f"{run}-{place.name}",
        media_type=MEDIA_TYPES[place.name],
        content_disposition_type="inline" if shown else "attachment",
        headers=headers,
    )


handlers = [
    *(list_runs, list_examples, check_scenario, start_run),
    *(show_run, stop_run, show_result, export_run),
]


def check_one_given(data: ScenarioRequest) -> ScenarioRequest:
    """Return the request if it has exactly one scenario."""
    if (data.toml is None) == (data.composed is None):
        raise Problem("bad-request", detail("one-scenario"))
    return data
