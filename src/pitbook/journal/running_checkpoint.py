"""The running checkpoint: the heads of all records, signed and written beside the journal about every second.

A database that lost its latest commits (a damaged log, an older copy of the file) is consistent in itself; comparing it
with the running checkpoint at the next start reveals the loss. The last interval before a crash is not covered.
"""

from __future__ import annotations

import fcntl
import logging
import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from pitbook.durable_files import replace_durably
from pitbook.errors import InputError
from pitbook.journal.checkpoints import Checkpoint, from_json, losses, sign, verify_signature
from pitbook.journal.port import Head
from pitbook.messages import Message, compose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pitbook.journal.checkpoints import Loss
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store

log = logging.getLogger(__name__)

SUFFIX = "-checkpoint"
"""Appended to the name of the journal file."""
REJECTED = ".rejected"
"""Appended to the name of a checkpoint with a wrong signature, so that it is not overwritten."""

CLOSE_SECONDS = 5.0
"""How long `close` waits for a checkpoint that is being written."""


class Examination(NamedTuple):
    """The result of comparing a journal with its running checkpoints."""

    losses: list[Loss]
    alarms: list[Message]
    """Problems with the checkpoints themselves."""


def examine(store: Store, files: Sequence[Path], key: Ed25519PrivateKey, skip: Iterable[str] = ()) -> Examination:
    """Compare a journal with its running checkpoints; `skip` lists unreadable tables."""
    found: dict[str, Loss] = {}
    alarms: list[Message] = []
    for file in files:
        try:
            signed = read_checkpoint(file, key)
        except FileNotFoundError:
            if store.names():
                alarms.append(compose("alarms.detail.no-checkpoint", file=file))
        except (OSError, InputError) as error:
            alarms.append(compose("alarms.detail.checkpoint-unusable", file=file, reason=error))
        else:
            for loss in losses(store, signed, skip):
                if loss.table not in found or found[loss.table].signed < loss.signed:
                    found[loss.table] = loss
    return Examination(sorted(found.values(), key=lambda loss: loss.table), alarms)


def read_checkpoint(file: Path, key: Ed25519PrivateKey) -> Checkpoint:
    """Return a running checkpoint; raise an `InputError` if the key has not signed it."""
    signed = from_json(file.read_bytes())
    verify_signature(signed, key.public_key())
    return signed


def save(checkpoint: Checkpoint, file: Path) -> None:
    """Write a checkpoint atomically and durably, readable by its owner only."""
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")  # processes may share the folder
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as output:
        output.write(checkpoint.to_json())
    replace_durably(unfinished, file)


class RunningCheckpoint:
    """Signs and writes the committed heads at an interval, if they have changed."""

    def __init__(self, store: Store, files: Sequence[Path], key: Ed25519PrivateKey, seconds: float) -> None:
        self._store = store
        self._files = files
        self._key = key
        self._seconds = seconds
        self._heads: dict[str, Head] = {}
        self._lock = Lock()
        self._changed = False
        self._closing = Event()
        self._thread: Thread | None = None
        self.alarms: list[Message] = []
        """Problems with the checkpoints at the start."""
        self.failures: list[Message] = []
        """Why files cannot be written now."""

    def examine(self, skip: Iterable[str] = ()) -> list[Loss]:
        """Compare the record with the files and continue from there; lost records keep their signed heads.

        A file with a wrong signature is renamed.
        """
        found = examine(self._store, self._files, self._key, skip)
        self.alarms = found.alarms
        heads = {name: self._store.head(name) for name in self._store.names() if name not in skip}
        for file in self._files:
            try:
                signed = read_checkpoint(file, self._key).heads()
            except FileNotFoundError:
                continue
            except (OSError, InputError):
                try:
                    file.rename(file.with_name(file.name + REJECTED))
                except OSError as error:
                    reason = error.strerror or error
                    self.alarms.append(compose("alarms.detail.checkpoint-not-renamed", file=file, reason=reason))
                continue
            unsigned = {loss.table for loss in found.losses} | set(skip)
            heads |= {table: head for table, head in signed.items() if table in unsigned}
        with self._lock:
            self._heads = heads | self._heads
            self._changed = True
        for alarm in self.alarms:
            log.warning("%s", alarm)
        return found.losses

    def committed(self, entries: Mapping[str, tuple[Entry, ...]]) -> None:
        """Update the heads after a commit."""
        with self._lock:
            for table, added in entries.items():
                last = added[-1]
                if table not in self._heads or self._heads[table].sequence < last.sequence:
                    self._heads[table] = Head(last.sequence, last.hash)
            self._changed = True

    def start(self) -> None:
        """Write now and then at the interval."""
        self.write()
        self._thread = Thread(target=self._run, name="running checkpoint", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write the last changes and stop, without waiting long for a lost network drive."""
        self._closing.set()
        if self._thread is None:
            return
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            log.error("the running checkpoint was not written at shutdown: %s", ", ".join(map(str, self._files)))

    def _run(self) -> None:
        while not self._closing.wait(self._seconds):
            self.write()
        self.write()

    def write(self) -> None:
        """Sign and write the heads if they have changed; a failure is retried at the next interval."""
        with self._lock:
            if not self._changed:
                return
            heads, self._changed = dict(self._heads), False
        failures = []
        for file in self._files:
            try:
                self._update_file(heads, file)
            except OSError as error:
                reason = error.strerror or error
                failures.append(compose("alarms.detail.checkpoint-not-written", file=file, reason=reason))
        if failures and not self.failures:
            log.error("%s", "; ".join(map(str, failures)))
        self.failures = failures
        if failures:
            with self._lock:
                self._changed = True

    def _update_file(self, heads: Mapping[str, Head], file: Path) -> None:
        """Sign and write one file, keeping later heads that other processes have signed there."""
        with _locked(file):
            with suppress(OSError, InputError):
                signed = read_checkpoint(file, self._key).heads()
                further = {name: head for name, head in signed.items() if _is_later(head, heads.get(name))}
                heads = {**heads, **further}
            save(sign(heads, self._key, datetime.now(UTC).isoformat(timespec="seconds")), file)


def _is_later(head: Head, known: Head | None) -> bool:
    return known is None or head.sequence > known.sequence


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Lock the folder of a file that several processes write."""
    folder = os.open(file.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # not every file system supports it
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
