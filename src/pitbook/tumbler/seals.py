"""Seeds sealed until betting is closed: AES-256-GCM with a key that is kept outside of the database.

Whoever has the database alone cannot open a seal; whoever has the key alone has no seals. A key that is lost is an
event that callers expect (`LostKey`): the round is void, and stakes go back.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitbook.errors import InputError
from pitbook.tumbler.mapping import SEED_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TITLE = "pitbook sealing keys 1"
VERSION = "1"
KEY_BYTES = 32
NONCE_BYTES = 12
CHANNEL = b"pitbook channel 1"
FILE_MAX = 100_000
"""A longer file holds something else."""


class LostKey(Exception):
    """The key that a seal was made with is not there: this seed can never be known."""


class UnusableKey(InputError):
    """The file of keys is there and cannot be used; `why` says so without naming the file."""

    def __init__(self, says: str, why: str) -> None:
        super().__init__(says)
        self.why = why


class BadSeal(Exception):
    """The seal is not what was written, or belongs to another table or round."""


class SealingKeys:
    """One key or several, the newest first: it seals, the others still open what they have sealed.

    A seal has a random nonce of 96 bits, which is safe for 2**32 seals of one key: a round every second for 136 years.
    """

    __slots__ = ("_keys", "channel_keys")

    def __init__(self, keys: Iterable[bytes] = ()) -> None:
        keys = tuple(keys)
        self._keys: dict[str, AESGCM] = {_key_id(key): AESGCM(key) for key in keys}
        self.channel_keys = {_key_id(key): hmac.digest(key, CHANNEL, "sha256") for key in keys}
        """Keys derived from these, by the same ids: with them the processes of a house prove who they are."""

    def __repr__(self) -> str:
        return f"<SealingKeys: {', '.join(self.ids) or 'none'}>"

    @property
    def ids(self) -> tuple[str, ...]:
        """The keys' names, which tell nothing of them; the newest first."""
        return tuple(self._keys)

    @classmethod
    def make(cls, path: Path) -> SealingKeys:
        """A new key in a new file that only its owner may read (mode 0600)."""
        key = secrets.token_bytes(KEY_BYTES)
        try:
            _write(path, [key])
        except FileExistsError:
            raise InputError(f"there is a file {path} already; a sealing key is never overwritten") from None
        except OSError as error:
            raise InputError(f"cannot write the sealing key {path}: {error.strerror}") from error
        return cls([key])

    @classmethod
    def load(cls, path: Path) -> SealingKeys:
        """Return the keys in a file. Raises `LostKey` where there is none, `UnusableKey` where they cannot be used."""
        return cls(_read(path))

    @classmethod
    def rotate(cls, path: Path) -> SealingKeys:
        """A new key before those of the file. The old file stays whole until the new one is on the disk."""
        keys = [secrets.token_bytes(KEY_BYTES), *_read(path)]
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            _write(fresh, keys)
            fresh.replace(path)
            _sync_folder(path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise InputError(f"cannot write the sealing key {path}: {error.strerror}") from error
        return cls(keys)

    def seal(self, seed: bytes, table: str, round: int) -> str:  # noqa: A002
        """A seed, so that only the key opens it, and only for this round of this table."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if not self._keys:
            raise LostKey("there is no sealing key; make one before a round is opened")
        name, key = next(iter(self._keys.items()))
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = key.encrypt(nonce, seed, _bound_to(name, table, round))
        return ".".join((VERSION, name, _to_text(nonce), _to_text(sealed)))

    def unseal(self, text: str, table: str, round: int) -> bytes:  # noqa: A002
        """The seed in a seal. Raises `LostKey` or `BadSeal`."""
        where = f"the seal of table {table!r}, round {round}"
        version, _, rest = text.partition(".")
        name, *parts = rest.split(".")
        if version != VERSION or len(parts) != 2:
            raise BadSeal(f"{where} is not written as a seal is")
        if name not in self._keys:
            have = f"there are {', '.join(self._keys)}" if self._keys else "there is no key at all"
            raise LostKey(f"{where} was made with a key that is not there; {have}")
        try:
            nonce, sealed = (_from_text(part) for part in parts)
            if len(nonce) != NONCE_BYTES:
                raise ValueError
            seed = self._keys[name].decrypt(nonce, sealed, _bound_to(name, table, round))
        except (InvalidTag, ValueError):
            raise BadSeal(f"{where} was altered, or belongs to another round") from None
        if len(seed) != SEED_BYTES:
            raise BadSeal(f"{where} holds no seed")
        return seed


def _bound_to(name: str, table: str, number: int) -> bytes:
    """What a seal is good for; each part with its length before it."""
    parts = b"".join(b"%d:%s," % (len(part), part) for part in (name.encode(), table.encode(), b"%d" % number))
    return f"pitbook seal {VERSION}\n".encode() + parts


def _key_id(key: bytes) -> str:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a sealing key has {KEY_BYTES} bytes, not {len(key)}")
    return hashlib.sha256(b"pitbook sealing key 1\n32:" + key + b",").hexdigest()[:16]


def _read(path: Path) -> list[bytes]:
    try:
        # A pipe in its place would be waited for without O_NONBLOCK.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise LostKey(f"there is no sealing key {path}") from None
    except OSError as error:
        raise UnusableKey(f"cannot read the sealing key {path}: {error.strerror}", "it cannot be read") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnusableKey(f"{path} is not a file with sealing keys", "it is not a file")
        if status.st_mode & 0o077:
            says = f"others may read the sealing key {path}; make it yours alone with chmod 600"
            raise UnusableKey(says, "others may read it")
        content = os.read(descriptor, FILE_MAX)
    except OSError as error:
        raise UnusableKey(f"cannot read the sealing key {path}: {error.strerror}", "it cannot be read") from error
    finally:
        os.close(descriptor)
    keys = _parsed(content)
    if not keys or _written(keys) != content:
        says = f"the sealing key {path} is damaged; put a copy of it back, it cannot be mended"
        raise UnusableKey(says, "it is damaged")
    return keys


def _parsed(content: bytes) -> list[bytes]:
    """The keys of a file's lines, as far as they can be read."""
    keys = []
    for line in content.split(b"\n")[1:-1]:
        try:
            keys.append(_from_text(line.decode("ascii").partition(" ")[2]))
        except ValueError:
            return []
    return keys if all(len(key) == KEY_BYTES for key in keys) else []


def _written(keys: Iterable[bytes]) -> bytes:
    """A title, and a line for each key. It names its key by a hash, so that one that was damaged is seen."""
    lines = [TITLE, *(f"{_key_id(key)} {_to_text(key)}" for key in keys)]
    return "\n".join(lines).encode() + b"\n"


def _write(path: Path, keys: Iterable[bytes]) -> None:
    """A new file, on the disk before this returns: what is sealed with it must not outlive it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_written(keys))
        file.flush()
        os.fsync(descriptor)
    _sync_folder(path)


def _sync_folder(path: Path) -> None:
    with suppress(OSError):  # not every file system lets a folder be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _from_text(text: str) -> bytes:
    """The bytes of a text, if it is the one way to write them."""
    data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if _to_text(data) != text:
        raise ValueError("not base64url")
    return data
