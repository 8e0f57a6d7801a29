"""The commands on a journal: replay, export, backup, checkpoint."""

from __future__ import annotations

import csv
import json
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitbook.cli import main
from pitbook.errors import InputError
from pitbook.house.exports import BATCH, export
from pitbook.house.flat_tables import NUMBERS, SHEETS, Rounds
from pitbook.house.house import House
from pitbook.house.records import read_entries
from pitbook.house.stores import open_store, opened
from pitbook.journal.checkpoints import from_json, verify
from pitbook.journal.errors import Unavailable
from pitbook.journal.keys import read_public_key
from pitbook.journal.sqlite import SqliteStore
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.transcript import Occurrence, transcript
from pitbook.testing import START, person
from tests.table.craps import BOX, craps_table
from tests.table.driving import SHARED_BOOKS, DrivenTable
from tests.table.sic_bo import ANN, BEN, DEALER, bets_of, packaged

SIC_BO = [book for book in PACKAGED if book.endswith(("sic-bo", "v6"))]
CRAPS = {"dice-works": "all-lows=5", "dice-ology": "little-ones=5"}


@contextmanager
def at_the_house(house: House, name: str) -> Iterator[None]:
    """Whatever is asked of a table in a test's hand is asked of the house's table too, and comes to the same."""
    in_hand = DrivenTable.ask

    def ask(self: DrivenTable, who: str, command: c.Command, **more: Any) -> Decision | Refusal:
        if isinstance(command, c.PutDice):  # a set is in one place in the whole house
            command = replace(command, set=f"{command.set} of {name}")
        outcome = in_hand(self, who, command, **more)
        answer = house.ask(name, person(who), command)
        assert answer.refused == (str(outcome.why) if isinstance(outcome, Refusal) else None)
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DrivenTable, "ask", ask)
        yield


def play_sic_bo(book: str) -> list[Occurrence]:
    """Two rounds; a bet after the close, a dispute and a resettlement."""
    table = packaged(book)
    table.bet(ANN, "small=10", "total/10=5")
    table.bet(BEN, "big=20")
    table.go("close")
    table.refused(BEN, bets_of("big=20"), Reason.BETTING_CLOSED)
    table.finish()
    table.does(BEN, c.Dispute(1, "that was a four"))
    table.does(table.senior, c.SettleDispute(1, "looked at the film"))
    table.bet(ANN, "small=10")
    table.finish((4, 5, 6))
    table.does(DEALER, c.ProposeResettlement(1, (1, 2, 4), "it was a four"))
    table.does(table.senior, c.ApproveResettlement(1))
    return table.record


def play_craps(book: str) -> list[Occurrence]:
    """A hand, with a roll corrected after the next was waited for."""
    table = craps_table(book)
    table.bet("ann", CRAPS[book])
    table.rolls("4 5")
    table.roll(6)
    table.does(BOX, c.CorrectDice((1, 2), "it was a three"))
    table.finish()
    table.rolls("3 7 8")
    return table.record


