"""The running checkpoint's files: shared by processes, and written each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitbook.journal import checkpoints
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner
from pitbook.journal.running_checkpoint import RunningCheckpoint
from tests.journal import bank
from tests.journal.conftest import ON_SQLITE
from tests.waiting import HANG

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def signed(file: Path) -> dict[str, int]:
    """How far each table goes by a file."""
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
    assert followed.trouble == f"the running checkpoint {missing} cannot be written: No such file or directory"
    assert followed.trouble in caplog.text
    missing.parent.mkdir()
    followed.write()
    assert signed(missing) == {"t1": 1}
    assert not followed.trouble
