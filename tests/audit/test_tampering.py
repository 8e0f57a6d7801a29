"""A journal that someone has changed: seen by its hashes, by playing it again, or by a checkpoint."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import pytest

from pitbook.audit import Report, audit
from pitbook.audit.report import Rewritten
from pitbook.journal import chain, checkpoints, keys, snapshots
from pitbook.journal.decisions import Event
from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.port import Head
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.transfers import Leg, Transfer
from pitbook.testing import JournalTable
from tests.audit.journals import house_at, play

replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of two tables with snapshots, and beside it a checkpoint and its key."""
    path = tmp_path_factory.mktemp("record") / "house.db"
    with house_at(path, snapshot_every=5) as house:
        for book in ("massachusetts-sic-bo", "dice-works"):
            table = JournalTable(house, book, book)
            table.buy_in("ann")
            table.buy_in("ben")
            play(table, 3)
    with closing(SqliteStore(path, read_only=True)) as store:
        signed = checkpoints.write(store, keys.create_key(path.with_name("key")), "2026-03-01T00:00:00Z")
    path.with_name("signed.json").write_bytes(signed.to_json())
    return path


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(record, tmp_path / "copy.db"))


def with_checkpoint(path: Path, record: Path) -> Report:
    return audit(path, record.with_name("signed.json"), record.with_name("key.pub"))


def changed(path: Path, *statements: str) -> Report:
    """The audit after raw SQL, by someone who took the triggers away."""
    with closing(apsw.Connection(str(path))) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
        for name in names:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)
    return audit(path)


TABLE = "table_name = 'massachusetts-sic-bo'"
COLUMNS = {
    "kind": "'BetTakenDown'",
    "body": "x'7b7d'",
    "actor": "'eve'",
    "role": "'manager'",
    "at": "'2020-01-01'",
    "answer": "x'00'",
    "attachment": "'other'",
    "tag": "77",
    "before": "zeroblob(32)",
    "hash": "zeroblob(32)",
}


def test_the_record_is_right_as_it_was_written(record: Path) -> None:
    report = with_checkpoint(record, record)
    assert report.good, str(report)
    assert report.snapshots
    assert "signature valid" in str(report)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_changed_field_is_seen(column: str, copy: Path) -> None:
    report = changed(copy, f"UPDATE entries SET {column} = {COLUMNS[column]} WHERE {TABLE} AND sequence = 9")
    assert report.first is not None
    assert (report.first.table, report.first.sequence) == ("massachusetts-sic-bo", 9)


@pytest.mark.parametrize(
    ("statement", "sequence"),
    [
        (f"UPDATE postings SET amount = amount * 2 WHERE {TABLE} AND sequence = 8", 8),
        (f"UPDATE postings SET account = 'player:eve:USD' WHERE {TABLE} AND sequence = 8 AND account LIKE 'p%'", 8),
        (f"UPDATE transfers SET why = 'gift' WHERE {TABLE} AND sequence = 8", 8),
        (f"DELETE FROM transfers WHERE {TABLE} AND sequence = 8", 8),
        (f"DELETE FROM postings WHERE {TABLE} AND sequence = 8 AND leg = 2", 8),
        (f"DELETE FROM entries WHERE {TABLE} AND sequence = 9", 9),
    ],
)
def test_changed_money_and_missing_rows_are_seen(statement: str, sequence: int, copy: Path) -> None:
    first = changed(copy, statement).first
    assert first is not None
    assert (first.table, first.sequence) == ("massachusetts-sic-bo", sequence), str(first)
    assert first.about == ("stray" if "belongs" in first.why else "missing" if sequence == 9 else "hash"), str(first)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE balances SET balance = balance + 1 WHERE account = 'player:ann:USD'", "the balance of player:ann:USD"),
        ("DELETE FROM balances WHERE account = 'player:ann:USD'", "player:ann:USD has no balance"),
        ("INSERT INTO balances VALUES ('player:eve:USD', 500)", "the balance of player:eve:USD is 500"),
        (
            f"INSERT INTO postings VALUES ({TABLE[13:]}, 9000, 1, 1, 'player:eve:USD', 5)",
            "does not belong to a transfer",
        ),
        ("INSERT INTO transfers VALUES ('nowhere', 1, 1, 'gift')", "which does not exist"),
    ],
)
def test_balances_and_stray_money_are_seen(statement: str, why: str, copy: Path) -> None:
    first = changed(copy, statement).first
    assert first is not None
    assert why in str(first)
    assert first.about == ("balances" if first.kind == "balances" else "stray"), str(first)


def test_a_changed_snapshot_is_seen_with_its_hash_and_without(copy: Path) -> None:
    with closing(apsw.Connection(str(copy))) as connection:
        row = next(connection.execute(f"SELECT table_name, sequence, head, content FROM snapshots WHERE {TABLE}"))
    table, sequence, head, content = row
    other = content.replace(b'"next_bet":', b'"next_bet":1')
    forged = snapshots.take(table, Head(sequence, head), other)
    for stored, why in ((b"\0" * 32, "does not match its hash"), (forged.hash, "next_bet is")):
        statement = "UPDATE snapshots SET content = ?, hash = ? WHERE table_name = ? AND sequence = ?"
        with closing(apsw.Connection(str(copy))) as connection:
            connection.execute(statement, (other, stored, table, sequence))
        first = audit(copy).first
        assert first is not None
        assert (first.sequence, why in first.why, first.about) == (sequence, True, "snapshot"), str(first)


