"""Scenarios read and checked in the back office: what they say, and everything that is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.mistakes import Mistake, Mistakes
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.books.library import at_desk, books, opened
from pitbook.server.http.problems import Complaint
from pitbook.server.http.wrongs import Uninstalled
from pitbook.server.nights.wire_scenarios import (
    Example,
    Examples,
    ScenarioChecked,
    ScenarioComposed,
    ScenarioSize,
)
from pitbook.server.office.clerks import COUNTER, OFFICE

if TYPE_CHECKING:
    from pitbook.server.books.library import Chosen, Kept
    from pitbook.server.nights.wire_scenarios import ScenarioAsked
    from pitbook.simulation.scenario import Scenario

COMPLAINTS_MAX = 100
NAME = "scenario"


def kept_books() -> list[Kept]:
    """The house's own books, as another process takes them."""
    return [kept for chosen in books() if chosen.book not in PACKAGED and (kept := chosen.kept) is not None]


async def checked(asked: ScenarioAsked) -> ScenarioChecked:
    """A scenario as it was understood, worked out in another process."""
    given = (asked.toml, msgspec.to_builtins(asked.composed) if asked.composed is not None else None)
    content = await OFFICE.work(at_desk, kept_books(), check, given)
    return msgspec.json.decode(content, type=ScenarioChecked)


async def examples(chosen: Chosen) -> Examples:
    """Scenarios to begin with, made for a book."""
    return await COUNTER.work(_examples, chosen)


def _examples(chosen: Chosen) -> Examples:
    from pitbook.simulation.examples import example_scenarios

    found = example_scenarios(opened(chosen)).items()
    return Examples(chosen.book, [msgspec.convert({"name": name, "composed": data}, Example) for name, data in found])


def check(toml: str | None, composed: dict[str, Any] | None) -> bytes:
    """In the back office."""
    try:
        from pitbook.reports.background import read_bounded
        from pitbook.simulation.writing import write_scenario
    except ModuleNotFoundError as missing:
        raise Uninstalled(f"this needs {missing.name}, which is missing; install pitbook[simulate]") from None
    text = toml if toml is not None else write_scenario(composed or {})
    problems: list[Complaint] = []
    size: ScenarioSize | None = None
    try:
        size = size_of(read_bounded(text))
    except Mistakes as mistakes:
        problems = [complaint(line) for line in mistakes.lines[:COMPLAINTS_MAX]]
    except Mistake as mistake:
        problems = [complaint(" ".join(str(mistake).split()))]
    return msgspec.json.encode(ScenarioChecked(text, problems, size, composed_from(text)))


def complaint(line: str) -> Complaint:
    """A line of the reader's: the place before the first colon, without the name of the file."""
    line = line.removeprefix(f"{NAME}: ")
    place, between, says = line.partition(": ")
    if not between or " " in place.strip():  # a sentence about the whole file
        return Complaint("", line)
    return Complaint(place, says)


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


def composed_from(toml: str) -> ScenarioComposed | None:
    """A file's content for a form; None where a form cannot show it."""
    from pitbook.simulation.toml import read_toml

    try:
        return msgspec.convert(read_toml(toml, NAME), ScenarioComposed)
    except (Mistake, msgspec.ValidationError):
        return None
