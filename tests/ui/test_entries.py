"""Every entry of a record can be told in Chinese, from its data alone: no word of its English sentence is left."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from pitbook.house.books import HouseBooks
from pitbook.house.records import RecordedEntry
from pitbook.journal.entries import GENESIS, Entry
from pitbook.people import events as people
from pitbook.people.values import Limits, Pending
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.translations import house
from pitbook.server.backoffice.journal_pages import entry_info
from pitbook.server.backoffice.paging import PagePosition
from pitbook.server.presenters.books import book_page
from pitbook.table import events as table
from pitbook.table.evolve import evolve
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from tests.playthroughs.scripts import PLAYS
from tests.playthroughs.test_transcripts import SCRIPTS
from tests.ui.test_modules import node

assert SCRIPTS  # they register their plays

QUOTED = re.compile("「[^」]*」|［[^］]*］")
"""What people said, names that a house gives, and clauses."""
ENGLISH = re.compile("[a-z]{3,}")
TOLD = """
import {{ readFileSync }} from "node:fs";
const {{ entries, book, sentences }} = JSON.parse(readFileSync({file}, "utf8"));
const name = one => one.toUpperCase();
const sentence = one => sentences[one] ?? one;
globalThis.document = {{ documentElement: {{}} }};
const words = async area => {{
  const entryPoints = [`src/i18n/words/${{area}}.zh-Hant.ts`];
  const made = await build({{ entryPoints, bundle: true, format: "esm", write: false }});
  return (await import("data:text/javascript," + encodeURIComponent(made.outputFiles[0].text))).words;
}};
const [desk, seat] = [(await words("console")).desk, (await words("play")).seat];
const say = {{ desk, seat, problems: await words("problems") }};
const told = entries.map(entry => asked.tell({{ entry, book, money: "USD", say, name, sentence }}));
"""


def in_chinese(folder: Path, entries: list[dict[str, Any]], book: str | None) -> list[list[str] | None]:
    """What the pages say of entries."""
    page = None if book is None else json.loads(book_page(load(book), "zh"))
    file = folder / "entries.json"
    file.write_text(json.dumps({"entries": entries, "book": page, "sentences": house()}), encoding="utf-8")
    found: list[list[str] | None] = node("i18n/journal/zh.ts", TOLD.format(file=json.dumps(str(file))))
    return found


DAN = Person("dan", "dealer")


def entry(kind: str, body: bytes, who: Person = DAN, answer: bytes | None = None) -> Entry:
    at = "2026-03-01T12:00:00+00:00"
    return Entry("t1", 7, kind, body, who.name, who.role, at, None, None, answer, "", None, (), GENESIS, GENESIS)


def played(book: str) -> list[dict[str, Any]]:
    """The records of all scripts under a book, as the API tells them."""
    found = []
    for play in (one for one in PLAYS if one.book == book):
        stage = play.perform()
        state = HouseBooks().new_table("t1")
        for said in stage.record:
            what, after = said.what, state
            if isinstance(what, Refusal):
                body = msgspec.json.encode({"table": "t1", "refusal": what.why})
                answer = msgspec.json.encode({"clauses": what.clauses, "reading": what.reading})
                one = entry("refused", body, said.person, answer)
            else:
                after = evolve(state, what)
                one = entry(type(what).__name__, msgspec.json.encode(what), said.person)
            told = RecordedEntry(one, state, after, said)
            found.append(
                msgspec.to_builtins(entry_info(PagePosition(one, told.round, told.sentences(), after, told.bets)))
            )
            state = after
    return found


def english_in(lines: list[str]) -> set[str]:
    return {line for line in lines if ENGLISH.search(QUOTED.sub("", line)) or not re.search("[\u4e00-\u9fff]", line)}


@pytest.mark.parametrize("book", sorted({play.book for play in PLAYS}))
def test_every_entry_of_every_script_is_told_in_chinese(book: str, tmp_path: Path) -> None:
    entries = played(book)
    told = in_chinese(tmp_path, entries, book)
    assert [one["kind"] for one, lines in zip(entries, told, strict=True) if not lines] == []
    lines = [line for lines in told for line in lines or []]
    assert english_in(lines) == set()
    wagers = load(book).every
    assert [line for line in lines for wager in wagers if f"「{wager}」" in line] == []


def sample(kind: inspect.Type) -> Any:
    """Any value of a type; of two, the one that says more."""
    match kind:
        case inspect.StrType():
            return "USD"
        case inspect.IntType() | inspect.FloatType():
            return 3
        case inspect.BoolType():
            return True
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.VarTupleType(item_type=item):
            return [sample(item)]
        case inspect.DictType(value_type=value):
            return {"USD": sample(value)}
        case inspect.UnionType(types=types):
            return sample(next(one for one in types if not isinstance(one, inspect.NoneType)))
        case inspect.StructType(fields=fields):
            return {field.encode_name: sample(field.type) for field in fields}
    raise AssertionError(f"no sample of {kind}")


@pytest.mark.parametrize("events", [table.EVENTS, people.EVENTS], ids=["table", "house"])
def test_every_kind_of_event_has_its_chinese(events: tuple[type[msgspec.Struct], ...], tmp_path: Path) -> None:
    bodies = {event.__name__: json.dumps(sample(inspect.type_info(event))).encode() for event in events}
    entries = [
        msgspec.to_builtins(entry_info(PagePosition(entry(kind, body), None, []))) for kind, body in bodies.items()
    ]
    told = dict(zip(bodies, in_chinese(tmp_path, entries, None), strict=True))
    assert [kind for kind, lines in told.items() if not lines] == []


def test_each_limit_of_a_player_is_told_by_its_name(tmp_path: Path) -> None:
    at = "2026-03-02T12:00:00+00:00"
    pending = tuple(Pending(part, 300, at) for part in ("USD", "stake-USD", "seconds"))
    event = people.LimitsSet("ann", Limits({"USD": 100}, 60, {"USD": 200}), pending)
    told = entry_info(PagePosition(entry("LimitsSet", msgspec.json.encode(event)), None, []))
    lines = in_chinese(tmp_path, [msgspec.to_builtins(told)], None)[0]
    assert lines is not None
    assert "每日最多輸 $1.00，同時下注最多 $2.00，每日最多玩 60 秒" in lines[0]
    assert [line.partition("將於")[0] for line in lines[1:]] == ["輸錢限額", "下注限額", "時間限額"]
    assert [line.partition("改為 ")[2] for line in lines[1:]] == ["$3.00", "$3.00", "300 秒"]


def test_an_entry_that_was_tampered_with_is_told_by_its_own_words(tmp_path: Path) -> None:
    strange = [("BetsPlaced", b'{"bets": 7}'), ("Surprise", b"{}"), ("constructor", b"{}")]
    entries = [msgspec.to_builtins(entry_info(PagePosition(entry(kind, body), None, []))) for kind, body in strange]
    assert in_chinese(tmp_path, entries, None) == [None, None, None]
