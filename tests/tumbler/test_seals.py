"""Seals: opened by their key, for their round, and by nothing else."""

from __future__ import annotations

import os
import stat
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from pitbook.errors import InputError
from pitbook.tumbler.seals import BadSeal, LostKey, SealingKeys

SEED = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sealing.key"


@pytest.fixture
def keys(path: Path) -> SealingKeys:
    return SealingKeys.make(path)


def test_a_seed_comes_out_of_its_seal_after_a_restart(keys: SealingKeys, path: Path) -> None:
    text = keys.seal(SEED, "t1", 7)
    assert SealingKeys.load(path).unseal(text, "t1", 7) == SEED
    assert text != keys.seal(SEED, "t1", 7)  # its own nonce


def test_a_new_key_is_its_owners_alone(keys: SealingKeys, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SealingKeys.load(path).ids == keys.ids


def test_a_seal_does_not_show_its_seed_and_keys_do_not_show_themselves(keys: SealingKeys, path: Path) -> None:
    secret = path.read_text().split()[-1]
    text = keys.seal(SEED, "t1", 7)
    data = b"".join(urlsafe_b64decode(part + "==") for part in text.split(".")[2:])
    assert SEED not in data
    assert secret not in repr(keys) + str(keys) + text
    assert not hasattr(keys, "__dict__")


@pytest.mark.parametrize(("table", "number"), [("t2", 7), ("t1", 8), ("t", 17), ("t1,1:7", 7)])
def test_a_seal_is_good_for_its_own_round_only(keys: SealingKeys, table: str, number: int) -> None:
    text = keys.seal(SEED, "t1", 7)
    with pytest.raises(BadSeal, match="altered, or belongs to another round"):
        keys.unseal(text, table, number)


def test_a_seal_that_was_altered_anywhere_does_not_open(keys: SealingKeys) -> None:
    text = keys.seal(SEED, "t1", 7)
    for place, sign in enumerate(text):
        altered = text[:place] + ("A" if sign != "A" else "B") + text[place + 1 :]
        with pytest.raises((BadSeal, LostKey)):
            keys.unseal(altered, "t1", 7)
    for altered in ("", "1", text[:-1], text + "A", text + "=", text + ".A", "2" + text[1:], text + "é", " " + text):
        with pytest.raises(BadSeal):
            keys.unseal(altered, "t1", 7)


def test_a_lost_key_is_distinguished_from_a_bad_seal(keys: SealingKeys, tmp_path: Path) -> None:
    text = keys.seal(SEED, "t1", 7)
    with pytest.raises(LostKey, match="no key at all"):
        SealingKeys().unseal(text, "t1", 7)
    other = SealingKeys.make(tmp_path / "other.key")
    with pytest.raises(LostKey, match=other.ids[0]):
        other.unseal(text, "t1", 7)
    with pytest.raises(LostKey, match="make one"):
        SealingKeys().seal(SEED, "t1", 7)
    with pytest.raises(LostKey, match="there is no sealing key"):
        SealingKeys.load(tmp_path / "gone.key")


def test_after_a_rotation_the_new_key_seals_and_the_old_one_still_opens(keys: SealingKeys, path: Path) -> None:
    old = keys.seal(SEED, "t1", 7)
    rotated = SealingKeys.rotate(path)
    assert len(rotated.ids) == 2
    assert rotated.ids[1] == keys.ids[0]
    again = SealingKeys.load(path)
    assert again.ids == rotated.ids
    assert again.unseal(old, "t1", 7) == SEED
    new = again.seal(SEED, "t1", 8)
    assert new.split(".")[1] == rotated.ids[0]
    with pytest.raises(LostKey):
        keys.unseal(new, "t1", 8)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_key_is_never_overwritten(keys: SealingKeys, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(InputError, match="never overwritten"):
        SealingKeys.make(path)
    assert path.read_bytes() == before
    with pytest.raises(InputError, match="cannot write"):
        SealingKeys.make(path / "below")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_key_that_others_can_use_is_refused(keys: SealingKeys, path: Path, mode: int) -> None:
    path.chmod(mode)
    with pytest.raises(InputError, match="chmod 600"):
        SealingKeys.load(path)


def test_a_damaged_key_file_is_refused_whatever_was_damaged(keys: SealingKeys, path: Path) -> None:
    whole = path.read_bytes()
    secret = whole.split()[-1].decode()
    damaged = [whole[:cut] for cut in range(len(whole))]
    damaged += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(len(whole))]
    damaged += [whole + b"\n", whole + b"x y\n", whole + b"\xff\n", b"\0" * 100, whole * 2, whole + b"\n" * 100_000]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(InputError, match="is damaged") as caught:
            SealingKeys.load(path)
        assert secret not in str(caught.value)


def test_a_folder_or_a_pipe_is_not_a_key(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for other in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(InputError, match=r"does not contain sealing keys|cannot read"):
            SealingKeys.load(other)


def test_only_a_seed_is_sealed(keys: SealingKeys) -> None:
    with pytest.raises(ValueError, match="not 3"):
        keys.seal(b"abc", "t1", 1)
    with pytest.raises(ValueError, match="not 3"):
        SealingKeys([b"abc"])
