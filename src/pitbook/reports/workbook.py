"""The sheet as a workbook: facts, wagers, ends, hold bands, a shift, readings and notes. Needs XlsxWriter."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pitbook.reports.figures import variant_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.analysis.variants import Variant
    from pitbook.reports.contents import Sheet
    from pitbook.reports.formats import Figure

Cells = list[Any]


def workbook(sheet: Sheet, found: Sequence[Variant]) -> bytes:
    """Return the workbook; the same sheet gives the same bytes."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        day = sheet.filing.made_on
        created = datetime(day.year, day.month, day.day, tzinfo=UTC) if day else datetime(1980, 1, 1, tzinfo=UTC)
        book.set_properties({"title": sheet.title, "comments": sheet.software, "created": created})
        bold = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        for name, head, rows in _tables(sheet, found):
            page = book.add_worksheet(name)
            page.write_row(0, 0, head, bold)
            page.freeze_panes(1, 1)
            widths = [len(str(title)) for title in head]
            for number, row in enumerate(rows, 1):
                page.write_row(number, 0, row)
                widths = [max(width, min(60, len(str(cell)))) for width, cell in zip(widths, row, strict=True)]
            for place, width in enumerate(widths):
                page.set_column(place, place, width + 2)
    return out.getvalue()


def _tables(sheet: Sheet, found: Sequence[Variant]) -> Iterable[tuple[str, list[str], list[Cells]]]:
    filing = sheet.filing
    facts: list[tuple[str, str | int, str]] = [(fact.name, fact.value, fact.note) for fact in sheet.facts]
    facts += [
        ("SHA-256 of the book", sheet.digest, ""),
        ("Software", sheet.software, ""),
        ("Made on", str(filing.made_on or ""), ""),
        ("Prepared by", filing.prepared_by, ""),
        ("Approved by", filing.approved_by, ""),
        ("Rounds an hour", filing.pace.rounds_per_hour, ""),
        ("Hours of a shift", filing.pace.shift_hours, ""),
    ]
    yield "Sheet", ["Fact", "Value", "Note"], [list(fact) for fact in facts]
    yield _wagers(sheet)
    yield (
        "Ends",
        ["Wager", "Table", "Row", "Pays", "Probability", "Exactly"],
        [
            [data["wager"], data["paytable"] or "", end["row"], end["pays"], float(one.probability), end["probability"]]
            for variant in found
            for data in [variant_data(variant)]
            for end, one in zip(data["ends"], variant.analysis.ends, strict=True)
        ],
    )
    yield (
        "Hold bands",
        ["Wager", "Table", "Decisions", "Confidence %", "From %", "To %"],
        [
            [line.id, line.paytable, band.rounds, band.confidence, band.low.value, band.high.value]
            for line in sheet.lines
            for band in line.bands
        ],
    )
    yield (
        "Shift",
        ["Wager", "Table", "Decisions", "Theoretical win", "Deviation", "95% from", "95% to"],
        [[line.id, line.paytable, *map(_value, _shift_figures(line.shift))] for line in sheet.lines],
    )
    yield (
        "Readings",
        ["Label", "Reading", "Clause", "Printed", "Read as", "Says", "Why"],
        [[one.label, one.id, one.clauses, one.printed, one.choice, one.says, one.why] for one in sheet.readings],
    )
    yield "Notes", ["Note", "Text"], [[note.name, note.value] for note in sheet.notes]


def _wagers(sheet: Sheet) -> tuple[str, list[str], list[Cells]]:
    head = ["Wager", "Name", "Table", "Readings", "Pays", "Hit frequency %", "House edge %", "Exactly"]
    head += ["Standard deviation", "Volatility index", "Expected rolls", "Edge per roll %", "Clauses"]
    rows: list[Cells] = [
        [
            line.id,
            line.full_name,
            line.paytable,
            ", ".join(f"{mark.reading}={mark.choice}" for mark in line.marks),
            line.pays.text,
            line.chance.value,
            line.edge.value,
            line.edge.exact,
            line.deviation.value,
            line.volatility.value,
            line.rolls.value,
            line.edge_per_roll.value,
            line.clauses,
        ]
        for line in sheet.lines
    ]
    return "Wagers", head, rows


def _shift_figures(shift: Any) -> tuple[Figure, ...]:
    return shift.decisions, shift.win, shift.deviation, shift.low, shift.high


def _value(figure: Figure) -> float:
    return figure.value
