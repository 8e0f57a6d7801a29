"""Two open tables with one number on the floor: the audit finds them, and no closed table."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.table import commands as c
from pitbook.testing import MANAGER
from tests.audit.journals import house_at
from tests.audit.test_tampering import body_changed, forged
from tests.table.driving import setup

EAST, WEST = "east", "massachusetts-sic-bo"
"""The second one is the table that `forged` changes."""


def record(path: Path, *, closed: bool = False) -> Path:
    """Two tables with the numbers 3 and 4; the second one is open or closed."""
    with house_at(path) as house:
        for table, number in ((EAST, 3), (WEST, 4)):
            answer = house.ask(table, MANAGER, c.OpenTable(setup("maryland-sic-bo", number=number)))
            assert answer.refused is None, answer
        if closed:
            assert house.ask(WEST, MANAGER, c.CloseTable()).refused is None
    return path


def test_tables_with_numbers_of_their_own_are_right(tmp_path: Path) -> None:
    report = audit(record(tmp_path / "house.db"))
    assert report.good, str(report)


def test_two_open_tables_with_one_number_are_found(tmp_path: Path) -> None:
    same = body_changed("TableOpened", b'"number":4', b'"number":3')
    report = audit(forged(record(tmp_path / "house.db"), tmp_path / "forged.db", same))
    assert [(one.table, one.why) for one in report.findings] == [
        (WEST, "the table is open with the number 3, which the open table east has")
    ]


@pytest.mark.parametrize("number", [b"3", b"null", b'["3"]'])
def test_a_closed_table_may_have_had_the_number_of_an_open_one(tmp_path: Path, number: bytes) -> None:
    same = body_changed("TableOpened", b'"number":4', b'"number":' + number)
    report = audit(forged(record(tmp_path / "house.db", closed=True), tmp_path / "forged.db", same))
    assert report.good, str(report)
