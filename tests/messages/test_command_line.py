"""The command line and input errors by message: every id exists and is used; the locale decides the language."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import pitbook
from pitbook.cli import COMMANDS
from pitbook.cli.language import language
from pitbook.errors import InputError, InputErrors, unknown_name
from pitbook.journal.errors import Broken
from pitbook.messages import Message
from pitbook.messages.catalogue import entries
from pitbook.rulebooks.catalogue import SHIPPED, load, packaged_raw
from pitbook.rulebooks.conditions import parse_condition
from pitbook.rulebooks.errors import BookError, InvalidBook, problem, solution
from pitbook.rulebooks.translations import packaged
from pitbook.server.settings import Settings
from pitbook.tumbler.seals import UnusableKey
from tests.soaking import thorough

SOURCES = Path(pitbook.__file__).parent
PREFIXES = {"InputError": "errors.", "NotFound": "errors.", "MissingDependency": "errors.", "Busy": "errors."}
PREFIXES |= {"UnusableKey": "errors.", "say": "cli.", "detail": "errors.requests."}
PREFIXES |= {"_problem": "errors.simulation.flaws.", "compose": ""}
PREFIXES |= {"problem": "errors.books.problem.", "solution": "errors.books.solution."}
PLACES = {"say": "cli", "detail": "server"}
"""The packages of functions whose names others have, too."""


@cache
def calls() -> list[tuple[str, str, set[str]]]:
    """Return every call that names a message: its place, the id, and the parameters that it gives."""
    found = []
    for file in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in PREFIXES and node.args:
                first = node.args[0]
                own = PLACES.get(name, "") in file.parts or name not in PLACES
                if (
                    own
                    and isinstance(first, ast.Constant)
                    and isinstance(first.value, str)
                    and all(one.arg for one in node.keywords)
                ):
                    given = {str(one.arg) for one in node.keywords}
                    found.append((f"{file.name}:{node.lineno}", f"{PREFIXES[name]}{first.value}", given))
    return found


def test_an_error_is_raised_with_the_id_of_a_message() -> None:
    raised = [name for name in PREFIXES if name[0].isupper()]
    for file in SOURCES.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(rf"\b({'|'.join(raised)})\(\s*(f\"|str\(|\"[^\"]* )", text), file.name


@pytest.mark.thorough
def test_a_call_names_a_message_with_its_parameters() -> None:
    found = calls()
    assert len(found) > 400
    known = {id_: set(entry.params) for id_, entry in entries().items()}
    assert [call for call in found if known.get(call[1]) != call[2]] == []


def test_every_message_of_the_command_line_and_of_errors_is_used() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py"))
    prefixes = (*re.findall(r'f"((?:[\w-]+\.)+)\{', sources), "help.")
    headings = set(re.findall(r'"([\w-]+)"', "".join(re.findall(r"head\(([^)]*)\)", sources))))
    unused = []
    for id_ in entries():
        area, _, rest = id_.partition(".")
        if area in ("cli", "errors") and f'"{rest}"' not in sources and f'"{id_}"' not in sources:
            dynamic = rest.startswith(prefixes) or id_.startswith(prefixes) or rest.rpartition(".")[2] in headings
            unused += [] if dynamic else [id_]
    assert unused == []


def test_every_message_about_books_is_used() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in (SOURCES / "rulebooks").glob("*.py"))
    named = [id_ for id_ in entries() if id_.startswith("errors.books.")]
    assert len(named) > 180
    assert [id_ for id_ in named if not re.search(rf'["."]{id_.split(".", 3)[3]}"', sources)] == []


def test_every_message_about_requests_is_used() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in (SOURCES / "server").rglob("*.py"))
    named = [id_.removeprefix("errors.requests.") for id_ in entries() if id_.startswith("errors.requests.")]
    assert len(named) > 150
    unused = {rest for rest in named if not re.search(rf'["."]{re.escape(rest)}"', sources)}
    by_words = {"field.time", "field.date", "field.time-zone"}  # of the library
    assert {rest for rest in unused if not rest.startswith("types.")} == by_words


def test_every_command_has_a_summary() -> None:
    assert {f"cli.help.{command}.summary" for command in COMMANDS} <= set(entries())


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_ALL": "zh_SG"}, "zh-Hans"),
        ({"LC_ALL": "", "LANG": "zh_HK"}, "zh-Hant"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_decides_the_language(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language.__wrapped__() == expected


def pitbook_in(locale: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pitbook", *arguments]
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)


@pytest.mark.thorough
def test_help_tables_and_errors_are_in_the_user_s_language() -> None:
    result = pitbook_in("zh_TW.UTF-8", "settle", "--help")
    assert "用法： pitbook settle" in result.stdout
    assert "按規則書結算各擲的投注。" in result.stdout
    assert "［必填］" in result.stdout
    table = pitbook_in("zh_CN.UTF-8", "analyse", "dice-ology")
    assert "庄家优势" in table.stdout
    odds = pitbook_in("zh_TW.UTF-8", "illuminate", "massachusetts-sic-bo", "2-2-2")
    assert "1賠150" in odds.stdout
    assert " to 1" not in odds.stdout
    wrong = pitbook_in("zh_TW.UTF-8", "settle", "craps", "--bet", "craps-elevn=5", "--rolls", "1-1")
    assert (wrong.returncode, wrong.stderr) == (2, "pitbook: craps 沒有注「craps-elevn」；是否指 eleven？\n")
    assert pitbook_in("zh_TW.UTF-8", "analys").stderr.startswith('pitbook: 沒有指令 "analys"；是否指 "analyse"？')


KEPT_IN_ENGLISH = {"HMAC", "SHA", "SQLite", "TLS", "USD", "SGD", "PT", "Pitbook", "pitbook", "json"}
"""Names of standards, currencies and pay tables."""
TYPED = ("id", "selections", "clause", "printed", "default", "group", "rows", "paytables", "equipment", "by", "version")
"""Keys of books whose values are typed as arguments, refer to other keys, or quote the text."""


def words(text: object) -> set[str]:
    return set(re.findall(r"[A-Za-z]{2,}", str(text)))


def typed_words(raw: object) -> set[str]:
    """Return the words of a book's keys, and of values that are ids or quotations."""
    found: set[str] = set()
    if isinstance(raw, dict):
        for key, value in raw.items():
            found |= words(key) | (words(value) if key in TYPED else typed_words(value))
    elif isinstance(raw, list):
        found = found.union(*(typed_words(one) for one in raw))
    return found


