"""What SQLite takes and PostgreSQL does not: a NUL in a text, a number beyond 64 bits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.attack.wire import Wire, bearer, posted
from tests.server.whole.conftest import module_postgres_url, postgres_role, postgres_server
from tests.server.whole.deployment import Deployment

__all__ = ["module_postgres_url", "postgres_role", "postgres_server"]
GOOD = b'{"bets":[{"wager":"small","amount":500}]}'


@pytest.fixture(scope="module")
def hall(make_deployment: Callable[..., Deployment], module_postgres_url: str) -> Deployment:
    """A demo house on PostgreSQL."""
    deployment = make_deployment(module_postgres_url)
    deployment.start()
    return deployment


@pytest.mark.parametrize("name", ["demo-ann", "demo-manager"])
@pytest.mark.parametrize(
    "path",
    [
        *("tables/%00", "tables/%00/stream", "tables/%00/events", "tables/%00/rounds", "tables/%00/rounds/1"),
        *("tables/%00/hold", "tables/%00/fairness", "tables/a%00b/rounds/1/proof", "journal/%00", "people/%00"),
        *("people?after=%00", "exports/entries?table=%00", "me/statement?table=%00", "books/%00", "exports/%00"),
        *(
            "journal/massachusetts?actor=%00",
            "journal/massachusetts?kind=%00",
            "tables/massachusetts/rounds/" + "9" * 30,
        ),
        *("tables/massachusetts/events?after=4611686018427387904", "journal/massachusetts?after=9007199254740992"),
    ],
)
def test_no_question_is_a_fault_of_the_database(hall: Deployment, path: str, name: str) -> None:
    with Wire(hall) as wire:
        reply = wire.send(wire.head(f"GET /api/v1/{path} HTTP/1.1", bearer(hall, name))).reply()
    assert reply is not None
    assert reply.status < 500, reply


@pytest.mark.parametrize("name", ["demo-ann", "demo-manager"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tables/%00/bets", GOOD),
        ("tables/%00/commands", b'{"command":{"type":"CloseTable"}}'),
        ("tables/massachusetts/bets", b'{"bets":[{"wager":"\\u0000","amount":500}]}'),
        ("tables/massachusetts/commands", b'{"command":{"type":"Dispute","round":1,"words":"\\u0000"}}'),
        ("tables/massachusetts/commands", b'{"command":{"type":"RuleInWords","words":"a\\u0000b"}}'),
        ("tables/massachusetts/commands", b'{"command":{"type":"Dispute","round":99999999999999,"words":"x"}}'),
        ("approvals/%00/approve", b"{}"),
        ("approvals/%00/withdraw", b""),
        ("sign-in", b'{"name":"\\u0000","password":"\\u0000"}'),
        ("sign-in/link", b'{"code":"\\u0000"}'),
        ("register", b'{"name":"a\\u0000b","password":"a sentence of five words"}'),
        ("register", b'{"name":"nul","shown":"a\\u0000b","password":"a sentence of five words"}'),
        ("register", b'{"name":"nul","password":"a sentence of \\u0000 words"}'),
        ("people", b'{"name":"\\u0000","roles":[{"role":"\\u0000","table":"\\u0000"}]}'),
        ("people/%00/link", b""),
        ("people/demo-chen/deactivation", b'{"words":"a\\u0000b"}'),
        ("people/demo-chen/roles", b'{"role":"player","table":"a\\u0000b"}'),
    ],
)
def test_no_command_is_a_fault_of_the_database(hall: Deployment, path: str, body: bytes, name: str) -> None:
    reply = posted(hall, f"/api/v1/{path}", body, bearer(hall, name))
    assert reply.status < 500, reply
    if path != "register":
        assert reply.status >= 400, reply
