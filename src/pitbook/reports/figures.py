"""A wager's figures as JSON and CSV: fractions as text in lowest terms."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from pitbook.reports.volatility import CONFIDENCES, ROUNDS, volatility_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.analysis.variants import Variant
    from pitbook.rulebooks.model import Rulebook

SIDES = ("low", "high")
CSV_COLUMNS = (
    "book",
    "wager",
    "paytable",
    "readings",
    "row",
    "pays",
    "probability",
    "win_probability",
    "house_edge",
    "house_edge_percent",
    "return",
    "variance",
    "standard_deviation",
    "skewness",
    "expected_rolls",
    "edge_per_roll",
    "clauses",
    "hit_frequency",
    "volatility_index",
    *(f"hold_{side}_{confidence}_after_{rounds}" for rounds in ROUNDS for confidence in CONFIDENCES for side in SIDES),
)


def figures_data(book: Rulebook, found: Iterable[Variant]) -> dict[str, Any]:
    """Return all figures of a book's wagers."""
    return {"book": book.id, "digest": book.digest, "wagers": [variant_data(variant) for variant in found]}


def variant_data(variant: Variant) -> dict[str, Any]:
    """Return the figures of one wager under one pay table and its readings."""
    book, figures, wager = variant.book, variant.analysis, variant.analysis.wager
    data: dict[str, Any] = {
        "wager": wager.id,
        "paytable": figures.paytable,
        "readings": dict(variant.readings),
        "ends": [
            {"row": end.row, "pays": book.printed(end.odds), "probability": str(end.probability)}
            for end in figures.ends
        ],
        "win_probability": str(figures.win_probability),
        "push_probability": str(figures.push_probability),
        "house_edge": str(figures.house_edge),
        "edge_per_resolved": str(figures.edge_per_resolved),
        "return": str(figures.return_to_player),
        "variance": str(figures.variance),
        "standard_deviation": figures.standard_deviation,
        "skewness": figures.skewness,
        "expected_rolls": str(figures.expected_rolls),
        "rolls_variance": str(figures.rolls_variance),
        "edge_per_roll": str(figures.edge_per_roll),
        "break_even": {row: str(odds) for row, odds in figures.break_even.items()},
        "clauses": variant_clauses(variant),
        **volatility_data(figures),
    }
    if wager.envy:
        data["envy"] = {
            "pays": wager.envy_pays,
            "unit": wager.envy.unit,
            "house_edge_after_envy_at_stake_1": str(figures.edge_after_envy(1)),
            "cost_times_stake" if wager.envy.unit == "currency" else "cost": str(figures.envy_cost(1)),
        }
    return data


def variant_clauses(variant: Variant) -> list[str]:
    """Return the clauses behind a wager's figures."""
    wager, table = variant.analysis.wager, variant.analysis.paytable
    return list(dict.fromkeys([*wager.clauses, *wager.row_clauses[table].values()]))


def figures_csv(found: Iterable[Variant]) -> str:
    """Return one line for every end of every wager."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for variant in found:
        data = variant_data(variant)
        common = {
            **data,
            "book": variant.book.id,
            "readings": " ".join(f"{name}={choice}" for name, choice in variant.readings.items()),
            "house_edge_percent": f"{float(variant.analysis.house_edge) * 100:.6f}",
            "clauses": " ".join(data["clauses"]),
            **_band_columns(data["hold_bands"]),
        }
        for end in data["ends"]:
            writer.writerow({**common, **end})
    return out.getvalue()


def _band_columns(bands: Iterable[dict[str, Any]]) -> dict[str, str]:
    return {
        f"hold_{side}_{band['confidence']}_after_{band['rounds']}": f"{band[side]:.8f}"
        for band in bands
        for side in SIDES
    }
