"""The types that the pages are written against are the server's own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pitbook.server.schema_file import schema_json
from tests.nodejs import NODE

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "ui"
TYPES = UI / "src" / "api" / "schema.d.ts"
MAKER = UI / "node_modules" / "openapi-typescript" / "bin" / "cli.js"


def test_the_types_of_the_pages_are_made_from_the_present_api(tmp_path: Path, update: bool) -> None:
    (tmp_path / "openapi.json").write_bytes(schema_json())
    options: list[str | Path] = ["--default-non-nullable=false", "--output", tmp_path / "schema.d.ts"]
    command: list[str | Path] = [NODE, MAKER, tmp_path / "openapi.json", *options]
    subprocess.run(command, cwd=UI, check=True, capture_output=True)
    made = (tmp_path / "schema.d.ts").read_text(encoding="utf-8")
    if update:
        TYPES.write_text(made, encoding="utf-8")
    data = "the API has changed; write its types anew: python3 dev.py test tests/ui/test_schema.py --update"
    assert TYPES.read_text(encoding="utf-8") == made, data
