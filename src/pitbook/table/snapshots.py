"""A table's state as JSON and back."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from pitbook.table.bets import Bets
from pitbook.table.state import Bet, Books, Table

_BOOKS = b',"books":null}'
"""The last field of a table, which a snapshot leaves out."""


def dump(table: Table) -> bytes:
    """Return a table's state as JSON, without its books.

    Dictionaries keep their order, so that a table from a snapshot lists its areas as one that was replayed does.
    """
    content = msgspec.json.encode(table, enc_hook=_plain)
    assert content.endswith(_BOOKS)
    return content.removesuffix(_BOOKS) + b"}"


def load(content: bytes, books: Books) -> Table:
    """Return the table of a snapshot, with the given books."""
    return replace(_TABLE.decode(content), books=books)


def _plain(thing: Any) -> Any:
    if isinstance(thing, Bets):
        return dict(thing)
    if isinstance(thing, Books):
        return None
    raise NotImplementedError(f"a table holds no {type(thing).__name__}")


def _decode(kind: type, plain: Any) -> Any:
    if kind is Bets:
        return Bets(msgspec.convert(plain, dict[int, Bet], str_keys=True).values())
    raise NotImplementedError(f"a table holds no {kind.__name__}")


_TABLE = msgspec.json.Decoder(Table, dec_hook=_decode)