def known_words(book: str) -> set[str]:
    """Return what a Chinese table of a book may have in Latin letters: ids, quotations, brand names, standards."""
    chinese = " ".join(text.zh for text in packaged(book).values())
    rules = load(book)
    ids = [*rules.wagers, *rules.roles, *rules.options_chosen.values()]
    ids += [wager.name.zh for wager in rules.wagers.values()]
    rules_of_lint = re.findall(r'"([a-z]+-[a-z-]+)"', (SOURCES / "analysis" / "lint.py").read_text(encoding="utf-8"))
    return KEPT_IN_ENGLISH | typed_words(packaged_raw(book)) | words(chinese) | words(ids) | words(rules_of_lint)


@pytest.mark.parametrize("book", ["dice-works", *thorough(*(book for book in SHIPPED if book != "dice-works"))])
@pytest.mark.parametrize("command", ["show", "wagers", "lint"])
def test_a_chinese_table_of_a_book_has_no_english_word_but_ids(command: str, book: str) -> None:
    result = pitbook_in("zh_TW.UTF-8", command, book)
    assert result.stderr == ""
    assert words(re.sub(r"\b[0-9a-f]{64}\b", "", result.stdout)) - known_words(book) == set()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            (
                *("settle", "craps", "--bet", "pass-line=10", "place/8=12@2", "field=5", "hard/6=1@2"),
                *("--take-down", "place/8@4", "--rolls", "3-3 4-4 1-1 4-1"),
            ),
            ("贏", "輸", "已取回", "進行中"),
        ),
        (("settle", "dice-works", "--bet", "all-lows=5", "--rolls", "3-1 6-6"), ("現時檯面（目標點 4）", "進行中")),
        (("simulate", "craps", "--bet", "pass-line=10", "--hands", "1000"), ("贏", "輸")),
        (("simulate", "craps", "--strategy", "iron-cross", "--hands", "10"), ("區域注與押點 5、6、8",)),
        (("design", "massachusetts-sic-bo", "small", "--target-edge", "3%"), ("贏", "沒有可印的賠率")),
        (("illuminate", "massachusetts-sic-bo", "2-2-2"), ("全圍",)),
        (("lint", "craps-bonus"), ("備註", "「得」")),
    ],
)
def test_chinese_tables_have_chinese_words_for_results(arguments: tuple[str, ...], expected: tuple[str, ...]) -> None:
    result = pitbook_in("zh_TW.UTF-8", *arguments)
    assert result.returncode == 0, result.stderr
    assert [text for text in expected if text not in result.stdout] == []
    english = {"win", "lose", "push", "running", "taken", "point", "modelled", "definition", "edge", "Field", "Pass"}
    assert words(result.stdout) & english == set()


