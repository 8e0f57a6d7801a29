"""A language is chosen by locale, and its words are compiled for the browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.messages import Language, Message, Money, negotiate
from pitbook.messages.catalogue import Entry, InvalidCatalogue, Tree, entries, page_areas, read
from pitbook.messages.languages import LANGUAGES, language_of
from pitbook.messages.patterns import InvalidPattern, fill, parse
from pitbook.messages.typescript import compile_pages
from pitbook.messages.values import written
from tests.nodejs import NODE
from tests.ui.test_modules import UI, node
from tests.waiting import HANG

TAGS = {
    "en": "en",
    "en-SG": "en",
    "zh": "zh-Hans",
    "zh-CN": "zh-Hans",
    "zh-SG": "zh-Hans",
    "zh-MY": "zh-Hans",
    "zh-Hans-TW": "zh-Hans",
    "zh-TW": "zh-Hant",
    "zh-HK": "zh-Hant",
    "zh-MO": "zh-Hant",
    "zh-Hant": "zh-Hant",
    "zh-Hans": "zh-Hans",
    "zh-Hant-MY": "zh-Hant",
    "fr-FR": None,
}


def test_a_locale_chooses_the_same_language_in_the_server_and_in_the_pages() -> None:
    assert {tag: language_of(tag) for tag in TAGS} == TAGS
    script = f"const results = {json.dumps(list(TAGS))}.map(loaded.languageOf);"
    found = node("i18n/language.ts", script, before="globalThis.document = { documentElement: {} };")
    assert dict(zip(TAGS, found, strict=True)) == TAGS


def test_dates_and_times_follow_the_region_of_the_browser() -> None:
    """American and British readers write the same moment differently; Chinese has the 24-hour clock."""
    script = """
      const written = (language, languages) => {
        navigator.languages = languages;
        loaded.language.value = language === "en" ? "zh-Hans" : "en";
        loaded.language.value = language;
        const style = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" };
        const format = new Intl.DateTimeFormat(loaded.regional.value, style);
        return format.format(Date.UTC(2026, 2, 1, 15, 5)).replace("\\u202f", " ");
      };
      const results = [
        written("en", ["en-US"]), written("en", ["zh-HK", "en-GB"]), written("zh-Hant", ["zh-HK"]),
        written("zh-Hant", ["en-US"]), written("zh-Hans", ["zh-CN"]),
      ];
    """
    before = """
      globalThis.document = { documentElement: {} };
      Object.defineProperty(globalThis, "navigator", { value: { languages: [] } });
    """
    assert node("i18n/language.ts", script, before=before) == [
        "Mar 1, 2026, 3:05 PM",
        "1 Mar 2026, 15:05",
        "2026年3月1日 15:05",
        "2026年3月1日 15:05",
        "2026年3月1日 15:05",
    ]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de-DE, de;q=0.9", "en"),
        ("zh-TW, zh;q=0.9, en;q=0.8", "zh-Hant"),
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("en;q=0.3, zh-HK;q=0.7", "zh-Hant"),
        ("zh;q=0, en", "en"),
        ("zh;q=nonsense", "en"),
    ],
)
def test_accept_language_is_honoured_by_its_weights(header: str | None, language: str) -> None:
    assert negotiate(header) == language


ODD = {"en": "Odd", "zh": "單"}


def test_a_message_survives_the_journal_and_speaks_every_language() -> None:
    message = Message("refusals.bets.over-maximum", {"area": ODD, "most": Money(50_000, "SGD")})
    stored = msgspec.json.decode(msgspec.json.encode(message), type=Message)
    assert stored == message
    assert {language: stored.text(language) for language in LANGUAGES} == {
        "en": "The maximum on Odd is S$500.",
        "zh-Hant": "單的上限為 S$500。",
        "zh-Hans": "单的上限为 S$500。",
    }


def test_us_dollars_and_singapore_dollars_are_distinguished() -> None:
    texts = {
        currency: Message("refusals.bets.over-maximum", {"area": ODD, "most": Money(1_050, currency)}).text()
        for currency in ("USD", "SGD", "play-SGD", "JPY")
    }
    assert [text.removeprefix("The maximum on Odd is ") for text in texts.values()] == [
        "US$10.50.",
        "S$10.50.",
        "◇10.50.",
        "JPY 1,050.",
    ]


def test_odds_and_times_are_written_as_the_language_does() -> None:
    assert [written("odds", "34 to 1", one) for one in LANGUAGES] == ["34 to 1", "1賠34", "1赔34"]
    assert [written("time", "2026-03-01T15:05:00+00:00", one) for one in LANGUAGES] == [
        "1 Mar 2026, 15:05 UTC",
        "2026年3月1日 15:05 UTC",
        "2026年3月1日 15:05 UTC",
    ]


def test_a_message_with_an_unknown_id_or_other_parameters_cannot_be_made() -> None:
    with pytest.raises(KeyError, match=r"no message problems\.nonsense"):
        Message("problems.nonsense")
    with pytest.raises(TypeError, match=r"takes \['area', 'most'\], not \['area'\]"):
        Message("refusals.bets.over-maximum", {"area": ODD})
    with pytest.raises(TypeError, match="not of the type money"):
        Message("refusals.bets.over-maximum", {"area": ODD, "most": 500})


@pytest.mark.parametrize("pattern", ["{count, plural, one {# roll}}", "{open", "{at, date, short}", "{n, number}"])
def test_a_pattern_outside_the_subset_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidPattern):
        parse(pattern)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('a.en = "One"', "no text in Chinese"),
        ('a.zh = "一"', "no text in English"),
        ('a.en = "One"\na.zh = "一"\na.de = "Eins"', "unknown 'de'"),
        ('a.en = "{n}"\na.zh = "{n}"\na.params = { n = "integer" }', "unknown 'integer'"),
    ],
)
def test_an_incomplete_message_is_refused_when_the_file_is_read(text: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "sample.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidCatalogue, match=wrong):
        read("sample", file)


USED = re.compile(r"""\bMessage\(\s*f?["']([\w.{}-]+)["']""")


def test_every_message_that_the_code_names_is_in_the_catalogue() -> None:
    known = entries()
    source = Path(__file__).resolve().parents[2] / "src" / "pitbook"
    for path in sorted(source.rglob("*.py")):
        for name in USED.findall(path.read_text(encoding="utf-8")):
            pattern = re.sub(r"\{[^}]*\}", ".+", re.escape(name).replace(r"\{", "{").replace(r"\}", "}"))
            assert any(re.fullmatch(pattern, one) for one in known), f"{path.name}: {name}"


def paths(tree: Tree, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Entry]]:
    """Yield every message of an area with its keys."""
    for key, value in tree.items():
        if isinstance(value, Entry):
            yield (*path, key), value
        elif isinstance(value, list):
            yield from (((*path, key, index), one) for index, one in enumerate(value))
        else:
            yield from paths(value, (*path, key))


COMPARED = """
import {{ build }} from "esbuild";
import {{ readFileSync }} from "node:fs";
const samples = JSON.parse(readFileSync({folder} + "/samples.json", "utf8"));
const loaded = {{}};
for (const name of new Set(samples.map(one => one[0]))) {{
  const entryPoints = [`${{{folder}}}/words/${{name}}.ts`];
  const made = await build({{ entryPoints, bundle: true, format: "esm", write: false }});
  loaded[name] = (await import("data:text/javascript," + encodeURIComponent(made.outputFiles[0].text))).words;
}}
const results = samples.map(([name, path, values]) => {{
  const found = path.reduce((at, key) => at[key], loaded[name]);
  return typeof found === "string" ? found : found(...values);
}});
console.log(JSON.stringify(results));
"""


def test_the_browser_says_exactly_what_python_says(tmp_path: Path) -> None:
    """Every message of the pages in every language; those with parameters for 0, 1 and 1,500."""
    compile_pages(tmp_path / "words")
    (tmp_path / "numbers.ts").write_text("export const counted = (n: number) => n.toLocaleString('en');")
    samples, expected = [], []
    for name, area in page_areas().items():
        for path, entry in paths(area.tree):
            for language in LANGUAGES:
                for count in (0, 1, 1500) if entry.params else (0,):
                    values = {one: f"<{one}>" if kind == "text" else count for one, kind in entry.params.items()}
                    samples.append([f"{name}.{language}", path, list(values.values())])
                    expected.append(filled(entry, language, values))
    (tmp_path / "samples.json").write_text(json.dumps(samples))
    given: list[str | Path] = [NODE, "--input-type=module", "-e", COMPARED.format(folder=json.dumps(str(tmp_path)))]
    answer = subprocess.run(given, cwd=UI, capture_output=True, text=True, timeout=HANG, check=False)
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout) == expected


def filled(entry: Entry, language: Language, values: dict[str, Any]) -> str:
    return fill(entry.pattern(language), values, lambda name, value: written(entry.params[name], value, language))
