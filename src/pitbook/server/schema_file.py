"""The API's description as a file, without a server: `python -m pitbook.server.schema_file` prints it.

The types of the web pages are generated from it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.server.app import api_schema
from pitbook.server.services import Services
from pitbook.server.settings import Settings


def describe_api() -> dict[str, Any]:
    """Return the OpenAPI document, made with an empty house."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with House(SqliteStore(path)) as house, open_auth_store(str(path)) as auth:
            return api_schema(Services(Settings(data=Path(folder), demo=False), house, auth)).document


def schema_json() -> bytes:
    """Return the OpenAPI document as JSON with sorted keys, for comparison."""
    return msgspec.json.format(msgspec.json.encode(describe_api(), order="deterministic"), indent=1)


if __name__ == "__main__":
    sys.stdout.buffer.write(schema_json())
