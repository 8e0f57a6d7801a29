"""A file of which a part was overwritten: every command says so in a sentence, and none ends in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.cli import main
from pitbook.testing import JournalTable
from tests.audit.journals import house_at

PAGE = 4096
HEADER = 100
"""The bytes by which SQLite knows its own files."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small journal."""
    path = tmp_path_factory.mktemp("whole") / "house.db"
    with house_at(path) as house:
        JournalTable(house, "dice-ology").buy_in("ann")
    return path.read_bytes()


@pytest.mark.parametrize(
    "command", ["audit", "backup", "replay", "export", "checkpoint", "disable-demo", "accept-loss"]
)
def test_a_damaged_page_ends_every_command_in_a_sentence(
    whole: bytes,
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    more = {
        "backup": [str(tmp_path / "copy.db"), "--force"],
        "replay": ["t1"],
        "export": ["--csv", str(tmp_path / "csv"), "--force"],
        "checkpoint": ["--out", str(tmp_path / "checkpoint"), "--force"],
        "accept-loss": ["--by", "max", "--reason", "damage"],
    }
    codes = set()
    for page in range(len(whole) // PAGE):
        journal = tmp_path / f"damaged-{page}.db"
        damaged = bytearray(whole)
        first = page * PAGE + (0 if page else HEADER)
        damaged[first : (page + 1) * PAGE] = b"\xa5" * ((page + 1) * PAGE - first)
        journal.write_bytes(damaged)
        with pytest.raises(SystemExit) as ended:  # any other exception would be a traceback
            main([command, str(journal), *more.get(command, [])])
        codes.add(ended.value.code)
        output = capsys.readouterr()
        assert "Traceback" not in output.err
        if ended.value.code == 2:
            assert output.err.rpartition("pitbook: ")[2].count("\n") == 1, output.err
    assert codes <= {0, 1, 2}
    assert 2 in codes
