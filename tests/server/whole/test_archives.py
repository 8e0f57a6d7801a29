"""A server over a journal from which a table was archived."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pitbook.journal.keys import create_key
from tests.house.test_archiving import LIVE, OLD, archive_all, write_house
from tests.server.whole.clients import Visitor
from tests.server.whole.deployment import Deployment


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_archived_table_is_gone_and_the_answer_says_where_it_is(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, make_deployment: Callable[..., Deployment]
) -> None:
    place = str(tmp_path / "house.db") if kind == "sqlite" else str(request.getfixturevalue("postgres_url"))
    write_house(place)
    create_key(tmp_path / "signing.key")
    (tmp_path / "archives").mkdir()
    file = archive_all(place, tmp_path / "archives", tmp_path / "signing.key")
    deployment = make_deployment(place)
    process = deployment.start(demo=False)
    with Visitor(process.open_at) as visitor:
        assert [table["id"] for table in visitor.get("/tables").json()] == [LIVE]
        for path in ("", "/rounds", "/rounds/1", "/events", "/stream"):
            response = visitor.get(f"/tables/{OLD}{path}")
            assert (response.status_code, response.json()["type"]) == (410, "/problems/archived"), path
            assert f"entries are in {file.name}" in response.json()["detail"]
    assert process.stop() == 0
    deployment.audited()
