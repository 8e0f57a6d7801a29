"""A table's state as JSON and back."""

from __future__ import annotations

from typing import Any

import msgspec

from pitbook.table.bets import Bets
from pitbook.table.state import Bet, Table


def written(table: Table) -> bytes:
    """Dictionaries keep their order, so that a table from a snapshot lists its areas as one that was replayed does."""
    return msgspec.json.encode(table, enc_hook=_plain)


def read(content: bytes) -> Table:
    """A table as it was written."""
    return _TABLE.decode(content)


def _plain(thing: Any) -> Any:
    if isinstance(thing, Bets):
        return dict(thing)
    raise NotImplementedError(f"a table holds no {type(thing).__name__}")


def _made(kind: type, plain: Any) -> Any:
    if kind is Bets:
        return Bets(msgspec.convert(plain, dict[int, Bet], str_keys=True).values())
    raise NotImplementedError(f"a table holds no {kind.__name__}")


_TABLE = msgspec.json.Decoder(Table, dec_hook=_made)
