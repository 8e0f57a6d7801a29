"""The reference is complete: every book key, command, option, public name and layer is documented."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

import pitbook
from pitbook.cli import COMMANDS, main
from pitbook.rulebooks.extensions import MAY_CHANGE
from pitbook.rulebooks.text import Text
from pitbook.server.http.problems import PROBLEMS
from pitbook.table import commands

ROOT = Path(__file__).parents[2]
OWN_BOOK = (ROOT / "docs" / "guides" / "own-book.md").read_text(encoding="utf-8")
COMMAND_PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
PYTHON_PAGE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
HTTP_PAGE = (ROOT / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
ANALYSIS = (ROOT / "docs" / "guides" / "analysis.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

TABLE = re.compile(r"<!-- model: (\w+) -->.*?\|---\|---\|\n((?:\|[^\n]*\|\n?)+)", re.DOTALL)
MODELS = [one for one in Text.__subclasses__() if one.__module__.startswith("pitbook.rulebooks.")]
TABLES = {model: rows.splitlines() for model, rows in TABLE.findall(OWN_BOOK)}
NOT_IN_THE_MODEL = {("Identity", "extends")}


def documented_fields(model: str) -> Iterator[tuple[str, bool, str]]:
    """The keys that a model's table tells: whether they must be given, and in which words."""
    for row in TABLES[model]:
        keys, words = row.strip("| ").split(" | ", 1)
        for key in re.findall(r"`(\w+)`", keys):
            if (model, key) not in NOT_IN_THE_MODEL:
                yield key, "•" in keys, words


def words_of(annotation: Any) -> Iterator[str]:
    """The words that a key takes, where it takes only a few."""
    if get_origin(annotation) is Literal:
        yield from (f'"{word}"' if isinstance(word, str) else str(word) for word in get_args(annotation))
    else:
        for inner in get_args(annotation):
            yield from words_of(inner)


def test_the_http_page_tells_every_field_of_the_commands_that_it_lists() -> None:
    section = HTTP_PAGE.partition("## Custody, inspections and rulings")[2].partition("\n## ")[0]
    documented_fields = re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE)
    assert len(documented_fields) == 12
    for name, listed in documented_fields:
        fields = msgspec.structs.fields(getattr(commands, name))
        assert listed.split(", ") == [f"`{one.name}`" if one.required else f"[`{one.name}`]" for one in fields], name


def test_every_model_of_a_book_has_its_table() -> None:
    assert set(TABLES) == {model.__name__ for model in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_key_of_a_book_is_documented_with_all_its_values(model: type[Text]) -> None:
    keys = {key: (must, words) for key, must, words in documented_fields(model.__name__)}
    assert set(keys) == set(model.model_fields)
    for key, field in model.model_fields.items():
        must, words = keys[key]
        assert must == field.is_required(), f"{key}: {'must' if field.is_required() else 'need not'} be given"
        for word in words_of(field.annotation):
            assert f"`{word}`" in words, f"{key}: {word} is not told"


def test_what_an_extending_book_may_change_is_documented() -> None:
    part = OWN_BOOK.partition("It may change only")[2].partition("It may not go below")[0]
    for key in MAY_CHANGE:
        assert f"`{key.rpartition('.')[2]}`" in part or f"`[{key}]`" in part, key


SECTIONS = dict(re.findall(r"^## `pitbook ([\w-]+).*?`\n(.*?)(?=^## |\Z)", COMMAND_PAGE, re.MULTILINE | re.DOTALL))


def test_every_command_has_its_section_in_the_order_of_the_help() -> None:
    assert list(SECTIONS) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_documented_and_no_other(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    output = capsys.readouterr().out
    # An argument without a name is shown with the name that it may be given: "BOOK --book".
    options = set(re.findall(r"(?<![A-Z] )(--[a-z][a-z-]+)", output))
    rows = re.findall(r"^\| (.*?) \|", SECTIONS[command], re.MULTILINE)
    assert {option for row in rows for option in re.findall(r"`(--[a-z][a-z-]+)", row)} == options


def test_every_rule_of_lint_is_documented() -> None:
    source = (ROOT / "src" / "pitbook" / "analysis" / "lint.py").read_text(encoding="utf-8")
    rules = set(re.findall(r'Severity\.\w+, "([a-z-]+)"', source)) | {"broken-book"}
    assert set(re.findall(r"^\| `([a-z-]+)` \| (?:error|warning|note)", ANALYSIS, re.MULTILINE)) == rules


def test_every_problem_is_documented_with_its_status_and_sentence() -> None:
    part = HTTP_PAGE.partition("### Problems with requests")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (.*) \|$", part, re.MULTILINE)
    assert sorted(rows) == sorted((kind.name, str(kind.status), kind.message.text()) for kind in PROBLEMS.values())


def test_every_public_name_is_documented() -> None:
    documented = set(re.findall(r"^\.\. auto\w+:: pitbook\.[\w.]*?(\w+)$", PYTHON_PAGE, re.MULTILINE))
    assert set(pitbook.__all__) <= documented | {"PACKAGED"}
    assert "`pitbook.PACKAGED`" in PYTHON_PAGE


def test_the_packages_are_listed_in_import_order() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    names = [name for layer in layers for name in re.findall(r"\w+", layer)]
    table = ARCHITECTURE.partition("| package |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == names
