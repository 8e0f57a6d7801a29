"""The running checkpoint's files: shared by processes, and written each on its own."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitbook.journal import checkpoints, running_checkpoint
from pitbook.journal.port import Head, Store
from pitbook.journal.runner import Runner
from pitbook.journal.running_checkpoint import RunningCheckpoint
from tests.journal import bank
from tests.journal.conftest import ON_SQLITE
from tests.waiting import HANG

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def signed(file: Path) -> dict[str, int]:
    """Return the length of each table according to a file."""
    return {one.table: one.count for one in checkpoints.from_json(file.read_bytes()).tables}


def follow(store: Store, *files: Path) -> RunningCheckpoint:
    """Return the running checkpoint of one more process."""
    followed = RunningCheckpoint(store, files, KEY, 60)
    assert followed.examine() == []
    followed.write()
    return followed


@ON_SQLITE
def test_processes_that_share_a_file_keep_what_the_others_have_signed(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    file = tmp_path / "journal.db-checkpoint"
    for table in ("t1", "t2"):
        runner.submit(bank.buy(table, "ann", 5)).result(HANG)
    one, other = follow(store, file), follow(store, file)
    for table, by in (("t1", one), ("t2", other), ("t3", one), ("t2", other)):
        sequence = runner.submit(bank.buy(table, "ann", 5)).result(HANG).sequence
        by.committed({table: tuple(store.entries(table, sequence - 1))})
        by.write()
    assert signed(file) == {"t1": 2, "t2": 3, "t3": 1}


@ON_SQLITE
def test_a_place_that_cannot_be_written_keeps_the_other_from_nothing(
    store: Store, runner: Runner[bank.Table], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    missing, second = tmp_path / "missing" / "checkpoint", tmp_path / "second"
    followed = follow(store, missing, second)
    assert signed(second) == {"t1": 1}
    assert str(followed.failures[0]) == f"the running checkpoint {missing} cannot be written: No such file or directory"
    assert str(followed.failures[0]) in caplog.text
    missing.parent.mkdir()
    followed.write()
    assert signed(missing) == {"t1": 1}
    assert not followed.failures


@ON_SQLITE
def test_a_wrong_file_that_cannot_be_put_aside_is_an_alarm_and_no_failure(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    file = tmp_path / "checkpoint"
    file.write_text("{}", encoding="utf-8")
    (tmp_path / "checkpoint.rejected").mkdir()
    followed = follow(store, file)
    assert len(followed.alarms) == 2
    assert str(followed.alarms[1]) == f"{file} cannot be renamed: Is a directory"
    assert signed(file) == {"t1": 1}


@ON_SQLITE
def test_a_place_that_does_not_answer_holds_up_no_stop(
    store: Store,
    runner: Runner[bank.Table],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(running_checkpoint, "CLOSE_SECONDS", 0.1)
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    file = tmp_path / "checkpoint"
    followed = RunningCheckpoint(store, [file], KEY, 0.001)
    followed.examine()
    followed.start()
    pipe = tmp_path / f"checkpoint.{os.getpid()}.unfinished"
    os.mkfifo(pipe)  # opening it for writing blocks until someone reads
    sequence = runner.submit(bank.buy("t1", "ann", 5)).result(HANG).sequence
    followed.committed({"t1": tuple(store.entries("t1", sequence - 1))})
    stopping = Thread(target=followed.close)
    stopping.start()
    stopping.join(HANG)
    assert not stopping.is_alive()
    assert "was not written at shutdown" in caplog.text
    pipe.read_bytes()


@ON_SQLITE
def test_a_file_is_written_for_its_owner_only_and_only_after_a_change(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    file = tmp_path / "checkpoint"
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    followed = follow(store, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.glob("checkpoint*")] == ["checkpoint"]
    file.unlink()
    followed.write()
    assert not file.exists(), "nothing has changed"
    followed.committed({"t1": tuple(store.entries("t1"))})
    followed.write()
    assert signed(file) == {"t1": 1}


@ON_SQLITE
def test_a_late_notice_of_an_older_commit_takes_nothing_back(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    for _ in range(3):
        runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    entries = tuple(store.entries("t1"))
    followed = RunningCheckpoint(store, [tmp_path / "checkpoint"], KEY, 60)
    for data, count in ((entries[:1], 1), (entries[1:], 3), (entries[:2], 3)):
        followed.committed({"t1": data})
        followed.write()
        assert signed(tmp_path / "checkpoint") == {"t1": count}


@ON_SQLITE
def test_a_record_that_lost_something_keeps_what_was_signed(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for table in ("t1", "t2", "t3"):
        runner.submit(bank.buy(table, "ann", 5)).result(HANG)
    head = store.head("t2")
    heads = {"t1": Head(4, bytes(32)), "t2": head, "t3": Head(2, bytes(32))}
    running_checkpoint.save(checkpoints.sign(heads, KEY, "2026-03-01T12:00:00+00:00"), first)
    running_checkpoint.save(checkpoints.sign({"t1": Head(9, bytes(32))}, KEY, "2026-03-01T12:00:00+00:00"), second)
    followed = RunningCheckpoint(store, [first, second], KEY, 60)
    assert followed.examine(skip=["t3"]) == [checkpoints.Loss("t1", 9, 1)]
    assert followed.alarms == []
    followed.write()
    assert signed(first) == {"t1": 9, "t2": 1, "t3": 2}
    assert signed(second) == {"t1": 9, "t2": 1, "t3": 2}


@ON_SQLITE
def test_a_missing_file_is_an_alarm_unless_the_journal_is_new(
    store: Store, runner: Runner[bank.Table], tmp_path: Path
) -> None:
    file = tmp_path / "checkpoint"
    assert running_checkpoint.examine(store, [file], KEY) == ([], [])
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    losses, (alarm,) = running_checkpoint.examine(store, [file], KEY)
    assert losses == []
    assert str(alarm).startswith(f"there is no running checkpoint {file}")
    file.write_text("{}", encoding="utf-8")
    losses, (alarm,) = running_checkpoint.examine(store, [file], KEY)
    assert losses == []
    assert str(alarm).startswith(f"the running checkpoint {file} cannot be used: this is not a checkpoint")
    followed = RunningCheckpoint(store, [file], KEY, 60)
    followed.examine()
    assert (tmp_path / "checkpoint.rejected").read_text(encoding="utf-8") == "{}"


@ON_SQLITE
def test_it_is_written_at_the_start_and_at_the_stop(store: Store, runner: Runner[bank.Table], tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    followed = RunningCheckpoint(store, [file], KEY, HANG)
    followed.examine()
    followed.start()
    assert signed(file) == {"t1": 1}
    runner.submit(bank.buy("t1", "ann", 5)).result(HANG)
    followed.committed({"t1": tuple(store.entries("t1", 1))})
    followed.close()
    assert signed(file) == {"t1": 2}
