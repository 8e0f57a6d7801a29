"""The sheet for a laboratory: what is on it, that it stands alone, and that nothing in a book can break it."""

from __future__ import annotations

import base64
import re
import sys
from datetime import date
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
import typst
from PIL import Image

from pitbook.analysis.variants import Variant, reloader, variants
from pitbook.cli import main
from pitbook.errors import InputError
from pitbook.reports import fonts
from pitbook.reports.charts import draw_charts
from pitbook.reports.contents import Filing, Sheet, build_sheet
from pitbook.reports.sheet import html_page, pdf_file, sheet_file, write_sheets
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.model import Rulebook
from tests.soaking import thorough

DAY = date(2026, 1, 2)
FILING = Filing(DAY, "A. Mathematician", "B. Manager")
VOID = {"meta", "link", "img", "br"}
HOSTILE = r"""</title><script>alert("x")</script> & #panic() $x^2$ \ *b* _i_ @ref `raw` // <label> [c] 'q'"""


class Page(HTMLParser):
    """A page, read back: every element closed, every id once, all text and all addresses."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: list[str] = []
        self.titles: set[str] = set()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        values = {name: value or "" for name, value in attrs}
        self.titles.add(values.get("title", ""))
        self.ids += [values["id"]] if "id" in values else []
        self.addresses += [values[name] for name in ("src", "href") if name in values]
        assert not any(name.startswith("on") for name in values), f"{tag} has a handler"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(self.texts)


def sheet_of(rules: Rulebook, found: list[Variant] | None = None) -> Sheet:
    return build_sheet(rules, found or variants(rules), FILING)


def page_of(sheet: Sheet) -> str:
    return html_page(sheet, draw_charts(sheet))


def licensee(tmp_path: Path, base: str, title: str, more: str = "") -> Path:
    path = tmp_path / "own.toml"
    path.write_text(f"[book]\nid = 'own'\nextends = '{base}'\ntitle = '''{title}'''\n{more}", encoding="utf-8")
    return path


@pytest.mark.parametrize("book", ["dice-ology", *thorough(*(book for book in PACKAGED if book != "dice-ology"))])
def test_the_page_has_every_wager_with_its_exact_edge_and_needs_nothing_else(book: str) -> None:
    rules = load(book)
    found = variants(rules)
    text = page_of(sheet_of(rules, found))
    page = Page(text)
    for variant in found:
        assert variant.analysis.wager.id in page.texts
        assert str(variant.analysis.house_edge) in page.texts
        assert str(variant.analysis.house_edge) in page.titles
    for fact in (rules.digest, rules.identity.title, rules.identity.authority, str(DAY), "inferred"):
        assert fact in page.texts
    assert len(page.ids) == len(set(page.ids))
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    assert {address[1:] for address in page.addresses if address.startswith("#")} <= set(page.ids)
    assert not re.search(r"https?:|@import|url\(", text)
    for picture in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", text):
        svg = base64.b64decode(picture).decode()
        assert not re.search(r"<script|(href|src)=\"(?!#)|@import|url\((?!#)", svg)


def test_areas_with_equal_figures_share_a_line() -> None:
    lines = sheet_of(load("singapore-mbs-sic-bo-v6")).lines
    assert len(lines) == 19
    assert sum(len(line.ids) for line in lines) == 104
    by_id = {line.id: line for line in lines}
    assert by_id["total/{4, 17}"].full_name == "Total 4 · 17"
    assert by_id["total/{4, 17}"].chance.exact == "1/72"
    assert by_id["any-triple"].break_even.text == "35 to 1"
    assert by_id["small"].ways.exact == "105 of 216"


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
def test_the_ends_of_a_ladder_add_up_to_its_return(book: str) -> None:
    sheet = sheet_of(load(book))
    assert sheet.ladders
    for ladder in sheet.ladders:
        assert sum(Fraction(row.probability.exact) for row in ladder.rows) == 1
        for place, line in enumerate(ladder.columns):
            total = sum(Fraction(row.cells[place].adds.exact) for row in ladder.rows)
            assert total == Fraction(ladder.returns[place].exact) == 1 - Fraction(line.edge.exact)


def test_a_flat_envy_costs_less_the_more_is_staked() -> None:
    [envy] = sheet_of(load("dice-works")).envies
    assert envy.stakes == (1, 5, 25, 100)
    for entry in envy.lines:
        edges = [Fraction(figure.exact) for figure in (*entry.after, entry.line.edge)]
        assert edges == sorted(edges)
        assert (edges[-1] - edges[0]) == 5 * (edges[-1] - edges[1])


def test_envy_as_a_multiple_does_not_depend_on_the_stake() -> None:
    rules = load("dice-works", readings={"dealer-envy-unit": "multiple"})
    [envy] = sheet_of(rules, variants(rules, ["parlay-envy/2x2"])).envies
    assert envy.stakes == ()
    assert "2 × the wager" in Page(page_of(sheet_of(rules, variants(rules, ["parlay-envy/2x2"])))).texts


def test_an_advantage_of_the_player_is_flagged() -> None:
    rules = load("dice-works", as_printed=True)
    sheet = sheet_of(rules, variants(rules, ["all-lows", "roll-the-line"]))
    assert [line.id for line in sheet.favouring] == ["all-lows", "all-lows"]
    assert "The player has the advantage" in Page(page_of(sheet)).text
    plain = load("dice-works")
    assert "The player has the advantage" not in page_of(sheet_of(plain, variants(plain, ["all-lows"])))


def test_all_readings_of_a_wager_stand_together() -> None:
    rules = load("massachusetts-sic-bo")
    found = variants(rules, ["one-of-a-kind/1", "small"], reload=reloader("massachusetts-sic-bo"))
    sheet = sheet_of(rules, found)
    assert [(line.id, line.in_force) for line in sheet.lines] == [
        ("one-of-a-kind/1", True),
        ("one-of-a-kind/1", False),
        ("small", True),
    ]
    reading, *others = sheet.readings
    assert (reading.id, reading.choice, reading.others[0].name) == ("one-of-a-kind-single", "one-to-one", "one-to-ten")
    assert {one.label for one in others} == {""}, "all others are listed, without a label"
    assert {one.id for one in sheet.readings} == set(rules.readings)
    assert "R1 one-to-ten" in Page(page_of(sheet)).texts


def test_no_text_of_a_book_is_read_as_markup(tmp_path: Path) -> None:
    own = licensee(
        tmp_path, "massachusetts-sic-bo", HOSTILE, f"[wager.small]\nname = {{ en = '''{HOSTILE}''', zh = '' }}"
    )
    rules = load(own)
    found = variants(rules, ["small", "total/4"])
    sheet = sheet_of(rules, found)
    charts = draw_charts(sheet)
    page = Page(html_page(sheet, charts))
    assert page.texts.count(HOSTILE) >= 2
    assert page.tags.count("script") == 1
    assert "<script" not in charts.edges.svg
    assert pdf_file(sheet, charts).startswith(b"%PDF")


@pytest.mark.thorough
@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
def test_the_pdf_is_set(book: str) -> None:
    sheet = sheet_of(load(book))
    pdf = pdf_file(sheet, draw_charts(sheet))
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 50_000


@pytest.mark.thorough
@pytest.mark.parametrize("book", [*thorough(*PACKAGED), "craps"])
def test_no_page_of_the_pdf_but_the_last_is_half_empty(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[bytes] = []
    compile_pdf = typst.compile

    def compile_pictures(source: bytes, **settings: Any) -> bytes:
        settings = {name: settings[name] for name in ("sys_inputs", "font_paths")}
        pages.extend(compile_pdf(source, format="png", ppi=36.0, **settings))
        return b""

    monkeypatch.setattr(typst, "compile", compile_pictures)
    sheet = sheet_of(load(book))
    pdf_file(sheet, draw_charts(sheet))
    for number, page in enumerate(pages[:-1], 1):
        with Image.open(BytesIO(page)) as picture:
            pixels = np.asarray(picture.convert("L"))
        body = pixels[: int(len(pixels) * 0.92)]  # without the footer
        last = np.flatnonzero((body < 200).any(axis=1)).max()
        assert last > 0.55 * len(body), f"page {number} of {len(pages)}"


@pytest.mark.thorough
def test_fractions_of_hundreds_of_digits_fit_the_pdf() -> None:
    rules = load("dice-works", as_printed=True)
    sheet = sheet_of(rules, variants(rules, ["the-works"]))
    assert len(sheet.areas[0].edge.exact) > 600
    assert pdf_file(sheet, draw_charts(sheet)).startswith(b"%PDF")


def test_without_a_chinese_font_chinese_is_left_out_of_the_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # PDF/UA refuses a character that no font has, so if it compiles, no box was printed.
    monkeypatch.setattr(fonts, "CHINESE", ())
    rules = load(licensee(tmp_path, "dice-ology", "Casino 澳門 🎲"))
    sheet = sheet_of(rules, variants(rules, ["little-ones"]))
    assert pdf_file(sheet, draw_charts(sheet)).startswith(b"%PDF")


def test_the_supply_of_characters_says_what_can_be_printed() -> None:
    supply = fonts.FontSupply(None, fonts.typst_characters())
    assert supply.printable("х × − “43” ▲ √ 1 … 2") == "х × − “43” ▲ √ 1 … 2"
    assert supply.printable("大 1\n🎲") == "? 1\n?"


@pytest.mark.thorough
def test_the_same_figures_give_the_same_bytes() -> None:
    rules = load("dice-works")
    sheets = [sheet_of(rules, variants(rules, ["all-lows", "high-roller"])) for _ in range(2)]
    drawn = [(sheet, draw_charts(sheet)) for sheet in sheets]
    pages = [(html_page(sheet, charts), pdf_file(sheet, charts)) for sheet, charts in drawn]
    assert pages[0] == pages[1]


def test_without_a_date_none_is_stated() -> None:
    rules = load("dice-ology")
    sheet = build_sheet(rules, variants(rules))
    charts = draw_charts(sheet)
    assert "Made on" not in html_page(sheet, charts)
    assert b"CreationDate" not in pdf_file(sheet, charts)


@pytest.mark.parametrize("module", [*thorough("jinja2", "matplotlib", "xlsxwriter"), "typst"])
def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    rules = load("dice-ology")
    with pytest.raises(InputError, match=rf"{module}.*install pitbook\[reports\]"):
        write_sheets(rules, variants(rules), {tmp_path / f"a.{form}": form for form in ("html", "pdf", "xlsx")})
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    rules = load("dice-ology")
    found = variants(rules, ["big-ones"])
    for path in (tmp_path, tmp_path / "missing" / "a.html"):
        with pytest.raises(InputError, match="cannot write"):
            write_sheets(rules, found, {path: "html"})
    with pytest.raises(InputError, match="no wagers"):
        write_sheets(rules, [], {tmp_path / "a.html": "html"})


def test_the_command_writes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html, pdf = tmp_path / "a.html", tmp_path / "a.pdf"
    with pytest.raises(SystemExit) as stopped:
        main(["analyse", "dice-works", "all-lows", "--after", "1-1", "--html", str(html), "--pdf", str(pdf)])
    assert stopped.value.code in (0, None)
    assert "a.pdf" in capsys.readouterr().out
    assert "running" in Page(html.read_text(encoding="utf-8")).texts
    assert pdf.read_bytes().startswith(b"%PDF")


def test_a_sheet_for_a_regulator_says_who_made_it_and_where_the_hold_should_lie() -> None:
    rules = load("massachusetts-sic-bo")
    sheet = sheet_of(rules)
    page = Page(page_of(sheet))
    for words in ("A. Mathematician", "B. Manager", "Volatility and hold", rules.digest):
        assert words in page.texts
    small = next(line for line in sheet.lines if line.id == "small")
    deviation = (1 - (1 / 36) ** 2) ** 0.5
    assert small.volatility.value == pytest.approx(1.645 * deviation)
    bands = {(band.rounds, band.confidence): band for band in small.bands}
    assert set(bands) == {(rounds, percent) for rounds in (10**3, 10**4, 10**5, 10**6) for percent in (90, 95, 99)}
    for (rounds, percent), deviations in {(10**4, 90): 1.6448536, (10**6, 99): 2.5758293}.items():
        half = deviations * deviation / rounds**0.5
        assert bands[rounds, percent].low.value == pytest.approx(100 * (1 / 36 - half), abs=1e-6)
        assert bands[rounds, percent].high.value == pytest.approx(100 * (1 / 36 + half), abs=1e-6)
    assert small.shift.decisions.value == 480
    assert small.shift.win.exact == "40/3"


def test_a_shift_of_a_bet_that_lasts_has_fewer_decisions() -> None:
    rules = load("dice-works")
    [line] = sheet_of(rules, variants(rules, ["all-lows"], {"all-lows": "PT1"})).lines
    rolls = variants(rules, ["all-lows"])[0].analysis.expected_rolls
    assert Fraction(line.shift.decisions.exact) == 480 / rolls


def test_the_workbook_has_every_wager_band_and_reading() -> None:
    rules = load("dice-works")
    found = variants(rules)
    content = sheet_file(rules, found, "xlsx", FILING)
    assert content == sheet_file(rules, found, "xlsx", FILING), "the same figures give the same bytes"
    book = openpyxl.load_workbook(BytesIO(content), read_only=True)
    pages = {page.title: [list(row) for row in page.iter_rows(values_only=True)] for page in book}
    facts = {row[0]: row[1] for row in pages["Sheet"]}
    assert (facts["SHA-256 of the book"], facts["Prepared by"]) == (rules.digest, "A. Mathematician")
    assert {row[0] for row in pages["Ends"][1:]} == set(rules.wagers)
    assert len(pages["Hold bands"]) == 1 + 12 * (len(pages["Wagers"]) - 1)
    assert {row[1] for row in pages["Readings"][1:]} == set(rules.readings)


@pytest.mark.parametrize("form", ["html", "pdf", "csv", "xlsx", "json"])
def test_the_command_writes_a_sheet_in_each_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["analyse", "dice-ology", "big-ones", "--format", form, "--prepared-by", "Ann", "--approved-by", "Bob"])
    assert stopped.value.code in (0, None)
    assert (tmp_path / f"dice-ology.{form}").stat().st_size > 500
    with pytest.raises(SystemExit) as stopped:
        main(["analyse", "dice-ology", "big-ones", "--output", "sheet.docx"])
    assert stopped.value.code == 2
