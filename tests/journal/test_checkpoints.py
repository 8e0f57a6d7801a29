"""Signed checkpoints show a record that was cut, rewritten, reordered or hashed again, although its chain is whole."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitbook.errors import InputError
from pitbook.journal import chain, checkpoints, keys
from pitbook.journal.decisions import Event
from pitbook.journal.entries import GENESIS, Entry
from pitbook.journal.errors import Broken
from pitbook.journal.port import DetachedTable, Head, Store
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from tests.journal import bank
from tests.waiting import HANG

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key()
LATER = "2026-01-02T00:00:00Z"


@pytest.fixture
def ten(runner: Runner[bank.Table], store: Store) -> Store:
    """Ten entries on a table, three on another."""
    for number in range(10):
        runner.submit(bank.buy("t1", "ann", number + 1, f"k{number}")).result(HANG)
    for _ in range(3):
        runner.submit(bank.buy("t2", "bob", 7)).result(HANG)
    return store


def test_an_untouched_record_leads_through_its_checkpoint(ten: Store, runner: Runner[bank.Table]) -> None:
    signed = checkpoints.write(ten, KEY, LATER)
    assert [(one.table, one.count) for one in signed.tables] == [("t1", 10), ("t2", 3)]
    assert checkpoints.verify(signed, ten, PUBLIC) == ten.heads()
    runner.submit(bank.buy("t3", "eve", 5)).result(HANG)
    runner.submit(bank.buy("t1", "eve", 5)).result(HANG)
    assert checkpoints.verify(checkpoints.from_json(signed.to_json()), ten, PUBLIC)["t1"].sequence == 11
    assert checkpoints.verify(checkpoints.write(ten, KEY, LATER, since=signed), ten, PUBLIC) == ten.heads()


def test_a_record_that_grows_while_a_checkpoint_is_written_is_signed_as_it_was(
    ten: Store, runner: Runner[bank.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = checkpoints.write(ten, KEY, LATER)
    runner.submit(bank.buy("t1", "eve", 5)).result(HANG)
    heads = ten.heads()
    runner.submit(bank.buy("t1", "eve", 5)).result(HANG)
    monkeypatch.setattr(ten, "heads", lambda: heads)
    assert checkpoints.write(ten, KEY, LATER, since=signed).heads() == heads


def test_a_table_that_has_disappeared_since_a_checkpoint_is_reported(
    runner: Runner[bank.Table], store: Store, tmp_path: Path
) -> None:
    runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
    signed = checkpoints.write(store, KEY, LATER)
    empty = forged(tmp_path / "empty.db", [])
    with pytest.raises(Broken, match="entry 1: the record was cut off here; 1 entry was signed"):
        checkpoints.write(empty, KEY, LATER, since=signed)
    empty.close()


def forged(path: Path, entries: list[Entry]) -> SqliteStore:
    """A journal of these entries, linked and hashed again: its chain is whole."""
    store = SqliteStore(path)
    head = Head(0, GENESIS)
    with store.transaction() as unit:
        for entry in entries:
            event = Event(entry.kind, entry.body, entry.transfers, entry.tag)
            new = chain.link(
                head,
                entry.table,
                event,
                actor=entry.actor,
                role=entry.role,
                at=entry.at,
                key=entry.key,
                request=entry.request,
                answer=entry.answer,
                attachment=entry.attachment,
            )
            unit.append([new])
            head = Head(new.sequence, new.hash)
    assert chain.verify(store.entries("t1"), "t1") == head
    return store


def doubled(entries: list[Entry]) -> list[Entry]:
    return [*entries[:5], msgspec.structs.replace(entries[4], key=None, request=None), *entries[5:]]


FORGERIES: dict[str, tuple[Callable[[list[Entry]], list[Entry]], str]] = {
    "cut": (lambda entries: entries[:9], "entry 10: the record ends here; 10 entries were signed"),
    "emptied": (lambda entries: entries[:0], "entry 1: the record ends here"),
    "rewritten": (
        lambda entries: [*entries[:4], msgspec.structs.replace(entries[4], actor="eve"), *entries[5:]],
        "entry 10: it is not the entry that was signed",
    ),
    "reordered": (lambda entries: [*entries[:4], entries[5], entries[4], *entries[6:]], "not the entry that was"),
    "dropped": (lambda entries: [*entries[:4], *entries[5:], entries[0]][:9], "the record ends here"),
    "doubled": (doubled, "not the entry that was signed"),
    "in front": (lambda entries: [msgspec.structs.replace(entries[0], key="new"), *entries], "not the entry that was"),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_record_is_found_by_whoever_holds_a_checkpoint(ten: Store, tmp_path: Path, how: str) -> None:
    signed = checkpoints.write(ten, KEY, LATER)
    forge, message = FORGERIES[how]
    store = forged(tmp_path / "forged.db", forge(list(ten.entries("t1"))))
    with pytest.raises(Broken, match=message):
        checkpoints.verify(signed, store, PUBLIC)
    with pytest.raises(Broken):
        checkpoints.write(store, KEY, LATER, since=signed)
    store.close()


def test_a_record_rehashed_after_the_checkpoint_is_found_by_the_next(ten: Store, tmp_path: Path) -> None:
    first = checkpoints.write(ten, KEY, LATER)
    again = forged(tmp_path / "same.db", list(ten.entries("t1")))
    assert again.head("t1") == ten.head("t1")
    again.close()
    assert checkpoints.verify(first, ten, PUBLIC)


def test_a_record_that_is_shorter_or_other_than_what_was_signed_is_a_loss(ten: Store) -> None:
    heads = ten.heads()
    assert checkpoints.losses(ten, checkpoints.sign(heads, KEY, LATER)) == []
    signed = {"t1": Head(12, bytes(32)), "t2": Head(3, bytes(32)), "t3": Head(1, bytes(32))}
    wrong = checkpoints.sign(signed, KEY, LATER)
    found = [checkpoints.Loss("t1", 12, 10), checkpoints.Loss("t2", 3, 3), checkpoints.Loss("t3", 1, 0)]
    assert checkpoints.losses(ten, wrong) == found
    assert checkpoints.losses(ten, wrong, skip=["t1"]) == found[1:]


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (12, "t1 has another entry 10 than the one that was signed"),
        (10, "t1 has another entry 10 than the one that was signed"),
        (9, "t1 lacks entry 10 (1 in all)"),
        (7, "t1 lacks entries 8 to 10 (3 in all)"),
        (0, "t1 lacks entries 1 to 10 (10 in all)"),
    ],
)
def test_a_loss_says_which_entries_are_missing(left: int, says: str) -> None:
    assert str(checkpoints.Loss("t1", 10, left)) == says


def test_a_changed_checkpoint_is_not_genuine(ten: Store) -> None:
    signed = checkpoints.write(ten, KEY, LATER)
    one, two = signed.tables
    changed: list[dict[str, Any]] = [
        {"at": bank.AT},
        {"tables": (one,)},
        {"tables": (two, one)},
        {"tables": (msgspec.structs.replace(one, count=9), two)},
        {"tables": (msgspec.structs.replace(one, head="00" * 32), two)},
        {"tables": (msgspec.structs.replace(one, table="t3"), two)},
        {"signature": "00" * 64},
        {"signature": "x"},
        {"signer": "0" * 16},
    ]
    for change in changed:
        with pytest.raises(InputError, match=r"signature is invalid|was signed by key"):
            checkpoints.verify(msgspec.structs.replace(signed, **change), ten, PUBLIC)
    with pytest.raises(InputError, match="was signed by key"):
        checkpoints.verify(signed, ten, Ed25519PrivateKey.generate().public_key())
    with pytest.raises(InputError, match="this is not a checkpoint"):
        checkpoints.from_json(b"{}")


def test_the_signed_bytes_never_change() -> None:
    standing = checkpoints.TableHead("t1", 2, "ab" * 32)
    signed = checkpoints.Checkpoint("2026-01-01T00:00:00Z", (standing,), keys.key_id(PUBLIC))
    assert signed.signed_bytes() == (
        b"pitbook checkpoint 1\n20:2026-01-01T00:00:00Z,16:56475aa75463474c,1:1,2:t1,1:2,64:" + b"ab" * 32 + b","
    )


# -- keys


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "signing.key"
    keys.create_key(path)
    return path


def test_a_key_is_for_its_owner_only(key_file: Path) -> None:
    assert key_file.stat().st_mode & 0o777 == 0o600
    key = keys.read_key(key_file)
    public = keys.read_public_key(key_file.with_name("signing.key.pub"))
    assert keys.key_id(key.public_key()) == keys.key_id(public)
    with pytest.raises(InputError, match="already"):
        keys.create_key(key_file)
    assert len(keys.key_id(public)) == 16
    for mode in (0o640, 0o604, 0o601):
        key_file.chmod(mode)
        with pytest.raises(InputError, match="chmod 600"):
            keys.read_key(key_file)


def test_a_key_that_is_missing_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "house" / "keys" / "signing.key"
    made = keys.read_or_create_key(path)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in sorted(path.parent.iterdir())] == ["signing.key", "signing.key.pub"]
    assert keys.key_id(keys.read_or_create_key(path).public_key()) == keys.key_id(made.public_key())
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot create the folder for the signing key: "):
        keys.read_or_create_key(tmp_path / "file" / "below" / "signing.key")


def test_an_invalid_key_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.touch(0o600)
    text.write_text("hello")
    for read in (keys.read_key, keys.read_public_key):
        with pytest.raises(InputError, match=r"has no (public )?key"):
            read(text)
        with pytest.raises(InputError, match="cannot read the key"):
            read(tmp_path / "none")
    with pytest.raises(InputError, match="cannot write the key"):
        keys.create_key(tmp_path / "nowhere" / "key")
    other = generate_private_key(SECP256R1())
    pem = serialization.Encoding.PEM
    text.write_bytes(other.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    with pytest.raises(InputError, match="not one for Ed25519"):
        keys.read_key(text)
    text.write_bytes(other.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(InputError, match="not one for Ed25519"):
        keys.read_public_key(text)


def detach(store: Store, monkeypatch: pytest.MonkeyPatch, count: int, head: bytes) -> None:
    """Let the store say that the record of t1 is in another file, and ended there."""
    table = DetachedTable("t1", count, head, LATER, "t1.db", b"{}", "", b"")
    monkeypatch.setattr(store, "detached", lambda: {"t1": table})


def test_of_a_table_in_another_file_its_last_entry_is_compared(ten: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    signed = checkpoints.write(ten, KEY, LATER)
    heads, other = signed.heads(), b"o" * 32
    for count, head, left in ((10, heads["t1"].hash, None), (11, other, None), (10, other, 10), (9, other, 9)):
        detach(ten, monkeypatch, count, head)
        found = checkpoints.losses(ten, signed)
        assert [(one.table, one.signed, one.left) for one in found] == ([] if left is None else [("t1", 10, left)])
        if left is None:
            checkpoints.verify(signed, ten, PUBLIC)
        else:
            with pytest.raises(Broken):
                checkpoints.verify(signed, ten, PUBLIC)


def test_tables_after_one_in_another_file_are_compared_too(ten: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    heads = ten.heads()
    detach(ten, monkeypatch, *heads["t1"])
    wrong = checkpoints.sign({**heads, "t2": Head(3, b"o" * 32)}, KEY, LATER)
    assert [one.table for one in checkpoints.losses(ten, wrong)] == ["t2"]
    with pytest.raises(Broken, match="t2"):
        checkpoints.verify(wrong, ten, PUBLIC)


def test_entries_after_the_signed_ones_are_verified_too(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "journal.db")) as store, Runner(store, bank.DOMAIN) as runner:
        runner.submit(bank.buy("t1", "ann", 1)).result(HANG)
        signed = checkpoints.write(store, KEY, LATER)
        runner.submit(bank.buy("t1", "ann", 2)).result(HANG)
        with closing(apsw.Connection(str(tmp_path / "journal.db"))) as connection:
            connection.execute("DROP TRIGGER entries_not_updated; UPDATE entries SET actor = 'eve' WHERE sequence = 2")
        with pytest.raises(Broken):
            checkpoints.verify(signed, store, PUBLIC)
