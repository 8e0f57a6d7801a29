"""A book that can be analysed may lack what a table needs: opening says what."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.rulebooks.shelf import keep
from pitbook.table import commands as c
from pitbook.table.refusals import Why
from tests.table.pits import Pit


def without_dice(raw: dict[str, Any]) -> None:
    del raw["equipment"]["dice"]
    for clause in raw["clauses"].values():
        clause["by"] = [key for key in clause.get("by", []) if not key.startswith("equipment.dice")]
        if clause["kind"] == "modelled" and not clause["by"]:
            clause["kind"] = "physical"
        if not clause["by"]:
            del clause["by"]


def test_a_book_without_dice_cannot_run_a_table() -> None:
    raw = deepcopy(packaged_raw("massachusetts-sic-bo"))
    without_dice(raw)
    raw["book"]["id"] = "diceless"
    setup = c.Setup("diceless", keep(raw, "diceless.toml"), "Test House", "USD")
    refusal = Pit().refused("max the manager", c.OpenTable(setup), Why.CONFIGURATION)
    assert "no equipment called dice" in refusal.says


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
def test_every_packaged_book_has_what_a_table_needs(book: str) -> None:
    raw = packaged_raw(book)
    setup = c.Setup(book, keep(raw, book), "Test House", "USD")
    Pit().does("max the manager", c.OpenTable(setup))
