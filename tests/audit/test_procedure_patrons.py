"""Bugs in what patrons are shown, put in on purpose: the auditor names the entry for each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.house import codec
from pitbook.house.encoding import event_bytes
from pitbook.table import commands as c
from pitbook.table.decide import setup as deciding
from pitbook.table.decide.draft import Draft
from pitbook.testing import MANAGER, JournalTable
from tests.audit.journals import entries_of, house_at, play
from tests.table.driving import setup

SINGAPORE = "singapore-mbs-sic-bo-v6"


def opened(path: Path, run: c.Automatic) -> None:
    """A house with one automatic table."""
    with house_at(path) as house:
        answer = house.ask("t1", MANAGER, c.OpenTable(setup(SINGAPORE, automatic=run, shaker="automated")))
        assert answer.refused is None, answer.says


def test_real_money_without_an_approval_is_found_at_the_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(tmp_path / "right.db", c.Automatic(real_money=True, approval="GRA 2026-17"))
    assert audit(tmp_path / "right.db").good
    monkeypatch.setattr(deciding, "_check_automatic", lambda _draft, _run: None)
    opened(tmp_path / "wrong.db", c.Automatic(real_money=True))
    finding = audit(tmp_path / "wrong.db").first
    assert finding is not None
    assert (finding.table, finding.sequence, finding.kind) == ("t1", 1, "TableOpened")
    assert "without an approval reference" in finding.why


def test_an_approval_taken_away_while_a_table_is_open_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "_check_automatic", lambda _draft, _run: None)
    approved, bare = (c.Automatic(real_money=True, approval=reference) for reference in ("GRA 2026-17", " "))
    with house_at(tmp_path / "wrong.db") as house:
        for command in (
            c.OpenTable(setup(SINGAPORE, automatic=approved, shaker="automated")),
            c.ChangeSetup(setup(SINGAPORE, automatic=bare, shaker="automated")),
        ):
            assert house.ask("t1", MANAGER, command).refused is None
    finding = audit(tmp_path / "wrong.db").first
    assert finding is not None
    assert (finding.sequence, finding.kind) == (2, "SetupChanged")


def test_a_table_of_side_bets_without_a_group_is_found_at_its_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_on_offer = c.OpenTable(setup("dice-works", options={"groups": ""}))
    with house_at(tmp_path / "wrong.db") as house:
        assert house.ask("t1", MANAGER, nothing_on_offer).clauses == ("general/groups",)
        monkeypatch.setattr(Draft, "refuse", lambda *_given, **_named: None)
        assert house.ask("t1", MANAGER, nothing_on_offer).refused is None
    finding = audit(tmp_path / "wrong.db").first
    assert finding is not None
    assert (finding.sequence, finding.kind) == (entries_of(tmp_path / "wrong.db", "TableOpened")[0], "TableOpened")
    assert finding.why == "no group of side bets is on offer"


def test_a_sign_that_is_dated_back_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Draft.emit

    def dated_back(draft: Draft, event: Any, *moves: Any) -> None:
        early = msgspec.structs.replace(event, at="2020-01-01T00:00:00.000000+00:00") if hasattr(event, "at") else event
        right(draft, early, *moves)

    monkeypatch.setattr(Draft, "emit", dated_back)
    opened(tmp_path / "wrong.db", c.Automatic())
    finding = audit(tmp_path / "wrong.db").first
    assert finding is not None
    assert (finding.sequence, finding.kind) == (1, "TableOpened"), str(finding)
    assert "it is dated 2020-01-01" in finding.why


def test_a_record_from_before_these_fields_is_right_with_snapshots_that_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = event_bytes

    def as_before(event: Any) -> bytes:
        body = json.loads(written(event))
        if body["type"] == "TableOpened":
            del body["at"], body["setup"]["witness"]
            if body["setup"]["automatic"]:
                del body["setup"]["automatic"]["approval"]
        return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()

    monkeypatch.setattr(codec, "event_bytes", as_before)
    with house_at(tmp_path / "old.db", snapshot_every=5) as house:
        table = JournalTable(house, "massachusetts-sic-bo")
        table.buy_in("ann")
        table.buy_in("ben")
        play(table, 2)
        real = setup(SINGAPORE, automatic=c.Automatic(real_money=True, approval="x"), shaker="automated")
        assert house.ask("t2", MANAGER, c.OpenTable(real)).refused is None
    report = audit(tmp_path / "old.db")
    assert report.good, str(report)
    assert report.snapshots
