"""Identity shared by all processes on one database: version, keys, and the house's own books."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING

import msgspec

from pitbook.errors import InputError
from pitbook.journal.keys import key_id, read_or_create_key
from pitbook.messages import compose
from pitbook.server.books.house_books import list_book_files
from pitbook.tumbler.seals import SealingKeys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.auth.store import AuthStore
    from pitbook.messages import Message
    from pitbook.server.settings import Settings

SETTING = "identity of the processes"


class Identity(msgspec.Struct, frozen=True):
    """The version, keys and books of the process that started last, or reloaded its books."""

    version: str
    sealing: tuple[str, ...]
    """The ids of the sealing keys; one in common is enough, so that keys can be rotated."""
    signing: str
    books: str
    """A digest of the house's own book files."""


def identity_of(settings: Settings) -> Identity:
    """Return the identity of this process."""
    digests = [sha256(path.read_bytes()).hexdigest() for path in list_book_files(settings.books)]
    return Identity(
        version("pitbook"),
        SealingKeys.load(settings.sealing_key_path).ids,
        key_id(read_or_create_key(settings.signing_key_path).public_key()) if settings.checkpoint_seconds else "",
        sha256(" ".join(sorted(digests)).encode()).hexdigest()[:16],
    )


def check_identity(auth: AuthStore, settings: Settings) -> None:
    """Raise an `InputError` that lists what differs from the processes that serve this database already."""
    saved = auth.setting(SETTING)
    if saved is None:
        return
    own, other = identity_of(settings), msgspec.json.decode(saved, type=Identity)
    found = list(_differences(own, other, settings))
    if found:
        raise InputError("server.differs", differences=found)


def save_identity(auth: AuthStore, settings: Settings) -> None:
    """Record the identity of this process for those that start later."""
    auth.save_setting(SETTING, msgspec.json.encode(identity_of(settings)).decode())


def _differences(own: Identity, other: Identity, settings: Settings) -> Iterator[Message]:
    if own.version != other.version:
        yield compose("errors.server.differs-version", other=other.version, own=own.version)
    if not set(own.sealing) & set(other.sealing):
        yield compose("errors.server.differs-sealing", file=settings.sealing_key_path)
    if own.signing != other.signing:
        yield compose("errors.server.differs-signing", file=settings.signing_key_path)
    if own.books != other.books:
        if settings.books:
            yield compose("errors.server.differs-books", folder=settings.books)
        else:
            yield compose("errors.server.differs-no-books")
