"""The API's description as a file, without a server: `python -m pitbook.server.schema_file FILE` writes it.

The types that the web pages are checked against are generated from it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from pitbook.server.app import api_schema


def schema_json() -> bytes:
    """Return the OpenAPI document as JSON with sorted keys, for comparison."""
    return msgspec.json.format(msgspec.json.encode(api_schema().document, order="deterministic"), indent=1)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(schema_json())
