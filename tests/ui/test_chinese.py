"""What the server and the books say in English has its Chinese; and Chinese words are written as Chinese."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from pitbook.analysis import lint
from pitbook.audit.errors import About
from pitbook.messages.catalogue import areas
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.text import Inspection, Remedy, Step
from pitbook.server.backoffice.fairness import AlarmInfo, AlarmKind
from pitbook.server.backoffice.monitor import WatchedPart
from pitbook.server.http.problems import PROBLEMS
from pitbook.simulation.validation import ScenarioErrorKind
from pitbook.table import automatic
from pitbook.tumbler.proof import Check, CheckKind, check
from tests.tumbler.test_proof import proof

WORDS = Path(__file__).resolve().parents[2] / "ui" / "src" / "i18n"
CHINESE = sorted(WORDS.rglob("*-zh.ts"))
HAN = r"[\u3400-\u9fff]"


def table(name: str) -> dict[str, str]:
    """One of the tables of server-zh.ts."""
    text = (WORDS / "server-zh.ts").read_text(encoding="utf-8")
    body = re.search(rf"^  {name}: \{{\n(.*?)^  \}},", text, re.MULTILINE | re.DOTALL)
    assert body is not None, name
    entries = re.findall(r'^ {4}(?:"([^"]+)"|(\w+)):\s+"([^"]+)",$', body[1], re.MULTILINE)
    return {quoted or plain: said for quoted, plain, said in entries}


def test_every_problem_of_the_server_is_a_message_and_no_other_is() -> None:
    assert {entry.id for entry in areas()["problems"]} == {f"problems.{name}" for name in (*PROBLEMS, "refused")}
    assert all(entry.en.endswith(".") and entry.zh.endswith("。") for entry in areas()["problems"])


def test_every_act_of_a_procedure_every_test_and_every_remedy_has_its_chinese() -> None:
    assert set(table("inspections")) == set(get_args(Inspection.model_fields["how"].annotation))
    assert set(table("acts")) == set(get_args(Step.model_fields["act"].annotation))
    assert set(table("remedies")) == set(get_args(Remedy))


def test_every_finding_about_a_book_has_its_chinese() -> None:
    rules = re.findall(r'Severity\.\w+, "([a-z-]+)"', Path(lint.__file__).read_text(encoding="utf-8"))
    assert set(table("findings")) == set(rules)


def test_everything_that_an_audit_can_find_wrong_has_its_chinese() -> None:
    assert set(table("wrong")) == set(get_args(About))


def test_every_alarm_has_its_chinese_with_what_it_is_about() -> None:
    told = table("alarms")
    assert set(told) == set(get_args(AlarmKind))
    assert {name for said in told.values() for name in re.findall(r"\{(\w+)\}", said)} == {
        *AlarmInfo.__struct_fields__[5:]
    }
    assert set(table("watched")) == set(get_args(WatchedPart))


def test_everything_that_can_be_wrong_with_a_scenario_has_its_chinese() -> None:
    assert set(table("flaws")) == set(get_args(ScenarioErrorKind))


def test_every_step_of_the_check_of_a_draw_has_its_chinese() -> None:
    told = table("proofs")
    assert set(told) == set(get_args(CheckKind))
    seen: dict[str, Check] = {}
    changed: tuple[dict[str, Any], ...] = (
        *({}, {"seed": ""}, {"seed": "x"}, {"commitment": ""}, {"result": ()}, {"voided": True}, {"close": "x"}),
        *({"close": ""}, {"close": "", "result": ()}, {"close": "", "result": (), "voided": True}),
        {"number": 2, "dice": 40, "nonces": ("b", "a"), "close": "ff" * 32},  # a byte is passed over
    )
    for changes in changed:
        seen |= {str(step.kind): step for step in check(proof(**changes))}
    assert set(seen) == set(told)
    for kind, step in seen.items():
        assert set(re.findall(r"\{(\w+)\}", told[kind])) <= set(step.values), kind
        assert all(value in step.says for value in step.values.values() if value != "–"), kind


def test_what_an_automatic_table_does_instead_has_its_chinese() -> None:
    told = {one.instead for book in PACKAGED for one in automatic.electronic_form(load(book))}
    written = {*automatic.STEPS.values(), *automatic.THINGS.values(), automatic.INSPECTED}
    assert set(table("electronic")) == told | written


@pytest.mark.parametrize("book", PACKAGED)
def test_every_role_is_called_in_chinese_as_its_book_calls_it(book: str) -> None:
    told, roles = table("roles"), load(book).roles
    assert {name: told.get(name) for name in roles} == {name: role.name.zh for name, role in roles.items()}


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.stem)
def test_chinese_sentences_have_chinese_punctuation(path: Path) -> None:
    for text in re.findall(r'"([^"\n]*)"|`([^`\n]*)`', path.read_text(encoding="utf-8")):
        words = re.sub(r"\$\{[^}]*\}", "", "".join(text))
        assert not re.search(rf"{HAN} ?[,;:?!()]|[,;:?!()] ?{HAN}|{HAN}\.", words), words
