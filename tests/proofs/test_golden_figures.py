"""Every wager, pay table and reading as exact fractions, in a file per book: any change of a figure is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitbook.analysis.variants import reloader, variants
from pitbook.rulebooks.catalogue import PACKAGED, load

GOLDEN = Path(__file__).parent / "golden"


def figures(book_id: str) -> dict[str, dict[str, str]]:
    """A line for every wager, pay table and choice of readings."""
    book = load(book_id)
    found = {}
    for variant in variants(book, reload=reloader(book_id)):
        figure = variant.analysis
        readings = " ".join(f"{name}={choice}" for name, choice in variant.readings.items())
        key = " ".join(filter(None, [figure.wager.id, figure.paytable, readings]))
        found[key] = {
            "win": str(figure.win_probability),
            "push": str(figure.push_probability),
            "edge": str(figure.house_edge),
            "variance": str(figure.variance),
            "rolls": str(figure.expected_rolls),
        }
    return found


@pytest.mark.parametrize("book", PACKAGED)
def test_the_figures_are_those_on_file(book: str, update: bool) -> None:
    path = GOLDEN / f"{book}.json"
    now = figures(book)
    if update:
        GOLDEN.mkdir(exist_ok=True)
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in now.items())
        path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    assert now == json.loads(path.read_text(encoding="utf-8"))
