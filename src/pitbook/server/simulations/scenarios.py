"""Read and check scenarios in a worker process, and report everything that is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.errors import InputError
from pitbook.messages import Message
from pitbook.server.books.library import run_with_books
from pitbook.server.http.errors import FieldError, MissingDependency
from pitbook.server.http.problems import invalid_field
from pitbook.server.schemas.scenarios import (
    Example,
    Examples,
    ScenarioCheck,
    ScenarioErrorInfo,
    ScenarioForm,
    ScenarioSize,
)
from pitbook.server.schemas.tables import Name
from pitbook.server.worker_pool import QUICK_QUERIES, WORKER_POOL
from pitbook.simulation.validation import InvalidScenario, ScenarioError

if TYPE_CHECKING:
    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.schemas.scenarios import ScenarioRequest
    from pitbook.simulation.scenario import Scenario

ERRORS_MAX = 100
NAME = "scenario"


async def check_request(library: Library, request: ScenarioRequest) -> ScenarioCheck:
    """Return a scenario as it was understood, checked in another process."""
    given = (request.toml, msgspec.to_builtins(request.composed) if request.composed is not None else None)
    content = await WORKER_POOL.work(run_with_books, library.own_books(), check_in_worker, given)
    found = msgspec.json.decode(content, type=ScenarioCheck)
    return msgspec.structs.replace(found, problems=[_translated(one) for one in found.problems])


async def build_examples(library: Library, chosen: ChosenBook) -> Examples:
    """Return example scenarios for a book."""
    return await QUICK_QUERIES.work(_examples, library, chosen)


def _examples(library: Library, chosen: ChosenBook) -> Examples:
    from pitbook.simulation.examples import example_scenarios

    found = example_scenarios(library.load_book(chosen)).items()
    return Examples(chosen.book, [msgspec.convert({"name": name, "composed": data}, Example) for name, data in found])


def check_in_worker(library: Library, toml: str | None, composed: dict[str, Any] | None) -> bytes:
    """Return the `ScenarioCheck` of a scenario as JSON, in a worker process."""
    try:
        from pitbook.reports.background_run import read_bounded
        from pitbook.simulation.toml_writer import write_scenario
    except ModuleNotFoundError as missing:
        raise MissingDependency("simulation.no-library", library=missing.name) from None
    text = toml if toml is not None else write_scenario(composed or {})
    problems: list[ScenarioErrorInfo] = []
    size: ScenarioSize | None = None
    try:
        size = scenario_size(read_bounded(text, library.editions))
    except InvalidScenario as error:
        problems = [_error_info(flaw) for flaw in error.flaws[:ERRORS_MAX]]
    except InputError as error:
        problems = [_error_info(ScenarioError("", "file", error.message))]
    return msgspec.json.encode(ScenarioCheck(text, problems, size, parse_form(text)))


def _error_info(error: ScenarioError) -> ScenarioErrorInfo:
    field = invalid_field(FieldError(error.place, error.message))
    return ScenarioErrorInfo(field.place, field.says, field.message, error.kind)


def _translated(error: ScenarioErrorInfo) -> ScenarioErrorInfo:
    """Return an error from a worker process in the language that the current request asks for."""
    message = Message(error.message.id, error.message.params)
    return _error_info(ScenarioError(error.place, error.kind, message))


def scenario_size(scenario: Scenario) -> ScenarioSize:
    text = scenario.text
    return ScenarioSize(
        text.book,
        Name.of(scenario.rules.identity.title),
        sum(group.count for group in text.players),
        len(text.players),
        text.nights,
        text.hours,
        text.tables,
        text.rolls_per_hour,
        text.seed,
    )


def parse_form(toml: str) -> ScenarioForm | None:
    """Return a file's content for a form, or None if a form cannot show it."""
    from pitbook.simulation.toml_reader import read_toml

    try:
        return msgspec.convert(read_toml(toml, NAME), ScenarioForm)
    except (InputError, msgspec.ValidationError):
        return None
