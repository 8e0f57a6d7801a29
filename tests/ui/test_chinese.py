"""Everything that the API names by an id has its name in the catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from pitbook.analysis import lint
from pitbook.audit.errors import About
from pitbook.messages.catalogue import areas, entries, page_areas
from pitbook.reports import background_run
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.text import Inspection, Remedy, Step
from pitbook.server.backoffice.fairness import AlarmKind
from pitbook.server.http.problems import PROBLEMS
from pitbook.simulation import scenario
from pitbook.table import automatic
from pitbook.tumbler.proof import Check, CheckKind, RecordCheckKind, check
from pitbook.wager.hand import Call
from tests.tumbler.test_proof import proof


def keys(prefix: str) -> set[str]:
    """Return the ids of the server's messages below a prefix."""
    return {one.removeprefix(f"{prefix}.") for one in entries() if one.startswith(f"{prefix}.")}


def page_keys(area: str, group: str) -> set[str]:
    return {entry.id.removeprefix(f"{area}.{group}.") for entry in page_areas()[area] if f".{group}." in entry.id}


def test_every_problem_of_the_server_is_a_message_and_no_other_is() -> None:
    assert {entry.id for entry in areas()["problems"]} == {f"problems.{name}" for name in (*PROBLEMS, "refused")}
    assert all(entry.en.endswith(".") and entry.zh.endswith("。") for entry in areas()["problems"])


def test_every_act_test_remedy_and_call_of_a_procedure_has_its_name() -> None:
    assert keys("names.inspection") == set(get_args(Inspection.model_fields["how"].annotation))
    assert keys("names.act") == set(get_args(Step.model_fields["act"].annotation))
    assert keys("names.remedy") == set(get_args(Remedy))
    assert keys("names.call") == set(Call)


def test_every_finding_about_a_book_has_its_message() -> None:
    rules = re.findall(r'Severity\.\w+, "([a-z-]+)"', Path(lint.__file__).read_text(encoding="utf-8"))
    assert page_keys("books", "findings") == set(rules)


def test_everything_that_an_audit_can_find_wrong_has_its_message() -> None:
    assert keys("findings.audit") == set(get_args(About))


def test_every_alarm_has_its_message() -> None:
    kinds = {key for key in keys("alarms") if not key.startswith("detail.")}
    assert kinds == {*get_args(AlarmKind), "fairness-unnamed"}


def test_everything_that_can_be_wrong_with_a_scenario_has_its_message() -> None:
    sources = "".join(Path(str(one.__file__)).read_text(encoding="utf-8") for one in (scenario, background_run))
    assert keys("errors.simulation.flaws") == set(re.findall(r'_problem\("([a-z-]+)"', sources))


def test_every_step_of_the_check_of_a_draw_has_its_message() -> None:
    assert keys("draws") == {*get_args(CheckKind), *get_args(RecordCheckKind), "no dice"}
    seen: dict[str, Check] = {}
    changed: tuple[dict[str, Any], ...] = (
        *({}, {"seed": ""}, {"seed": "x"}, {"commitment": ""}, {"result": ()}, {"voided": True}, {"close": "x"}),
        *({"close": ""}, {"close": "", "result": ()}, {"close": "", "result": (), "voided": True}),
        {"number": 2, "dice": 40, "nonces": ("b", "a"), "close": "ff" * 32},  # a byte is passed over
    )
    for changes in changed:
        seen |= {str(step.kind): step for step in check(proof(**changes))}
    assert set(seen) == set(get_args(CheckKind))
    for step in seen.values():
        assert step.says.endswith(step.message.text())
        assert all(value in step.says for value in step.shown_values.values())


@pytest.mark.parametrize("book", PACKAGED)
def test_what_an_automatic_table_does_instead_has_its_message(book: str) -> None:
    for part in automatic.electronic_form(load(book)):
        assert f"automatic.{part.key}" in entries()
        assert part.instead[0].isupper()


def test_no_message_about_automatic_tables_is_unused() -> None:
    acts = {f"step {act}" for act in get_args(Step.model_fields["act"].annotation)}
    things = {part.key for book in PACKAGED for part in automatic.electronic_form(load(book))}
    assert {one for one in keys("automatic") if one.startswith("step ")} <= acts
    assert {one for one in keys("automatic") if not one.startswith("step ")} - things <= {"thing box", "thing device"}


@pytest.mark.parametrize("book", PACKAGED)
def test_every_role_is_called_in_chinese_as_its_book_calls_it(book: str) -> None:
    for name, role in load(book).roles.items():
        assert entries()[f"names.role.{name}"].zh == role.name.zh
