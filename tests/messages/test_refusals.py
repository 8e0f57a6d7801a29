"""Refusals and the catalogue: every call names a message with its parameters, and every message is used."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import msgspec
import pytest

import pitbook
from pitbook.messages import Message, Money, stored
from pitbook.messages.catalogue import entries

SOURCES = Path(pitbook.__file__).parent
PACKAGES = ("table", "people", "dice_register", "engine", "tumbler", "house", "server")
OWN = {"clauses", "reading"}
"""Keywords of `refuse` that are not parameters of the message."""
REFUSING = {"_refuse", "refuse", "refuse_unattended", "refuse_without_power"}
IDS = {id_ for id_ in entries() if id_.startswith("refusals.")}


@cache
def calls() -> list[tuple[str, str, set[str]]]:
    """Return every call that refuses by the id of a message: its place, the id, and the parameters that it gives."""
    found = []
    for file in (file for package in PACKAGES for file in (SOURCES / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                place = f"{file.relative_to(SOURCES)}:{node.lineno}"
                found += [(place, id_, given) for id_, given in _named(node)]
    return found


def _named(call: ast.Call) -> list[tuple[str, set[str]]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    keywords = {one.arg for one in call.keywords if one.arg is not None} - OWN
    if name in REFUSING:
        return [(f"refusals.{text}", keywords) for text in texts if f"refusals.{text}" in IDS or "." in text]
    if name == "refusal":  # of engine.windows
        return [(f"refusals.hand.{text}", keywords | {"area"}) for text in texts]
    return []


def test_a_refusal_names_a_message_with_its_parameters() -> None:
    wanted = {id_: set(entries()[id_].params) for id_ in IDS}
    found = calls()
    assert len(found) > 300
    assert [call for call in found if call[2] != wanted.get(call[1])] == []


def test_every_message_about_refusals_is_used() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    called = {id_ for _, id_, _ in calls()}
    assert [id_ for id_ in sorted(IDS - called) if f'"{id_}"' not in sources and not _by_suffix(id_, sources)] == []


def _by_suffix(id_: str, sources: str) -> bool:
    """Whether the last part of an id is given to `_conflict`, which puts the rest before it."""
    return id_.startswith("refusals.people.grant.") and f'_conflict("{id_.rpartition(".")[2]}"' in sources


def test_a_stored_message_is_read_back_in_any_language() -> None:
    params = {"area": {"en": "Big", "zh": "大"}, "most": Money(50_000, "SGD")}
    over = Message("refusals.bets.over-maximum", params)
    read = stored(msgspec.json.decode(msgspec.json.encode(over)), "")
    assert read == over
    assert (read.text(), read.text("zh-Hant")) == ("The maximum on Big is S$500.", "大的上限為 S$500。")


@pytest.mark.parametrize("data", [None, {"id": "refusals.of-another-version", "params": {}}, {"id": 3}, "text"])
def test_an_unknown_stored_message_is_shown_by_its_sentence(data: object) -> None:
    assert stored(data, "betting is closed").text("zh-Hant") == "betting is closed"


def test_names_of_several_roles_are_joined_as_alternatives() -> None:
    described = Message("refusals.rights.role", {"roles": ["base-dealer", "box-person"], "role": "player"})
    assert described.text() == "Only the base dealer or box person can do this, not the player."
    assert described.text("zh-Hans") == "只有台边荷官或坐台主任可以这样做，玩家不可以。"
