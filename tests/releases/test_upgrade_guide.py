"""The guide to upgrades does what it shows, on the houses of every release and of an old schema, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pitbook.journal.keys import create_key
from tests.guides import Walk
from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.releases.make_fixture import PASSWORD, TABLES
from tests.releases.test_upgrade import BOOKS_SINCE, RELEASES, unpack, unpack_dump, write_older
from tests.server.whole.clients import Visitor

__all__ = ["postgres_role", "postgres_server", "postgres_url", "unpack_dump"]

JOURNAL = "/var/lib/pitbook/house.db"
SETTINGS = """\
journal = "{place}"
demo = false
sealing_key = "{keys}/sealing.key"
signing_key = "{keys}/checkpoint.key"
"""


@pytest.mark.parametrize("older", [False, True], ids=["release", "oldest schema with books"])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("release", RELEASES)
def test_every_command_of_the_guide_works(
    release: str, kind: str, older: bool, tmp_path: Path, postgres_server: str, request: pytest.FixtureRequest
) -> None:
    place = write_house(release, kind, older, tmp_path, request)
    new = {"./pitbook-*.whl": "", "/opt/pitbook/bin/pip install --upgrade": "true", "sha256sum": "true sha256sum"}
    walk = Walk("upgrade.md", tmp_path, postgres_server, replace={JOURNAL: place, **new})
    keys = walk.place("/var/lib/pitbook/keys")
    create_key(keys / "checkpoint.key")
    walk.place("/backup")
    settings = SETTINGS.format(place=place, keys=keys)
    (walk.place("/etc/pitbook") / "house.toml").write_text(settings, encoding="utf-8")
    try:
        walk._control("start")
        walk.run(only="A service")
        with Visitor(walk.address).sign_in("max", PASSWORD) as manager:
            manager.set_up_factor()
            assert {table["id"] for table in manager.get("/tables").json()} == set(TABLES)
    finally:
        walk.close()
    assert walk.commands[-1] == "pitbook audit"