# ---------------------------------------------------------------- hashed again


def forged(record: Path, path: Path, change: Callable[[list[Entry]], list[Entry]]) -> Path:
    """The record with changes to one table's entries, all of it linked and hashed again: its chain is whole."""
    with closing(SqliteStore(record, read_only=True)) as old, closing(SqliteStore(path)) as new:
        for table in old.heads():
            entries = list(old.entries(table))
            entries = change(entries) if table == "massachusetts-sic-bo" else entries
            head = Head(0, GENESIS)
            with new.transaction() as unit:
                unit._connection.execute("PRAGMA ignore_check_constraints = ON")
                for entry in entries:
                    linked = _linked(head, entry)
                    unit.append([linked])
                    head = Head(linked.sequence, linked.hash)
    return path


def _linked(head: Head, entry: Entry) -> Entry:
    event = Event(entry.kind, entry.body, entry.transfers, entry.tag)
    return chain.link(
        head, entry.table, event, actor=entry.actor, role=entry.role, at=entry.at, key=entry.key,
        request=entry.request, answer=entry.answer, attachment=entry.attachment,
    )  # fmt: skip


def place(entries: list[Entry], kind: str, last: bool = False) -> int:
    places = [at for at, entry in enumerate(entries) if entry.kind == kind and b'"lines":[]' not in entry.body]
    return places[-1 if last else 0]


def body_changed(kind: str, old: bytes, new: bytes) -> Callable[[list[Entry]], list[Entry]]:
    def change(entries: list[Entry]) -> list[Entry]:
        at = place(entries, kind)
        assert old in entries[at].body
        return [*entries[:at], replace(entries[at], body=entries[at].body.replace(old, new, 1)), *entries[at + 1 :]]

    return change


def richer(entries: list[Entry]) -> list[Entry]:
    """Ann gets one more from the float where winners are paid."""
    at = place(entries, "WinnersPaid")
    gift = Transfer("gift", (Leg("float:massachusetts-sic-bo", -1), Leg("player:ann:USD", 1)))  # type: ignore[arg-type]
    return [*entries[:at], replace(entries[at], transfers=(*entries[at].transfers, gift)), *entries[at + 1 :]]


def without(kind: str, last: bool = False) -> Callable[[list[Entry]], list[Entry]]:
    def change(entries: list[Entry]) -> list[Entry]:
        at = place(entries, kind, last)
        return [*entries[:at], *entries[at + 1 :]]

    return change


def doubled(kind: str) -> Callable[[list[Entry]], list[Entry]]:
    def change(entries: list[Entry]) -> list[Entry]:
        at = place(entries, kind)
        return [*entries[: at + 1], replace(entries[at], key=None, request=None), *entries[at + 1 :]]

    return change


def swapped(one: str, other: str) -> Callable[[list[Entry]], list[Entry]]:
    def change(entries: list[Entry]) -> list[Entry]:
        first, second = place(entries, one), place(entries, other)
        entries = list(entries)
        entries[first], entries[second] = entries[second], entries[first]
        return entries

    return change


PLAYED = {
    "a line's net changed": (body_changed("WinnersPaid", b'"net":', b'"net":1'), "net is"),
    "the dice changed": (body_changed("StepTaken", b'"dice":[]', b'"dice":[1,1,1]'), ""),
    "a stake changed": (body_changed("BetPlaced", b'"amount":', b'"amount":1'), "the money moved is"),
    "another player's bet": (body_changed("BetPlaced", b'"player":"ann"', b'"player":"ben"'), "the money moved is"),
    "a gift": (richer, "the money moved is"),
    "a bet dropped": (without("BetPlaced"), "the next bet is number 1, not 2"),
    "a payment dropped": (without("WinnersPaid"), "WinnersPaid must come next"),
    "a bet doubled": (doubled("BetPlaced"), "is outside the limits"),
    "losers collected twice": (doubled("LosersCollected"), "it does not follow from anything"),
    "paid before collected": (swapped("LosersCollected", "WinnersPaid"), "must come next"),
    "the outcome before the close": (swapped("StepTaken", "Illuminated"), ""),
}


@pytest.mark.parametrize("forgery", [name for name in PLAYED if name not in ("the dice changed", "a bet doubled")])
def test_a_forgery_with_new_hashes_is_seen_by_playing_it_again(forgery: str, record: Path, tmp_path: Path) -> None:
    change, why = PLAYED[forgery]
    first = audit(forged(record, tmp_path / "forged.db", change)).first
    assert first is not None
    assert first.table == "massachusetts-sic-bo"
    assert why in first.why, str(first)


