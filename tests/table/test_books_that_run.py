"""A book that can be analysed may lack what a table needs: opening says what."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pitbook.engine.settle import check_stake
from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.table.craps import craps_table
from tests.table.driving import SHARED_BOOKS, DrivenTable


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
    setup = c.Setup("diceless", SHARED_BOOKS.editions.add(raw, "diceless.toml"), "Test House", "USD")
    refusal = DrivenTable().refused("max the manager", c.OpenTable(setup), Reason.CONFIGURATION)
    assert "diceless can't run a table. It needs: equipment called dice." in refusal.says


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
def test_every_packaged_book_has_what_a_table_needs(book: str) -> None:
    raw = packaged_raw(book)
    setup = c.Setup(book, SHARED_BOOKS.editions.add(raw, book), "Test House", "USD")
    DrivenTable().does("max the manager", c.OpenTable(setup))


def test_a_refused_stake_names_who_set_its_limit(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[book]\nid="our-ology"\nextends="dice-ology"\n[wager.little-ones.limits]\nstake_max=8\n')
    book = SHARED_BOOKS.editions.add_file(own)
    raw, *_ = SHARED_BOOKS.editions.data_of(book.digest) or ({},)
    table = craps_table(raw, limits={"big-ones": c.Limit(2_00, 5_00)})

    ours = table.not_taken("ann", "little-ones=9", Reason.OVER_MAXIMUM)
    assert ours.says == "The maximum on Little Ones is US$8."
    tables = table.not_taken("ann", "big-ones=6", Reason.OVER_MAXIMUM)
    assert tables.says == "The maximum on Big Ones is US$5."
    least = table.not_taken("ann", "big-ones=1", Reason.UNDER_MINIMUM)
    assert least.says == "The minimum on Big Ones is US$2."
    assert ours.clauses == tables.clauses == least.clauses == ("(2)",)
    texts = table.not_taken("ann", "boom-or-bust=11", Reason.OVER_MAXIMUM)
    assert (texts.says, texts.clauses) == ("The maximum on Boom or Bust is US$10.", ("(3)",))

    with pytest.raises(InputError, match=re.escape("over the maximum of 8 (set by our-ology, within (3))")):
        check_stake(book, book.wager("little-ones"), Cents(9_00))
    with pytest.raises(InputError, match=re.escape("over the maximum of 10 (3)")):
        check_stake(book, book.wager("big-ones"), Cents(11_00))