@pytest.fixture(scope="module")
def record() -> dict[str, list[Occurrence]]:
    """What happened at each table, as it was asked."""
    return {}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory, record: dict[str, list[Occurrence]]) -> str:
    """A journal of a house with a table for each book, each called like its book."""
    path = tmp_path_factory.mktemp("house") / "house.db"
    with House(SqliteStore(path), clock=lambda: START) as house:
        for book in PACKAGED:
            with at_the_house(house, book):
                record[book] = play_craps(book) if book in CRAPS else play_sic_bo(book)
    return str(path)


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def mistake(self) -> str:
        """The one clear line."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("pitbook: ")
        assert self.err.count("\n") == 1
        return self.err


class Run:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str | Path) -> Result:
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        captured = self.capsys.readouterr()
        code = stopped.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


# ---------------------------------------------------------------- replay


@pytest.mark.parametrize("book", PACKAGED)
def test_replay_prints_what_happened_at_the_table(
    run: Run, db: str, record: dict[str, list[Occurrence]], book: str
) -> None:
    result = run("replay", db, book)
    assert result.code == 0
    assert result.out.splitlines() == list(transcript(SHARED_BOOKS.new_table(book), record[book]))
    assert "(manager) opened the table" in result.out


@pytest.mark.parametrize("book", SIC_BO)
def test_replay_of_a_round_has_all_that_came_of_it(run: Run, db: str, book: str) -> None:
    first, second = (run("replay", db, book, "--round", number).out for number in "12")
    assert ": Too late: betting has closed." in first
    assert "disputed round 1" in first
    assert "round 1 was resettled with 1-2-4 instead of 1-2-3" in first
    assert "$10 on Small: won" in first
    assert "[" in first  # clauses
    assert "Round 2 ended" not in first
    assert "Round 2 ended" in second
    assert "$10 on Small: lost" in second
    assert "$20 on Big" in first
    assert "$20 on Big" not in second


def test_replay_puts_a_corrected_roll_into_its_own_round(run: Run, db: str) -> None:
    output = run("replay", db, "dice-works", "--round", "3").out
    assert "1-5, rolled by ann" in output or "3-3, rolled by ann" in output
    assert "corrected the dice to 1-2" in output


@pytest.mark.parametrize("book", PACKAGED)
def test_replay_for_machines(run: Run, db: str, book: str) -> None:
    data = run("replay", db, book, "--json").json
    assert data["table"] == book
    assert [entry["sequence"] for entry in data["entries"]] == list(range(1, len(data["entries"]) + 1))
    assert data["entries"][0]["kind"] == "TableOpened"
    second = run("replay", db, book, "--round", "2", "--json").json["entries"]
    assert 0 < len(second) < len(data["entries"])
    assert all(entry["round"] == 2 for entry in second)
    assert all(entry["body"]["type"] == entry["kind"] for entry in second if entry["kind"] != "refused")


def test_replay_of_what_is_not_there_is_a_mistake(run: Run, db: str) -> None:
    assert (
        "unknown table 'dice-work' in this journal; did you mean dice-works" in run("replay", db, "dice-work").mistake
    )
    assert (
        "no round 9 in the record of dice-works; its last round is"
        in run("replay", db, "dice-works", "--round", "9").mistake
    )
    assert "no round 9" in run("replay", db, "dice-works", "--round", "9", "--json").mistake
    assert run("replay", db, "dice-works", "--round", "two").code == 2


def test_replay_shows_no_control_characters(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with House(SqliteStore(path)) as house:
        table = packaged("massachusetts-sic-bo")
        assert isinstance(table.table.setup, c.Setup)
        house.ask("t1", person("max\x1b[2J the manager"), c.OpenTable(table.table.setup))
    result = run("replay", path, "t1")
    assert "max\N{REPLACEMENT CHARACTER}[2J (manager) opened" in result.out


# ---------------------------------------------------------------- export


def read_csv(folder: Path, name: str) -> list[dict[str, Any]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{key: int(cell) if key in NUMBERS else cell for key, cell in row.items()} for row in rows]


def test_export_writes_every_entry_posting_and_settled_wager(run: Run, db: str, tmp_path: Path) -> None:
    result = run("export", db, "--csv", tmp_path / "out")
    assert result.code == 0
    assert result.out.split() == [str(tmp_path / "out" / f"{sheet.name}.csv") for sheet in SHEETS]
    entries, postings, settled = (read_csv(tmp_path / "out", sheet.name) for sheet in SHEETS)
    assert f"{len(entries):,} entries of 6 tables" in result.err
    with opened(db) as store:
        stored = [entry for table in store.heads() for entry in store.entries(table)]
        balances = store.all_balances()
    for row, entry in zip(entries, stored, strict=True):
        assert (row["table"], row["sequence"], row["kind"]) == (entry.table, entry.sequence, entry.kind)
        assert (row["actor"], row["role"], row["at"]) == (entry.actor, entry.role, entry.at)
        assert row["body"].encode() == entry.body
        assert bytes.fromhex(row["hash"]) == entry.hash
    held: dict[str, int] = {}
    for row in postings:
        held[row["account"]] = held.get(row["account"], 0) + row["amount"]
    assert held == balances
    assert {row["table"] for row in settled} == set(PACKAGED)
    small = [row for row in settled if row["table"] == "maryland-sic-bo" and row["wager"] == "small"]
    assert [(row["event"], row["round"], row["net"]) for row in small] == [
        ("WinnersPaid", 1, 1000),
        ("LosersCollected", 2, -1000),
        ("Resettled", 1, 1000),
    ]


def test_export_of_one_table(run: Run, db: str, tmp_path: Path) -> None:
    assert run("export", db, "--table", "dice-ology", "--csv", tmp_path).code == 0
    for sheet in SHEETS:
        assert {row["table"] for row in read_csv(tmp_path, sheet.name)} == {"dice-ology"}


def test_parquet_holds_what_csv_holds(run: Run, db: str, tmp_path: Path) -> None:
    from pyarrow import parquet

    assert run("export", db, "--csv", tmp_path / "csv", "--parquet", tmp_path / "parquet").code == 0
    for sheet in SHEETS:
        found = parquet.read_table(tmp_path / "parquet" / f"{sheet.name}.parquet")
        assert tuple(found.column_names) == sheet.columns
        assert {name for name in sheet.columns if found.schema.field(name).type == "int64"} == NUMBERS & {
            *sheet.columns
        }
        rows = [{key: "" if cell is None else cell for key, cell in row.items()} for row in found.to_pylist()]
        assert rows == read_csv(tmp_path / "csv", sheet.name)


def test_the_round_of_a_settlement_is_the_one_that_replay_tells(db: str) -> None:
    with opened(db) as store:
        for book in PACKAGED:
            rounds = Rounds()
            for one in read_entries(store, book):
                assert rounds.of(one.entry) == one.round, one.entry


def test_export_holds_a_batch_of_rows_at_a_time(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.house import exports

    sizes = []
    write = exports.CsvWriter.write

    def watched(self: exports.CsvWriter, rows: list[Any]) -> None:
        sizes.append(len(rows))
        write(self, rows)

    monkeypatch.setattr(exports, "BATCH", 10)
    monkeypatch.setattr(exports.CsvWriter, "write", watched)
    with opened(db) as store:
        assert dict(export(store, store.heads(), {"csv": tmp_path})) == {
            table: head.sequence for table, head in store.heads().items()
        }
    assert len(sizes) > 20
    assert max(sizes) < 40
    assert BATCH <= 10_000


def test_export_overwrites_nothing_and_leaves_nothing_half_done(run: Run, db: str, tmp_path: Path) -> None:
    (tmp_path / "postings.csv").write_text("mine")
    assert f"the file {tmp_path / 'postings.csv'} already exists" in run("export", db, "--csv", tmp_path).mistake
    assert [path.name for path in tmp_path.iterdir()] == ["postings.csv"]
    assert "cannot write" in run("export", db, "--csv", tmp_path / "postings.csv" / "inside").mistake
    assert (tmp_path / "postings.csv").read_text() == "mine"


def test_export_without_its_extra_says_how_to_get_it(
    run: Run, db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert 'pip install "pitbook[export]"' in run("export", db, "--parquet", tmp_path / "out").mistake
    assert list((tmp_path / "out").iterdir()) == []
    assert run("export", db, "--csv", tmp_path / "out").code == 0


def test_export_wants_to_know_where_to_and_which_table(run: Run, db: str, tmp_path: Path) -> None:
    assert "--csv FOLDER" in run("export", db).mistake
    assert "unknown table 't9'" in run("export", db, "--table", "t9", "--csv", tmp_path).mistake


# ---------------------------------------------------------------- backup


def test_a_backup_is_the_same_journal(run: Run, db: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    result = run("backup", db, copy)
    assert result.code == 0
    assert "dice-works" in result.out
    with opened(db) as store, opened(str(copy)) as copied:
        assert copied.heads() == store.heads()
        assert copied.all_balances() == store.all_balances()
        assert all([*copied.entries(book)] == [*store.entries(book)] for book in PACKAGED)
    again = run("backup", db, tmp_path / "other.db", "--json").json
    assert {table["table"] for table in again["tables"]} == {*PACKAGED, "house"}


def test_a_backup_is_made_while_the_house_writes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with House(SqliteStore(path)) as house, at_the_house(house, "t1"):
        table = packaged("massachusetts-sic-bo")
        assert run("backup", path, tmp_path / "copy.db").code == 0
        table.bet(ANN, "small=10")
    with opened(str(tmp_path / "copy.db")) as copied, opened(str(path)) as store:
        assert copied.head("t1").sequence == store.head("t1").sequence - 1


def test_a_backup_overwrites_nothing(run: Run, db: str, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    assert f"the file {there} already exists" in run("backup", db, there).mistake
    assert there.read_text() == "mine"
    assert "no folder" in run("backup", db, tmp_path / "nowhere" / "copy.db").mistake


# ---------------------------------------------------------------- checkpoint


def test_a_checkpoint_is_signed_with_a_key_made_on_first_use(run: Run, db: str, tmp_path: Path) -> None:
    key, out = tmp_path / "key", tmp_path / "checkpoint.json"
    result = run("checkpoint", db, "--key", key, "--out", out)
    assert result.code == 0
    assert "created the key" in result.err
    assert "entries of 6 tables" in result.err
    assert all(book in result.out for book in PACKAGED)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    with opened(db) as store:
        signed = from_json(out.read_bytes())
        assert verify(signed, store, read_public_key(tmp_path / "key.pub")) == store.heads() == signed.heads()
    again = run("checkpoint", db, "--key", key)
    assert "created the key" not in again.err
    assert again.json["signer"] == signed.signer
    assert again.json["tables"] == json.loads(out.read_bytes())["tables"]


def test_without_a_key_named_the_users_own_is_taken(
    run: Run, db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    signers = {run("checkpoint", db).json["signer"] for _ in range(2)}
    assert len(signers) == 1
    assert stat.S_IMODE((tmp_path / "pitbook" / "checkpoint.key").stat().st_mode) == 0o600


def test_a_checkpoint_overwrites_nothing_and_takes_no_open_key(run: Run, db: str, tmp_path: Path) -> None:
    key, there = tmp_path / "key", tmp_path / "there.json"
    there.write_text("mine")
    assert "already" in run("checkpoint", db, "--key", key, "--out", there).mistake
    assert there.read_text() == "mine"
    assert not key.exists()
    assert run("checkpoint", db, "--key", key).code == 0
    key.chmod(0o644)
    assert "chmod 600" in run("checkpoint", db, "--key", key).mistake
    there.chmod(0o600)
    assert "has no key" in run("checkpoint", db, "--key", there).mistake


# ---------------------------------------------------------------- both audit first


def played_wrong(db: str, path: Path) -> Path:
    """A journal whose chain is whole, and in which a balance says what no transfer does."""
    path.write_bytes(Path(db).read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE balances SET balance = balance + 1 WHERE account LIKE 'player:ann:%'")
        connection.commit()
    return path


def test_nothing_is_signed_that_the_audit_finds_wrong(run: Run, db: str, tmp_path: Path) -> None:
    wrong, key, out = played_wrong(db, tmp_path / "wrong.db"), tmp_path / "key", tmp_path / "out"
    refused = run("checkpoint", wrong, "--key", key, "--out", out)
    assert refused.code == 1
    assert "WRONG: the journal (balances): the balance of player:ann" in refused.err
    assert "nothing was signed" in refused.err
    assert not out.exists()
    assert run("checkpoint", wrong, "--key", key).out == ""
    skipped = run("checkpoint", wrong, "--key", key, "--out", out, "--no-audit")
    assert (skipped.code, out.exists()) == (0, True)
    assert "not audited (--no-audit)" in skipped.err
    assert "audited: correct" in run("checkpoint", db, "--key", key).err


def test_a_journal_that_lacks_a_trigger_is_signed_and_the_finding_reported(run: Run, db: str, tmp_path: Path) -> None:
    bare, out = tmp_path / "bare.db", tmp_path / "out"
    bare.write_bytes(Path(db).read_bytes())
    with closing(sqlite3.connect(bare)) as connection:
        connection.execute("DROP TRIGGER entries_not_updated")
    signed = run("checkpoint", bare, "--key", tmp_path / "key", "--out", out)
    assert (signed.code, out.exists()) == (1, True)
    assert "triggers dropped: entries_not_updated" in signed.err


def test_a_backup_that_fails_the_audit_is_kept_and_reported_as_wrong(run: Run, db: str, tmp_path: Path) -> None:
    wrong, copy = played_wrong(db, tmp_path / "wrong.db"), tmp_path / "copy.db"
    made = run("backup", wrong, copy)
    assert (made.code, copy.exists()) == (1, True)
    assert "WRONG: the journal (balances)" in made.err
    assert "something is WRONG" in made.out
    read_entries = run("backup", wrong, tmp_path / "again.db", "--json").json
    assert read_entries["audited"]
    assert "balances" in read_entries["findings"][0]
    skipped = run("backup", wrong, tmp_path / "quick.db", "--no-audit")
    assert skipped.code == 0
    assert "not audited (--no-audit)" in skipped.err


# ---------------------------------------------------------------- --force


def test_only_by_force_is_a_file_overwritten(run: Run, db: str, tmp_path: Path) -> None:
    there, folder = tmp_path / "there", tmp_path / "folder"
    key = ("--key", str(tmp_path / "key"))
    commands = [["backup", db, str(there)], ["checkpoint", db, *key, "--out", str(there)]]
    commands += [["draw", "dice-ology", "little-ones", "--format", "dot", "--output", str(there)]]
    commands += [["export", db, "--csv", str(folder)]]
    folder.mkdir()
    for command in commands:
        file = folder / "entries.csv" if command[0] == "export" else there
        file.write_text("mine")
        refused = run(*command)
        assert f"the file {file} already exists" in refused.mistake
        assert "--force" in refused.mistake
        assert file.read_text() == "mine"
        assert run(*command, "--force").code == 0
        assert file.read_bytes() != b"mine"
    assert "is the journal itself" in run("backup", db, db, "--force").mistake


# ---------------------------------------------------------------- where the journal is


COMMANDS = {
    "replay": ["t1"],
    "export": ["--csv", "never"],
    "backup": ["never.db"],
    "checkpoint": ["--key", "never.key"],
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """A command as it is called, with DB for the journal. It must leave nothing behind."""
    monkeypatch.chdir(tmp_path)
    yield [request.param, "DB", *COMMANDS[request.param]]
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("never")]


def on(command: list[str], db: object) -> list[str]:
    return [str(db) if word == "DB" else word for word in command]


def test_no_such_file(run: Run, command: list[str], tmp_path: Path) -> None:
    assert f"there is no journal {tmp_path / 'none.db'}" in run(*on(command, tmp_path / "none.db")).mistake
    assert not (tmp_path / "none.db").exists()


def test_not_a_journal(run: Run, command: list[str], tmp_path: Path) -> None:
    text, empty, other = tmp_path / "text.db", tmp_path / "empty.db", tmp_path / "other.db"
    text.write_text("this is a text, and no database at all. " * 30)
    empty.touch()
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE things (name)")
        connection.commit()
    for path in (text, other):
        assert "not a journal of Pitbook" in run(*on(command, path)).mistake
    assert "is empty, not a journal" in run(*on(command, empty)).mistake
    assert "is a folder, not a journal" in run(*on(command, tmp_path)).mistake
    assert "mysql:// is neither" in run(*on(command, "mysql://localhost/pit")).mistake


def test_a_newer_schema(run: Run, command: list[str], db: str, tmp_path: Path) -> None:
    newer = tmp_path / "newer.db"
    newer.write_bytes(Path(db).read_bytes())
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "has schema version 99" in run(*on(command, newer)).mistake


def test_a_server_that_is_not_there(run: Run, command: list[str]) -> None:
    read_entries = run(*on(command, "postgresql://pit:secret@127.0.0.1:9/pit")).mistake
    assert "cannot reach PostgreSQL database 'pit' at 127.0.0.1" in read_entries
    assert "secret" not in read_entries


def test_a_changed_record_is_not_replayed_as_if_it_were_whole(run: Run, db: str, tmp_path: Path) -> None:
    changed = tmp_path / "changed.db"
    changed.write_bytes(Path(db).read_bytes())
    with closing(sqlite3.connect(changed)) as connection:
        connection.execute("DROP TRIGGER entries_not_updated")
        connection.execute("UPDATE entries SET actor = 'mallory' WHERE table_name = 'dice-works' AND sequence = 3")
        connection.commit()
    result = run("replay", changed, "dice-works")
    assert result.code == 2
    assert "the record is damaged: table 'dice-works', entry 3: its content does not match its hash" in result.err
    signed = run("checkpoint", changed, "--key", tmp_path / "key")
    assert (signed.code, signed.out) == (2, "")
    assert "the record is damaged" in signed.err


def test_a_store_to_be_written_is_made(tmp_path: Path) -> None:
    open_store(str(tmp_path / "new.db")).close()
    with opened(str(tmp_path / "new.db")) as store:
        assert store.heads() == {}
        with pytest.raises(Unavailable), store.transaction():
            pass
    with pytest.raises(InputError, match="no folder"):
        open_store(str(tmp_path / "none" / "new.db"))


def test_a_database_that_lacks_a_table_is_reported_in_one_line(run: Run, tmp_path: Path) -> None:
    import apsw

    path = tmp_path / "broken.db"
    with House(open_store(str(path))):
        pass
    connection = apsw.Connection(str(path))
    connection.execute("DROP TABLE postings")
    connection.close()
    for command in (["audit", str(path)], ["replay", str(path), "t1"]):
        result = run(*command)
        assert result.code == 2
        assert result.err.count("\n") == 1
        assert "Traceback" not in result.err


# ---------------------------------------------------------------- a licensee's own book


def test_replay_and_audit_read_a_licensee_s_own_book_from_the_journal_or_its_file(run: Run, tmp_path: Path) -> None:
    journal, own = tmp_path / "own.db", tmp_path / "harbour.toml"
    own.write_text('[book]\nid = "replayed-sic-bo"\nextends = "massachusetts-sic-bo"\n[wager.small]\npays = "3 to 2"\n')
    with House(SqliteStore(journal), clock=lambda: START) as house:
        setup = c.Setup("replayed-sic-bo", house.books.editions.add_file(own).digest, "Harbour", "USD")
        assert house.ask("t1", person("max the manager"), c.OpenTable(setup)).refused is None

    def replayed(*more: str) -> subprocess.CompletedProcess[str]:
        """In a process that has not read the book."""
        words = [sys.executable, "-m", "pitbook", "replay", str(journal), "t1", *more]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    assert "opened the table for Harbour" in replayed().stdout
    assert run("audit", journal).code == 0
    with closing(sqlite3.connect(journal)) as connection:  # as in a journal that was written without texts
        connection.executescript("DROP TRIGGER attachments_not_deleted; DELETE FROM attachments")
    assert replayed().returncode == 2
    assert "opened the table for Harbour" in replayed("--book", str(own)).stdout
    assert "name its file with --book" in run("audit", journal).out
    assert "NOT PROVED" not in run("audit", journal, "--book", own).out
