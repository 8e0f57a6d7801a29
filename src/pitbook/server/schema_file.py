"""The API's description as a file, without a server: `python -m pitbook.server.schema_file` prints it.

The types of the web pages are made from it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.server.http.schema import ApiSchema
from pitbook.server.services import Services
from pitbook.server.settings import Settings


def described() -> dict[str, Any]:
    """The description of the whole API, from a house that nobody has ever entered."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(SqliteStore(Path(folder) / "journal.db"))
        try:
            return ApiSchema(Services(Settings(data=Path(folder), demo=False), house)).document()
        finally:
            house.close()


def written() -> bytes:
    """The same as JSON, keys in order, for people to compare."""
    return msgspec.json.format(msgspec.json.encode(described(), order="deterministic"), indent=1)


if __name__ == "__main__":
    sys.stdout.buffer.write(written())