@pytest.mark.parametrize("book", SHIPPED)
def test_every_row_of_a_packaged_book_has_a_chinese_name(book: str) -> None:
    rows = {row for wager in load(book).wagers.values() for row in wager.rows if not row.isdecimal()}
    known = {row: entries().get(f"cli.results.outcomes.{row}") for row in rows}
    assert {row: entry and entry.en for row, entry in known.items()} == {row: row for row in rows}


def test_the_kinds_of_clauses_are_in_chinese() -> None:
    result = pitbook_in("zh_TW.UTF-8", "clauses", "craps-bonus")
    assert "由軟件執行" in result.stdout
    assert not re.search(r" (modelled|physical|definition) ", result.stdout)


def test_every_setting_is_described_in_chinese_and_in_the_same_english() -> None:
    described = {name: field.description for name, field in Settings.model_fields.items()}
    known = {id_.removeprefix("cli.settings."): entry for id_, entry in entries().items()}
    assert {name: known[name].en for name in described} == described
    assert {id_ for id_ in entries() if id_.startswith("cli.settings.")} == {
        f"cli.settings.{name}" for name in described
    }
    shown = pitbook_in("zh_TW.UTF-8", "serve", "--show-config")
    assert "監聽的地址" in shown.stdout
    assert "預設" in shown.stdout
    assert "the address to listen on" not in shown.stdout


def test_the_problems_of_a_book_are_in_the_user_s_language(tmp_path: Path) -> None:
    book = tmp_path / "own.toml"
    own = 'book = { id = "own", extends = "maryland-sic-bo", currency = 3 }\n'
    book.write_text(own + 'wager.odd = { wins = "total", pays = "1 to 2" }\n', encoding="utf-8")
    with pytest.raises(InvalidBook) as broken:
        load(book)
    head, *lines = broken.value.text("zh-Hant").splitlines()
    assert head == f"{len(lines)} 個問題"
    described = {line.split("：")[1]: line.split("：", 2)[2] for line in lines}
    assert described["wager.odd.wins"].startswith("擴充的規則書不可更改此項；擴充的規則書只可更改 book.id、")
    assert described["book.currency"] == "3 不適用；請在引號內寫文字"
    result = pitbook_in("zh_CN.UTF-8", "check", str(book))
    assert result.returncode == 1
    assert "扩充的规则书不可更改此项" in result.stdout


def test_a_journal_that_cannot_be_audited_is_named_in_the_user_s_language(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    result = pitbook_in("zh_TW.UTF-8", "audit", str(missing))
    assert (result.returncode, result.stderr) == (2, f"pitbook: 沒有檔案 {missing}\n")


def test_the_reason_for_a_broken_chain_is_translated() -> None:
    broken = Broken("t1", 3, "hash")
    assert str(broken) == "table 't1', entry 3: its content does not match its hash"
    damaged = InputError("journal.damaged", reason=broken)
    assert damaged.text("zh-Hant") == "紀錄已損壞：賭檯「t1」，第 3 條：內容與雜湊值不符"


def test_a_wrong_condition_is_explained_in_chinese() -> None:
    with pytest.raises(InputError) as wrong:
        parse_condition("total 4..10 and", 3)
    assert wrong.value.text("zh-Hant").endswith("three of、not 或括號；實為：結尾")


@pytest.mark.thorough
def test_json_and_exit_codes_do_not_depend_on_the_language() -> None:
    arguments = ("lint", "maryland-sic-bo", "--json")
    english, chinese = pitbook_in("C.UTF-8", *arguments), pitbook_in("zh_TW.UTF-8", *arguments)
    assert (english.returncode, json.loads(english.stdout)) == (chinese.returncode, json.loads(chinese.stdout))


def test_a_message_inside_an_error_is_translated_with_it() -> None:
    error = InputError("cli.no-sealing-key", reason=unknown_name("wager", "smal", ["small"]))
    assert str(error) == "unknown wager 'smal'; did you mean small?; the server creates one when it starts"
    assert error.text("zh-Hant") == "沒有注「smal」；是否指 small？；伺服器啟動時會建立"


@pytest.mark.parametrize(
    "error",
    [
        unknown_name("book", "x", ["craps"]),
        InputErrors(["first", Message("errors.cli.no-bets")]),
        InvalidBook([BookError("a.toml", "book.id", problem("missing"), solution("required"))]),
        UnusableKey("journal.not-sealing-keys", "it is not a file", file="key"),
    ],
)
def test_an_error_survives_the_way_between_processes(error: InputError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.text("zh-Hans")) == (type(error), str(error), error.text("zh-Hans"))
    assert vars(copy) == vars(error)
