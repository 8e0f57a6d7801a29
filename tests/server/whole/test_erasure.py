"""People under pseudonyms: their names are beside the journal, and can be erased without touching the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from pitbook.house.stores import open_store
from pitbook.journal.backup import backup
from tests.server.authenticators import code_of
from tests.server.whole.clients import Visitor, done
from tests.server.whole.deployment import Deployment, Process, link_of

SIGN_IN, SHOWN, PASSWORD = "wilhelmina", "Wilhelmina Quist", "a long walk by the river"
FACTOR = "Wilhelmina's phone"
NAMES = (b"wilhelmina", b"quist")
"""What must not be found, in lower case."""


@pytest.fixture(params=["sqlite", "postgres"])
def deployment(request: pytest.FixtureRequest, make_deployment: Callable[..., Deployment]) -> Deployment:
    return make_deployment(None if request.param == "sqlite" else str(request.getfixturevalue("postgres_url")))


def start(deployment: Deployment) -> Process:
    return deployment.start(PITBOOK_PSEUDONYMS="true")


def manager_at(process: Process) -> Visitor:
    visitor = Visitor(process.open_at)
    done(visitor.post("/sign-in/link", {"code": link_of(process, "sign in")}))
    return visitor


def join(process: Process, manager: Visitor) -> str:
    """Add a player, who chooses a password, signs in, plays and sets a limit; return the account's name."""
    added = done(manager.post("/people", {"name": SIGN_IN, "shown": SHOWN, "roles": [{"role": "player"}]}), 201)
    person: str = added["name"]
    assert (person.startswith("p-"), added["shown"]) == (True, SHOWN)
    code = done(manager.post(f"/people/{person}/link"), 201)["link"].partition("code=")[2]
    with Visitor(process.open_at) as player:
        me = done(player.post("/sign-in/link", {"code": code, "password": PASSWORD}))
        assert (me["name"], me["shown"]) == (person, SHOWN)
    with Visitor(process.open_at).sign_in(SIGN_IN.upper(), PASSWORD) as player:
        done(player.command("singapore", "BuyIn", amount=100_00))
        done(player.bets("singapore", "small=500"))
        assert player.post("/tables/singapore/bets", {"bets": [{"wager": "small", "amount": 10**9}]}).status_code >= 400
        player.add_app(FACTOR)
        (factor,) = player.get_json("/me/factors")["factors"]
        assert factor["name"] == FACTOR
        secret = done(player.post("/me/factors/totp"))["secret"]
        again = {"code": code_of(secret, datetime.now(UTC)), "name": FACTOR}
        taken = player.post("/me/factors/totp/confirmation", again)
        assert (taken.status_code, taken.json()["type"]) == (409, "/problems/name-taken")
        assert len(player.get_json("/me/factors")["factors"]) == 1
    with Visitor(process.open_at) as wrong:
        assert wrong.post("/sign-in", {"name": SIGN_IN, "password": "another password"}).status_code == 401
    return person


def pages(visitor: Visitor, person: str) -> Iterator[bytes]:
    """Everything that staff can read about people and tables."""
    for path in (
        "/people?limit=500",
        f"/people/{person}",
        f"/people?find={SIGN_IN}",
        "/journal/house?limit=500",
        "/journal/singapore?limit=500",
        "/tables/singapore",
        "/tables/singapore/events?limit=500",
        "/exports/entries?format=csv",
        "/exports/postings?format=csv",
    ):
        response = visitor.http.get(path)
        assert response.status_code == 200, (path, response.text)
        yield response.content.lower().replace(f"find={SIGN_IN}".encode(), b"")


def stored(deployment: Deployment) -> Iterator[bytes]:
    """Every byte of the house's files, or of its tables."""
    for file in deployment.folder.rglob("*"):
        if file.is_file():
            yield file.read_bytes().lower()
    if deployment.place.startswith("postgresql:"):
        with psycopg.connect(deployment.place) as connection:
            found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
            for (table,) in found:
                with connection.cursor().copy(f"COPY {table} TO STDOUT (FORMAT binary)".encode()) as copy:
                    yield b"".join(bytes(part) for part in copy).lower()


def found_in(contents: Iterator[bytes]) -> bool:
    return any(name in content for content in contents for name in NAMES)


def test_erased_names_are_nowhere_and_the_record_is_right(deployment: Deployment, tmp_path: Path) -> None:
    process = start(deployment)
    with manager_at(process) as manager:
        person = join(process, manager)
        assert found_in(pages(manager, person))
        taken = manager.post("/people", {"name": SIGN_IN.upper(), "roles": []})
        assert (taken.status_code, taken.json()["type"]) == (409, "/problems/name-taken")
        done(manager.post(f"/people/{person}/deactivation", {"words": "moved away"}))
    assert process.stop() == 0
    assert found_in(stored(deployment))
    assert not any(name in one.body.lower() for one in deployment.record("house") for name in NAMES)
    heads = {name: deployment.record(name)[-1].hash for name in ("house", "singapore")}
    refused = deployment.run("erase-person", deployment.place, SIGN_IN, "--reason", f"{SHOWN} asked for it")
    assert "the reason names the person" in refused.stderr
    erased = deployment.run("erase-person", deployment.place, SIGN_IN, "--reason", "a request by letter")
    assert erased.returncode == 0, erased.stderr
    assert not found_in(stored(deployment))
    assert heads["singapore"] == deployment.record("singapore")[-1].hash
    assert heads["house"] == deployment.record("house")[-2].hash  # the erasure itself is on record
    with closing(open_store(deployment.place)) as store:
        backup(store, tmp_path / "backup.db")
    assert not found_in(iter([(tmp_path / "backup.db").read_bytes().lower()]))
    process = start(deployment)
    with manager_at(process) as manager:
        assert not found_in(pages(manager, person))
        assert done(manager.get(f"/people/{person}"))["shown"] == person
    with Visitor(process.open_at) as gone:
        assert gone.post("/sign-in", {"name": SIGN_IN, "password": PASSWORD}).status_code == 401
    assert process.stop() == 0
    deployment.audited()


def test_what_cannot_be_erased_says_why(deployment: Deployment) -> None:
    process = start(deployment)
    with manager_at(process) as manager:
        person = join(process, manager)
    assert process.stop() == 0

    def why(name: str) -> str:
        ended = deployment.run("erase-person", deployment.place, name, "--reason", "a request by letter")
        assert ended.returncode == 2
        return ended.stderr

    assert f"the account {person} is open; have a manager close it first" in why(SIGN_IN)
    assert "the name demo-ann is part of the record" in why("demo-ann")
    assert "'nobody'" in why("nobody")
    assert found_in(stored(deployment))
