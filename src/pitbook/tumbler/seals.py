"""Seeds encrypted until betting closes: AES-256-GCM with a key stored outside the database.

Neither the database nor the key alone reveals a seed. Callers handle a lost key (`LostKey`): the round is voided, and
stakes are returned.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitbook.durable_files import sync_folder
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
"""A longer file is not a file of keys."""
NOT_READ = "journal.sealing-key-not-read"


class LostKey(Exception):
    """The key of a seal is missing, so its seed cannot be recovered."""


class UnusableKey(InputError):
    """The key file exists but cannot be used; `why` is the reason without the file's name."""

    def __init__(self, id: str, why: str, /, **params: Any) -> None:  # noqa: A002
        super().__init__(id, **params)
        self.why = why


class BadSeal(Exception):
    """The seal was altered, or belongs to another table or round."""


class SealingKeys:
    """Keys, newest first: the newest encrypts, the others still decrypt older seals.

    A random nonce of 96 bits is safe for 2**32 seals per key: a round every second for 136 years.
    """

    __slots__ = ("_keys", "channel_keys")

    def __init__(self, keys: Iterable[bytes] = ()) -> None:
        keys = tuple(keys)
        self._keys: dict[str, AESGCM] = {_key_id(key): AESGCM(key) for key in keys}
        self.channel_keys = {_key_id(key): hmac.digest(key, CHANNEL, "sha256") for key in keys}
        """Derived keys by the same ids, with which the processes of a house authenticate each other."""

    def __repr__(self) -> str:
        return f"<SealingKeys: {', '.join(self.ids) or 'none'}>"

    @property
    def ids(self) -> tuple[str, ...]:
        """The public ids of the keys, newest first."""
        return tuple(self._keys)

    @classmethod
    def make(cls, path: Path) -> SealingKeys:
        """Create a key in a new file that only its owner can read (mode 0600)."""
        key = secrets.token_bytes(KEY_BYTES)
        try:
            _write(path, [key])
        except FileExistsError:
            raise InputError("journal.sealing-key-exists", file=path) from None
        except OSError as error:
            raise InputError("journal.sealing-key-not-written", file=path, reason=error.strerror) from error
        return cls([key])

    @classmethod
    def load(cls, path: Path) -> SealingKeys:
        """Read the keys from a file; raise `LostKey` if there is none, `UnusableKey` if it cannot be used."""
        return cls(_read(path))

    @classmethod
    def rotate(cls, path: Path) -> SealingKeys:
        """Add a new key to a file; the old file stays intact until the new one is on disk."""
        keys = [secrets.token_bytes(KEY_BYTES), *_read(path)]
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            _write(fresh, keys)
            fresh.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise InputError("journal.sealing-key-not-written", file=path, reason=error.strerror) from error
        return cls(keys)

    def seal(self, seed: bytes, table: str, round: int) -> str:  # noqa: A002
        """Encrypt a seed, bound to a round of a table."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if not self._keys:
            raise LostKey("there is no sealing key; make one before a round is opened")
        name, key = next(iter(self._keys.items()))
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = key.encrypt(nonce, seed, _bound_to(name, table, round))
        return ".".join((VERSION, name, _to_text(nonce), _to_text(sealed)))

    def unseal(self, text: str, table: str, round: int) -> bytes:  # noqa: A002
        """Decrypt a seed; raise `LostKey` or `BadSeal`."""
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
    """Return the associated data of a seal, each part prefixed with its length."""
    parts = b"".join(b"%d:%s," % (len(part), part) for part in (name.encode(), table.encode(), b"%d" % number))
    return f"pitbook seal {VERSION}\n".encode() + parts


def _key_id(key: bytes) -> str:
    if len(key) != KEY_BYTES:
        raise ValueError(f"a sealing key has {KEY_BYTES} bytes, not {len(key)}")
    return hashlib.sha256(b"pitbook sealing key 1\n32:" + key + b",").hexdigest()[:16]


def _read(path: Path) -> list[bytes]:
    try:
        # O_NONBLOCK, because opening a pipe would block.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise LostKey(f"there is no sealing key {path}") from None
    except OSError as error:
        raise UnusableKey(NOT_READ, "it cannot be read", file=path, reason=error.strerror) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnusableKey("journal.not-sealing-keys", "it is not a file", file=path)
        if status.st_mode & 0o077:
            raise UnusableKey("journal.sealing-key-readable", "others may read it", file=path)
        content = os.read(descriptor, FILE_MAX)
    except OSError as error:
        raise UnusableKey(NOT_READ, "it cannot be read", file=path, reason=error.strerror) from error
    finally:
        os.close(descriptor)
    keys = _parsed(content)
    if not keys or _written(keys) != content:
        raise UnusableKey("journal.sealing-key-damaged", "it is damaged", file=path)
    return keys


def _parsed(content: bytes) -> list[bytes]:
    """Parse the keys in a file; return none if any is malformed."""
    keys = []
    for line in content.split(b"\n")[1:-1]:
        try:
            keys.append(_from_text(line.decode("ascii").partition(" ")[2]))
        except ValueError:
            return []
    return keys if all(len(key) == KEY_BYTES for key in keys) else []


def _written(keys: Iterable[bytes]) -> bytes:
    """Return a title line and a line for each key with its id, which reveals a damaged key."""
    lines = [TITLE, *(f"{_key_id(key)} {_to_text(key)}" for key in keys)]
    return "\n".join(lines).encode() + b"\n"


def _write(path: Path, keys: Iterable[bytes]) -> None:
    """Write a new key file durably: seals made with it must not outlive it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(_written(keys))
        file.flush()
        os.fsync(descriptor)
    sync_folder(path.parent)


def _to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _from_text(text: str) -> bytes:
    """Decode base64url; refuse a text that is not canonical."""
    data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if _to_text(data) != text:
        raise ValueError("not base64url")
    return data
