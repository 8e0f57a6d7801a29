"""Read and check scenarios in a worker process, and report everything that is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.errors import InputError
from pitbook.server.books.library import run_with_books
from pitbook.server.http.errors import MissingDependency
from pitbook.server.schemas.scenarios import (
    Example,
    Examples,
    ScenarioCheck,
    ScenarioErrorInfo,
    ScenarioForm,
    ScenarioSize,
)
from pitbook.server.worker_pool import COUNTER, OFFICE

if TYPE_CHECKING:
    from pitbook.server.books.library import ChosenBook, Library
    from pitbook.server.schemas.scenarios import ScenarioRequest
    from pitbook.simulation.scenario import Scenario
    from pitbook.simulation.validation import ScenarioError

COMPLAINTS_MAX = 100
NAME = "scenario"


async def checked(library: Library, asked: ScenarioRequest) -> ScenarioCheck:
    """Return a scenario as it was understood, worked out in another process."""
    given = (asked.toml, msgspec.to_builtins(asked.composed) if asked.composed is not None else None)
    content = await OFFICE.work(run_with_books, library.own_books(), check, given)
    return msgspec.json.decode(content, type=ScenarioCheck)


async def examples(library: Library, chosen: ChosenBook) -> Examples:
    """Scenarios to begin with, made for a book."""
    return await COUNTER.work(_examples, library, chosen)


def _examples(library: Library, chosen: ChosenBook) -> Examples:
    from pitbook.simulation.examples import example_scenarios

    found = example_scenarios(library.load_book(chosen)).items()
    return Examples(chosen.book, [msgspec.convert({"name": name, "composed": data}, Example) for name, data in found])


def check(library: Library, toml: str | None, composed: dict[str, Any] | None) -> bytes:
    """In a worker process: return the `ScenarioCheck` of a scenario as JSON."""
    try:
        from pitbook.reports.background_run import read_bounded
        from pitbook.simulation.toml_writer import write_scenario
        from pitbook.simulation.validation import InvalidScenario
    except ModuleNotFoundError as missing:
        raise MissingDependency(f"this needs {missing.name}, which is missing; install pitbook[simulate]") from None
    text = toml if toml is not None else write_scenario(composed or {})
    problems: list[ScenarioErrorInfo] = []
    size: ScenarioSize | None = None
    try:
        size = size_of(read_bounded(text, library.editions))
    except InvalidScenario as flawed:
        problems = [_told(flaw) for flaw in flawed.flaws[:COMPLAINTS_MAX]]
    except InputError as mistake:
        problems = [ScenarioErrorInfo("", " ".join(str(mistake).split()).removeprefix(f"{NAME}: "))]
    return msgspec.json.encode(ScenarioCheck(text, problems, size, composed_from(text)))


def _told(flaw: ScenarioError) -> ScenarioErrorInfo:
    """At its key; what is about the whole file has none."""
    if " " in flaw.place:
        return ScenarioErrorInfo("", str(flaw), flaw.kind)
    return ScenarioErrorInfo(flaw.place, flaw.says, flaw.kind)


def size_of(scenario: Scenario) -> ScenarioSize:
    """How much a scenario is."""
    text = scenario.text
    return ScenarioSize(
        text.book,
        scenario.rules.identity.title,
        sum(group.count for group in text.players),
        len(text.players),
        text.nights,
        text.hours,
        text.tables,
        text.rolls_per_hour,
        text.seed,
    )


def composed_from(toml: str) -> ScenarioForm | None:
    """A file's content for a form; None where a form cannot show it."""
    from pitbook.simulation.toml_reader import read_toml

    try:
        return msgspec.convert(read_toml(toml, NAME), ScenarioForm)
    except (InputError, msgspec.ValidationError):
        return None
