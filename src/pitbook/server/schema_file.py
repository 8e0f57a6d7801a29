"""The API's description as a file, without a server: `python -m pitbook.server.schema_file` prints it.

The types of the web pages are generated from it.
"""

from __future__ import annotations

import sys

import msgspec

from pitbook.server.app import api_schema


def schema_json() -> bytes:
    """Return the OpenAPI document as JSON with sorted keys, for comparison."""
    return msgspec.json.format(msgspec.json.encode(api_schema().document, order="deterministic"), indent=1)


if __name__ == "__main__":
    sys.stdout.buffer.write(schema_json())