def test_a_forged_payment_is_reported_with_its_round(record: Path, tmp_path: Path) -> None:
    rounds: list[int] = []

    def change(entries: list[Entry]) -> list[Entry]:
        at = place(entries, "WinnersPaid", last=True)
        ended = next(entry for entry in entries[at:] if entry.kind == "RoundEnded")
        rounds.append(json.loads(ended.body)["round"])
        paid = replace(entries[at], body=entries[at].body.replace(b'"net":', b'"net":1', 1))
        return [*entries[:at], paid, *entries[at + 1 :]]

    first = audit(forged(record, tmp_path / "forged.db", change)).first
    assert first is not None
    assert [first.round] == rounds
    assert f"(WinnersPaid) of round {first.round}: " in str(first)
    assert first.about == "settlement"


def _actor(entries: list[Entry]) -> list[Entry]:
    return [replace(entries[0], actor="eve"), *entries[1:]]


def _cut(entries: list[Entry]) -> list[Entry]:
    """At the end of a round: what is left is a right record."""
    return entries[: place(entries, "RoundEnded") + 1]


def _none(_entries: list[Entry]) -> list[Entry]:
    return []


@pytest.mark.parametrize(
    ("change", "why", "about"),
    [(_actor, "was signed", "signed"), (_cut, "cut off", "cut"), (_none, "there are none", "cut")],
)
def test_what_is_right_in_itself_is_seen_by_a_checkpoint(
    change: Callable[[list[Entry]], list[Entry]], why: str, about: str, record: Path, tmp_path: Path
) -> None:
    path = forged(record, tmp_path / "forged.db", change)
    assert audit(path).good
    first = with_checkpoint(path, record).first
    assert first is not None
    assert (first.table, first.about) == ("massachusetts-sic-bo", about)
    assert why in first.why


def checkpoint_after(record: Path, count: int) -> Path:
    """What someone was handed when the table's record had so many entries."""
    table = "massachusetts-sic-bo"
    with closing(SqliteStore(record, read_only=True)) as store:
        head = next(store.entries(table, count - 1, 1)).hash
    key = keys.read_key(record.with_name("key"))
    bare = checkpoints.Checkpoint(
        f"2026-02-{count:02}T00:00:00Z",
        (checkpoints.TableHead(table, count, head.hex()),),
        keys.key_id(key.public_key()),
    )
    path = record.with_name(f"signed-{count}.json")
    path.write_bytes(replace(bare, signature=key.sign(bare.signed_bytes()).hex()).to_json())
    return path


def _eleventh(entries: list[Entry]) -> list[Entry]:
    """A bet that another dealer placed."""
    body = entries[10].body.replace(b'"dealer-1"', b'"eve"')
    return [replace(one, actor="eve", body=body) if place == 10 else one for place, one in enumerate(entries)]


def test_several_checkpoints_say_between_which_two_the_record_was_rewritten(record: Path, tmp_path: Path) -> None:
    path = forged(record, tmp_path / "forged.db", _eleventh)
    last = record.with_name("signed.json")
    checkpoints = [last, *(checkpoint_after(record, count) for count in (16, 4, 8))]
    report = audit(path, checkpoints, record.with_name("key.pub"))
    assert report.first is not None
    found = report.first.rewritten
    assert found == Rewritten(9, 16, "2026-02-08T00:00:00Z", "2026-02-16T00:00:00Z")
    assert "changed between entry 9 and entry 16: after the checkpoint of 2026-02-08" in str(report)
    assert [one.signature for one in report.checkpoints] == ["right"] * 4
    assert [one.at[:10] for one in report.checkpoints] == ["2026-02-04", "2026-02-08", "2026-02-16", "2026-03-01"]


def test_with_one_checkpoint_the_report_says_it_may_be_anywhere_before(record: Path, tmp_path: Path) -> None:
    first = audit(forged(record, tmp_path / "forged.db", _eleventh), checkpoint_after(record, 16)).first
    assert first is not None
    assert first.rewritten == Rewritten(1, 16, None, "2026-02-16T00:00:00Z")
    assert "an earlier checkpoint would narrow it down" in first.why


def test_a_checkpoint_of_another_key_is_distinguished_from_a_changed_one(record: Path, tmp_path: Path) -> None:
    keys.create_key(tmp_path / "other")
    report = audit(record, record.with_name("signed.json"), tmp_path / "other.pub")
    assert report.first is not None
    assert "was signed by key" in report.first.why
    assert "not by the one given" in report.first.why
    assert [one.signature for one in report.checkpoints] == ["by another key"]
    changed = tmp_path / "changed.json"
    changed.write_text(record.with_name("signed.json").read_text().replace("2026-03-01", "2026-03-02"))
    report = audit(record, changed, record.with_name("key.pub"))
    assert report.first is not None
    assert "is not what key" in report.first.why
    assert [one.signature for one in report.checkpoints] == ["wrong"]


@pytest.mark.parametrize("forgery", PLAYED)
def test_every_forgery_is_seen_with_a_checkpoint(forgery: str, record: Path, tmp_path: Path) -> None:
    assert not with_checkpoint(forged(record, tmp_path / "forged.db", PLAYED[forgery][0]), record).good
