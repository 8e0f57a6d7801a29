"""Sheets over the wire are those that the command writes; a statement holds one's own lines and no others'."""

from __future__ import annotations

import csv
import io
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.house.exports import export
from pitbook.house.flat_tables import SHEETS, Rounds
from pitbook.house.statements import first_at, round_at
from pitbook.server.backoffice import export_streams as sheets_out
from pitbook.table import commands as c
from tests.audit.journals import play
from tests.server.audit.conftest import Office

pytestmark = pytest.mark.anyio


@pytest.fixture
def played(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr(sheets_out, "CHUNK", 50)  # several pieces
    play(office.floor(), 5)
    play(office.floor("dice-works", "t2"), 5)
    return office


def test_no_name_is_a_formula_in_a_spreadsheet() -> None:
    wanted = "=HYPERLINK(1)", "+1", "-1+2", "@SUM(1)"
    columns = "player", "net"
    rows = [[(name, -500) for name in wanted]]
    as_csv = b"".join(sheets_out.as_text(columns, iter(rows), "csv")).decode()
    assert [row["player"] for row in csv.DictReader(io.StringIO(as_csv))] == [f"'{name}" for name in wanted]
    assert {row["net"] for row in csv.DictReader(io.StringIO(as_csv))} == {"-500"}
    as_lines = b"".join(sheets_out.as_text(columns, iter(rows), "json-lines")).decode()
    assert [json.loads(line)["player"] for line in as_lines.splitlines()] == list(wanted)  # programs get it as it is


@pytest.mark.parametrize("sheet", [one.name for one in SHEETS])
async def test_a_sheet_is_the_same_as_the_command_writes(played: Office, sheet: str, tmp_path: Path) -> None:
    store = played.house.store
    for _ in export(store, store.heads(), {"csv": tmp_path / "csv", "parquet": tmp_path / "parquet"}):
        pass
    async with played.client_of("kim") as client:
        as_csv = await client.get(f"/exports/{sheet}")
        as_lines = await client.get(f"/exports/{sheet}", params={"format": "json-lines"})
        as_parquet = await client.get(f"/exports/{sheet}", params={"format": "parquet"})
        one_table = await client.get(f"/exports/{sheet}", params={"table": "t2"})
    written = (tmp_path / "csv" / f"{sheet}.csv").read_bytes()
    assert as_csv.content == written
    assert as_csv.headers["content-disposition"] == f'attachment; filename="all-{sheet}.csv"'
    rows = list(csv.DictReader(io.StringIO(written.decode())))
    lines = [json.loads(line) for line in as_lines.text.splitlines()]
    assert [{key: "" if value is None else str(value) for key, value in one.items()} for one in lines] == rows
    assert list(csv.DictReader(io.StringIO(one_table.text))) == [row for row in rows if row["table"] == "t2"]
    from pyarrow import parquet

    assert parquet.read_table(io.BytesIO(as_parquet.content)).to_pylist() == lines


async def test_without_pyarrow_there_is_no_parquet(played: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    async with played.client_of() as client:
        response = await client.get("/exports/entries", params={"format": "parquet"})
        assert response.status_code == 501
        assert "pip install" in response.json()["detail"]
        assert (await client.get("/exports/entries")).status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [("nothing", 404), ("entries?table=nowhere", 404), ("entries?format=xlsx", 400), ("entries?tabel=t1", 400)],
)
async def test_exports_that_there_are_not(played: Office, path: str, status: int) -> None:
    async with played.client_of() as client:
        assert (await client.get(f"/exports/{path}")).status_code == status


async def test_a_gate_opens_again_whatever_became_of_the_answer(played: Office) -> None:
    gate = played.watch.exports
    gate.enter("max")
    async with played.client_of() as client:
        assert (await client.get("/exports/entries")).status_code == 503
        pieces = sheets_out.Pieces(iter([b"x"]), played.watch.work, gate, "max")
        del pieces  # no one has read it
        assert (await client.get("/exports/entries")).status_code == 200
        assert (await client.get("/exports/entries")).status_code == 200


async def test_ones_chips_are_what_the_statement_adds_up_to(played: Office) -> None:
    async with played.client_of("ann") as client:
        text = (await client.get("/me/statement", params={"format": "json-lines"})).text
        held = (await client.get("/me/balances")).json()
    lines = [json.loads(line) for line in text.splitlines()]
    bought = sum(one["amount"] for one in lines if one["what"] == "bought in")
    out = sum(one["amount"] for one in lines if one["what"] == "cashed out")
    assert bought > 0
    assert sum(one["balance"] + one["at_stake"] for one in held) == bought - out + sum(one["net"] or 0 for one in lines)
    assert all(one["play_money"] == one["money"].startswith("play-") for one in held)
    async with played.client_of("ben") as client:
        assert (await client.get("/me/balances")).json() != held
    async with played.client_of(None) as client:
        assert (await client.get("/me/balances")).status_code == 401


async def test_a_statement_has_all_of_ones_own_lines_and_nobody_elses(played: Office) -> None:
    async with played.client_of("ann") as client:
        response = await client.get("/me/statement", params={"format": "json-lines"})
        mine = [json.loads(line) for line in response.text.splitlines()]
        at_two = await client.get("/me/statement", params={"table": "t2"})
    assert "ben" not in response.text
    async with played.client_of() as client:
        settled = (await client.get("/exports/settlements", params={"format": "json-lines"})).text.splitlines()
    own = [one for one in map(json.loads, settled) if one["player"] == "ann"]
    ended = [one for one in mine if one["what"] in ("collected", "paid")]
    keys = ("table", "sequence", "round", "bet", "wager", "net")
    assert [[one[key] for key in keys] for one in ended] == [[one[key] for key in keys] for one in own]
    assert {one["bet"] for one in own} <= {one["bet"] for one in mine if one["what"] == "bet"}
    assert [one["amount"] for one in mine if one["what"] == "bought in"] == [10**6, 10**6]
    rows = list(csv.DictReader(io.StringIO(at_two.text)))
    assert len(rows) == sum(one["table"] == "t2" for one in mine)


async def test_what_is_given_back_is_on_the_statement(office: Office) -> None:
    table = office.floor()
    table.open_betting()
    table.bet("ann", "small=5")
    table.bet("ben", "big=5")
    table.does("ann the player", c.TakeDown("small"))
    table.bet("ann", "big=7")
    table.take_steps((1, 2, 3), until="collect losers")
    table.does(table.crew["dealer"], c.Call("no-roll", "a die left the shaker"))
    async with office.client_of("ann") as client:
        text = (await client.get("/me/statement", params={"format": "json-lines"})).text
    data = [(one["what"], one["amount"]) for one in map(json.loads, text.splitlines())]
    assert data == [
        ("bought in", 10**6), ("bet", 500), ("taken down", 500), ("bet", 700), ("given back", 700),
    ]  # fmt: skip


async def test_a_statement_covers_the_requested_days(played: Office) -> None:
    today = datetime.now(UTC).date()
    async with played.client_of("ann") as client:
        before = await client.get("/me/statement", params={"to": str(today - timedelta(days=1))})
        now = await client.get("/me/statement", params={"from": str(today), "to": str(today)})
        wrong = [
            await client.get("/me/statement", params=query)
            for query in (
                {"from": "2026-02-02", "to": "2026-01-01"},
                {"from": "2020-01-01", "to": "2026-01-01"},
                {"from": "yesterday"},
                {"table": "nowhere"},
                {"table": "house"},
            )
        ]
        ends = [
            await client.get("/me/statement", params={"from": day, "to": day}) for day in ("0001-01-01", "9999-12-31")
        ]
    assert len(before.text.splitlines()) == 1
    assert len(now.text.splitlines()) > 20
    assert [one.status_code for one in wrong] == [400, 400, 400, 404, 404]
    assert [len(one.text.splitlines()) for one in ends] == [1, 1]
    async with played.client_of(None) as client:
        assert (await client.get("/me/statement")).status_code == 401


def test_rounds_and_times_are_found_in_the_middle_of_a_record(played: Office) -> None:
    store = played.house.store
    for table in ("t1", "t2"):
        entries = list(store.entries(table))
        rounds = Rounds()
        numbers = [rounds.of(entry) for entry in entries]
        for entry, number in zip(entries, numbers, strict=True):
            assert round_at(store, table, entry.sequence - 1) == number
        times = [entry.at for entry in entries]
        for entry in entries[::7]:
            assert first_at(store, table, entry.at, len(entries)) == times.index(entry.at) + 1


async def test_a_sheet_of_some_days_has_those_days_and_their_rounds(played: Office) -> None:
    today = datetime.now(UTC).date()
    async with played.client_of() as client:
        whole = await client.get("/exports/settlements")
        today_only = await client.get("/exports/settlements", params={"from": f"{today - timedelta(days=1)}"})
        past = await client.get("/exports/settlements", params={"to": f"{today - timedelta(days=2)}"})
        wrong = await client.get("/exports/entries", params={"from": "2026-02-02", "to": "2026-02-01"})
    assert today_only.text == whole.text
    assert past.text == whole.text.splitlines(keepends=True)[0]
    assert wrong.status_code == 400
