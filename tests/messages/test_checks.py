"""The details of findings: the auditor and the catalogue write the same English, and every text is used."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

import pitbook.audit
from pitbook.audit.details import Detail, cite_clauses
from pitbook.audit.errors import CheckFailed
from pitbook.audit.report import Finding, Report, Void
from pitbook.messages import Message
from pitbook.messages.catalogue import areas

SOURCES = sorted(Path(pitbook.audit.__file__).parent.glob("*.py"))
CHECKS = {entry.id.removeprefix("checks."): entry for entry in areas()["checks"]}
NAMERS = {"ensure": 1, "CheckFailed": 0, "MissingBook": 0, "detail": 0, "check_entitled": 2, "Unreadable": 0}
"""Calls that name a text, and which of their arguments does."""
SAMPLES: dict[str, Any] = {
    "text": -1_500,
    "count": 1_500,
    "list": ["a", "b"],
    "either": ["a", "b", "c"],
    "role": "box-person",
    "roles": ["dealer", "above-floorperson", "deputy-dealer"],
    "phase": "settling",
    "colour": "blue",
    "standing": "in use",
    "way": "sign",
    "message": cite_clauses(["3.2", "3.9"]),
}


def calls() -> list[tuple[str, str, set[str]]]:
    """Return every call that names a text: its place, the text, and the parameters that it gives."""
    found = []
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            place = NAMERS.get(getattr(getattr(node, "func", None), "id", ""))
            if isinstance(node, ast.Call) and place is not None and len(node.args) > place:
                text = node.args[place]
                given = {one.arg for one in node.keywords if one.arg != "about"}
                if isinstance(text, ast.Constant) and None not in given:
                    found.append((f"{file.name}:{node.lineno}", str(text.value), {str(one) for one in given}))
    return found


def test_a_check_names_a_text_with_its_parameters() -> None:
    found = calls()
    assert len(found) > 400
    known = {name: set(entry.params) for name, entry in CHECKS.items()}
    assert [call for call in found if known.get(call[1]) != call[2]] == []


def test_every_text_of_a_check_is_used() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in SOURCES)
    assert [name for name in CHECKS if f'"{name}"' not in sources] == []


@pytest.mark.parametrize("name", CHECKS)
def test_the_auditor_and_the_catalogue_write_the_same_english(name: str) -> None:
    found = Detail(name, {param: SAMPLES[kind] for param, kind in CHECKS[name].params.items()})
    message = msgspec.convert(msgspec.json.decode(msgspec.json.encode(found.as_data())), Message)
    assert message.text("en") == str(found)
    assert "{" not in message.text("zh-Hant") + message.text("zh-Hans")


def test_a_finding_is_sent_with_its_details_as_a_message() -> None:
    failed = CheckFailed("acted-as", who="eve", role="dealer", reason=Detail("manager-does", {}), rule=cite_clauses(()))
    report = Report("house.db", findings=[Finding("t1", 3, "BetPlaced", failed.detail, about="role")])
    sent = report.as_dict()["findings"][0]
    assert sent["why"] == "eve acted as dealer, but only a manager may do this (house policy)"
    detail = msgspec.convert(sent["detail"], Message)
    assert detail.text("zh-Hant") == "eve 以荷官身分行事，但此事只可由經理作出（場方政策）"


def test_a_report_is_written_in_a_language_with_its_labels_in_a_column() -> None:
    archived = Detail("detached-table", {"table": "t9", "entries": 1, "file": "t9.db"})
    report = Report("house.db", events=1, tables=2, lost_seeds=1, detached=[archived], voids=[Void("t1", 2, -1_500)])
    english = str(report).splitlines()
    assert english[:2] == ["house.db: correct", "  chain       1 entry of 2 sequences, each with its hash"]
    assert english[-2] == "  archives    1 table in other files (t9: 1 entry, in t9.db); none given"

    def translated(detail: Detail) -> str:
        return msgspec.convert(detail.as_data(), Message).text("zh-Hant")

    chinese = report.write(translated, cell_len).splitlines()
    assert chinese[:2] == ["house.db：正確", "  雜湊鏈  2 個序列共 1 條紀錄，雜湊值均相符"]
    assert chinese[7].startswith("  開骰    0 個種子與承諾相符，骰子已重算；遺失 1 個種子；1 局在停止下注後作廢")
    report.findings.append(Finding("t1", 3, "BetPlaced", Detail("manager-does", {}), round=2))
    assert report.write(translated, cell_len).startswith("有誤：賭檯 t1，第 3 條（BetPlaced），第 2 局：")


def test_values_of_a_tampered_record_are_texts() -> None:
    odd = Detail("next-bet", {"next_bet": 3, "number": {"not": ["a", "number"]}})
    assert odd.as_data()["params"] == {"next_bet": "3", "number": "{'not': ['a', 'number']}"}
    assert Message(**odd.as_data()).text("en") == "the next bet is number 3, not {'not': ['a', 'number']}"
