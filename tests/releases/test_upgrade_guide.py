"""The guide to upgrades does what it shows, on the houses of every release and of an old schema, on both databases."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from pitbook.auth.stores import SUFFIX
from pitbook.journal.checkpoints import sign
from pitbook.journal.keys import create_key, read_key
from pitbook.testing import START
from tests.guides import GuideRun
from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.releases.make_fixture import PASSWORD, TABLES
from tests.releases.test_upgrade import BOOKS_SINCE, RELEASES, heads_of, unpack, unpack_dump, write_older
from tests.server.whole.clients import Visitor

__all__ = ["postgres_role", "postgres_server", "postgres_url", "unpack_dump"]

JOURNAL = "/var/lib/pitbook/house.db"
SETTINGS = """\
journal = "{place}"
demo = false
sealing_key = "{keys}/sealing.key"
signing_key = "{keys}/checkpoint.key"
"""


def sign_heads(place: str | Path, key: Path, file: Path) -> None:
    """Write a checkpoint of a house, which is read in a copy."""
    copy = shutil.copy(place, f"{place}.copy")
    file.write_bytes(sign(heads_of(copy), read_key(key), START.isoformat()).to_json())


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sqlite", "postgres", "older schema"])
@pytest.mark.parametrize("release", RELEASES)
def test_every_command_of_the_guide_works(
    release: str, kind: str, tmp_path: Path, postgres_server: str, request: pytest.FixtureRequest
) -> None:
    fixture = unpack(release, tmp_path)
    place = request.getfixturevalue("unpack_dump")(release) if kind == "postgres" else fixture
    if kind == "older schema":
        place = str(tmp_path / "older.db")
        write_older(place, fixture, BOOKS_SINCE)
        shutil.copy(fixture + SUFFIX, place + SUFFIX)
    new = {"./pitbook-*.whl": "", "/opt/pitbook/bin/pip install --upgrade": "true", "sha256sum": "true sha256sum"}
    walk = GuideRun("upgrade.md", tmp_path, postgres_server, replace={JOURNAL: shlex.quote(place), **new})
    keys, backups = walk.place("/var/lib/pitbook/keys"), walk.place("/backup")
    create_key(keys / "checkpoint.key")
    settings = SETTINGS.format(place=place, keys=keys)
    (walk.place("/etc/pitbook") / "house.toml").write_text(settings, encoding="utf-8")
    written = shutil.copy(fixture if kind == "postgres" else place, backups / "as-written.db")
    walk.instead = {  # by the version that wrote the house
        "backup": lambda words: shutil.copy(written, words[2]),
        "checkpoint": lambda words: sign_heads(written, keys / "checkpoint.key", Path(words[-1])),
    }
    try:
        walk.run(only="A service")
        with Visitor(walk.address).sign_in("max", PASSWORD) as manager:
            manager.set_up_factor()
            assert {table["id"] for table in manager.get("/tables").json()} == set(TABLES)
    finally:
        walk.close()
    assert walk.commands[-1] == "pitbook audit"
