"""Power loss, which kill -9 cannot show: what was not synced is lost, torn or out of order; the promise stays."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from pitbook.errors import InputError
from pitbook.journal.chain import verify
from pitbook.journal.decisions import Outcome
from pitbook.journal.errors import Broken, Unavailable
from pitbook.journal.runner import Runner, Settings
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.accounts import Account
from tests.journal import bank
from tests.journal.bank import bet, buy, pay
from tests.journal.disks import Disk, survivors
from tests.soaking import SOAK
from tests.waiting import HANG

RUNS = max(1, int(os.environ.get("PITBOOK_FAULT_RUNS", "200")) // 200)


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: hundreds of journals are opened here, and no real disk is wanted."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="pitbook-", dir=memory if memory.is_dir() else None) as made:
        yield Path(made)


class Loss(Exception):
    """A guarantee that failed after a power cut."""


class Outage:
    """At every sync point, before and after it, checks every journal that a power cut might leave."""

    def __init__(self, disk: Disk, folder: Path, seed: int) -> None:
        self.disk = disk
        self.folder = folder
        self.chance = random.Random(seed)
        self.acknowledged: list[str] = []
        self.cuts = 0
        self.losses: list[str] = []

    def note_answer(self, key: str | None, future: Future[Outcome]) -> None:
        if key and future.result().refused is None:
            self.acknowledged.append(key)

    def cut(self) -> None:
        acknowledged = list(self.acknowledged)
        for files in survivors(self.disk, self.chance):
            self.cuts += 1
            place = self.folder / str(self.cuts)
            place.mkdir()
            for name, content in files.items():
                (place / name).write_bytes(content)
            try:
                check(place / "journal.db", acknowledged)
            except (Loss, Broken, Unavailable, InputError) as error:
                self.losses.append(f"{type(error).__name__}: {error}")


def check(path: Path, acknowledged: list[str]) -> None:
    """Check that the journal opens, has every acknowledged command once, and has correct balances."""
    store = SqliteStore(path)
    try:
        keys: Counter[str | None] = Counter()
        moved: dict[Account, int] = {}
        for table in store.heads():
            verify(store.entries(table), table)
            for entry in store.entries(table):
                keys[entry.key] += 1
                for transfer in entry.transfers:
                    for leg in transfer.legs:
                        moved[leg.account] = moved.get(leg.account, 0) + leg.amount
        if missing := [key for key in acknowledged if keys[key] != 1]:
            raise Loss(f"acknowledged, but not there once: {missing}")
        if moved != store.all_balances():
            raise Loss(f"balances {store.all_balances()} are not what was moved: {moved}")
        with store.transaction() as unit:  # it can be written again
            unit.lock("t1")
    finally:
        store.close()


def play(disk: Disk, folder: Path, seed: int) -> Outage:
    work = folder / "work"
    work.mkdir()
    outage = Outage(disk, folder, seed)
    disk.on_sync = outage.cut
    store = SqliteStore(work / "journal.db", vfs=disk.name)
    with store.transaction() as unit:
        unit._connection.pragma("wal_autocheckpoint", 12)  # so that checkpoints and new logs come often
    with Runner(store, bank.DOMAIN, Settings(group_max=4, snapshot_every=8)) as runner:
        for number in range(8):
            commands = [
                make(f"t{number % 2}", "ann", 5, f"{number}-{make.__name__}-{again}")
                for again in range(2)
                for make in (buy, bet, pay)
            ]
            futures = [runner.submit(command) for command in commands]
            for command, future in zip(commands, futures, strict=True):
                future.add_done_callback(partial(outage.note_answer, command.key))
            for future in futures:
                future.result(HANG)
    disk.on_sync = None
    store.close()
    return outage


@pytest.mark.parametrize("seed", range(SOAK, SOAK + RUNS))
def test_power_loss_takes_nothing_that_was_acknowledged(
    folder: Path, seed: int, record_property: Callable[[str, object], None]
) -> None:
    disk = Disk("honest")
    try:
        outage = play(disk, folder, seed)
    finally:
        disk.unregister()
    record_property("examples", outage.cuts)
    assert outage.losses == []
    assert outage.cuts > 200
    assert len(outage.acknowledged) > 20


def test_a_disk_that_lies_is_caught_by_the_same_check(folder: Path) -> None:
    disk = Disk("lying", honest=False)
    try:
        outage = play(disk, folder, 1)
    finally:
        disk.unregister()
    assert any("Loss" in loss for loss in outage.losses)
