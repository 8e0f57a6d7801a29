"""Malformed requests: each gets a problem, the same from both endpoints, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.attack.wire import SECURITY, Reply, Wire, bearer, posted, sent
from tests.server.whole.clients import done
from tests.server.whole.deployment import Deployment

TABLE = "massachusetts"
BETS, COMMANDS = f"/api/v1/tables/{TABLE}/bets", f"/api/v1/tables/{TABLE}/commands"
GOOD = b'{"bets":[{"wager":"small","amount":500}]}'
COMMON_WAY = "Content-Type: application/json; charset=utf-8"
"""Not the plain content type: a request that the fast lane does not take."""


def bet(amount: str) -> bytes:
    return b'{"bets":[{"wager":"small","amount":%b}]}' % amount.encode()


BODIES = {
    "bad UTF-8": b'{"bets":[{"wager":"\xff\xfe","amount":500}]}',
    "an escaped NUL": b'{"bets":[{"wager":"a\\u0000b","amount":500}]}',
    "a NUL": b'{"bets":\x00[]}',
    "half a character": b'{"bets":[{"wager":"\\ud800","amount":500}]}',
    "the other half": b'{"bets":[{"wager":"\\udc00\\ud800","amount":500}]}',
    "100,000 brackets": b"[" * 100_000,
    "30,000 objects": b'{"bets":' * 30_000,
    "closed brackets": b'{"bets":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "1e400": bet("1e400"),
    "-1e400": bet("-1e400"),
    "10**100": bet("1" + "0" * 100),
    "10**5000": bet("1" + "0" * 5000),
    "2**63": bet(str(2**63)),
    "-0": bet("-0"),
    "less than nothing": bet("-500"),
    "500.0": bet("500.0"),
    "5e2": bet("5e2"),
    "true": bet("true"),
    "a number in quotes": bet('"500"'),
    "null for a number": bet("null"),
    "NaN": bet("NaN"),
    "Infinity": bet("Infinity"),
    "0x1f4": bet("0x1f4"),
    "nothing": b"",
    "spaces": b"   ",
    "null": b"null",
    "a list": b"[]",
    "a string": b'"bets"',
    "no bets": b'{"bets":[]}',
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "something after it": GOOD + b"x",
    "two bodies": GOOD + GOOD,
    "UTF-16": GOOD.decode().encode("utf-16"),
    "a bad field twice, then a good one": b'{"bets":[],"bets":[{"wager":"small","amount":500}]}',
    "300 bets": b'{"bets":[%b]}' % b",".join([b'{"wager":"small","amount":500}'] * 300),
    "an unknown field": b'{"bets":[{"wager":"small","amount":500}],"player":"demo-ben"}',
    "another's bet": b'{"bets":[{"wager":"small","amount":500,"player":"demo-ben"}]}',
    "a wager of 10,000 letters": b'{"bets":[{"wager":"%b","amount":500}]}' % (b"a" * 10_000),
    "no JSON": b"bets=small&amount=500",
    "one wager too many": b'{"bets":[{"wager":"small","amount":500},{"wager":"none such","amount":500}]}',
}


def without_id(reply: Reply) -> dict[str, Any]:
    body = reply.problem
    assert body.pop("request_id") == reply.header("x-request-id")
    return body


def unchanged(target_house: Deployment, attack: Callable[[], object]) -> None:
    """Check that the attack moves no money."""
    before = target_house.balances()
    attack()
    assert target_house.balances() == before


@pytest.mark.parametrize("what", BODIES)
def test_a_malformed_body_is_refused_in_the_same_words_by_both_lanes(target_house: Deployment, what: str) -> None:
    ann = bearer(target_house, "demo-ann")

    def attack() -> None:
        quick, common = (
            posted(target_house, BETS, BODIES[what], ann),
            posted(target_house, BETS, BODIES[what], ann, COMMON_WAY),
        )
        assert without_id(quick) == without_id(common)
        assert quick.status in (400, 422)

    unchanged(target_house, attack)


@pytest.mark.parametrize("header", ["Authorization: Bearer nonsense", "Authorization: Basic YTpi", "X-Nothing: 1"])
@pytest.mark.parametrize("body", [GOOD, b"[]", bet("true")])
def test_an_unknown_caller_gets_the_same_answer_by_both_endpoints(
    target_house: Deployment, header: str, body: bytes
) -> None:
    quick, common = posted(target_house, BETS, body, header), posted(target_house, BETS, body, header, COMMON_WAY)
    assert without_id(quick) == without_id(common)


@pytest.mark.parametrize(
    "field",
    [
        '"command":{"type":"Nothing"}',
        '"command":{"type":"CloseTable","type":"OpenTable"}',
        '"command":{"type":["CloseTable"]}',
        '"command":{"type":"TakeStep","step":"close","dice":[true,1,1]}',
        '"command":{"type":"TakeStep","step":"close","dice":["1",1,1]}',
        '"command":{"type":"TakeStep","step":"close","shakes":1e400}',
        '"command":{"type":"TakeStep","step":"close\\u0000"}',
        '"command":{"type":"Fill","amount":99999999999999999999,"second":{"name":"x","role":"y"}}',
        '"command":{"type":"Call","irregularity":"' + "x" * 5000 + '"}',
        '"command":{"type":"TakeStep","step":"close"},"expected":{"round":true,"step":1}',
        '"command":{"type":"TakeStep","step":"close"},"expected":{"round":1,"step":1,"more":1}',
        '"command":{"type":"TakeStep","step":"close"},"role":5',
    ],
)
def test_a_malformed_command_of_a_dealer_is_refused(target_house: Deployment, field: str) -> None:
    before = target_house.visitor("demo-dealer").now(TABLE)
    reply = posted(target_house, COMMANDS, f"{{{field}}}".encode(), bearer(target_house, "demo-dealer"))
    assert reply.problem["status"] in (400, 422)
    assert target_house.visitor("demo-dealer").now(TABLE) == before


@pytest.mark.parametrize("name", ["", " ", " ann", "ann ", "a\nb", "demo-ann:USD", "\u2028"])
def test_nobody_for_whom_staff_act_has_a_name_that_is_none(target_house: Deployment, name: str) -> None:
    dealer = target_house.visitor("demo-dealer")
    before = dealer.now(TABLE)
    for kind, fields in (("BuyIn", {"amount": 500}), ("PlaceBets", {"bets": [{"wager": "small", "amount": 500}]})):
        refused = dealer.command(TABLE, kind, player=name, **fields)
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (400, "body.player")
    assert dealer.now(TABLE) == before
    done(dealer.command(TABLE, "BuyIn", player="陳先生, seat 3", amount=500))


def test_staff_write_the_name_of_an_account_as_it_is(target_house: Deployment) -> None:
    dealer = target_house.visitor("demo-dealer")
    for kind, fields in (("BuyIn", {"amount": 500}), ("PlaceBets", {"bets": [{"wager": "small", "amount": 500}]})):
        refused = dealer.command(TABLE, kind, player="Demo-Chen", **fields)
        assert (refused.status_code, "'demo-chen'" in refused.json()["detail"]) == (422, True)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Content-Type: text/plain"], 415),
        (["Content-Type: "], 415),
        (["Content-Type: text/plain", "Content-Type: application/json"], 415),
        (["Content-Type: application/jsonp"], 415),
        (["Content-Type: multipart/form-data; boundary=x"], 415),
        (["Content-Length: 3"], 400),
        (["Transfer-Encoding: chunked"], 400),
        (["Transfer-Encoding : chunked"], 400),
        (["Transfer-Encoding: xchunked"], 400),
        (["Idempotency-Key: a\tb"], 400),
        (["Idempotency-Key: " + "k" * 201], 400),
        (["Idempotency-Key: "], 400),
        (["X: a\r\n folded"], 400),
        (["X : a"], 400),
        (["X\x00: a"], 400),
        (["X: a\x00b"], 400),
        (["X: a\nAuthorization: Bearer x"], 400),
    ],
)
def test_headers_that_are_wrong_or_contradict_each_other_are_refused(
    target_house: Deployment, headers: list[str], status: int
) -> None:
    def attack() -> None:
        assert posted(target_house, BETS, GOOD, bearer(target_house, "demo-ann"), *headers).problem["status"] == status

    unchanged(target_house, attack)


def test_two_authorizations_open_nothing(target_house: Deployment) -> None:
    both = bearer(target_house, "demo-ann"), bearer(target_house, "demo-manager")
    for path, body in ((BETS, GOOD), ("/api/v1/people", b'{"name":"eve"}')):
        assert posted(target_house, path, body, *both).problem["status"] == 401
        assert posted(target_house, path, body, *reversed(both), COMMON_WAY).problem["status"] == 401


def test_trailers_get_nobody_in_and_take_no_memory(target_house: Deployment) -> None:
    body = b"%x\r\n%b\r\n0\r\n" % (len(GOOD), GOOD)
    trailer = bearer(target_house, "demo-ann").encode() + b"\r\nIdempotency-Key: t\r\n\r\n"
    with Wire(target_house) as wire:
        head = wire.head(f"POST {BETS} HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked")
        reply = wire.send(head + body + trailer).reply()
        assert reply is not None
        assert reply.problem["status"] == 401
    before = memory(target_house)
    with Wire(target_house, 3) as wire:
        wire.send(wire.head("POST /api/v1/sign-in HTTP/1.1", "Transfer-Encoding: chunked") + b"0\r\n")
        for _ in range(500):
            wire.send((b"x: " + b"y" * 1000 + b"\r\n") * 100)
    assert memory(target_house) - before < 20


def memory(target_house: Deployment) -> int:
    """Return the memory of the process in megabytes."""
    status = Path(f"/proc/{target_house.process.process.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1024


@pytest.mark.parametrize("how", ["counted", "in pieces"])
def test_an_oversize_body_is_refused(target_house: Deployment, how: str) -> None:
    ann, much = bearer(target_house, "demo-ann"), b" " * 300_000
    if how == "counted":
        reply = posted(target_house, BETS, much, ann)
    else:
        pieces = b"".join(b"8000\r\n" + b" " * 0x8000 + b"\r\n" for _ in range(10)) + b"0\r\n\r\n"
        reply = posted(target_house, BETS, pieces, ann, "Transfer-Encoding: chunked", length=False)
    assert reply.problem["status"] == 413


@pytest.mark.parametrize("size", [1_000_000, 5_000_000])
def test_an_oversize_head_is_cut_off(target_house: Deployment, size: int) -> None:
    with Wire(target_house) as wire:
        reply = wire.send(wire.head("GET /api/v1/me HTTP/1.1", *["X-Much: " + "a" * 1000] * (size // 1000))).reply()
    assert reply is None or reply.status in (400, 431)


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PATCH", "PUT", "DELETE", "HEAD"])
def test_other_methods_do_nothing(target_house: Deployment, method: str) -> None:
    def attack() -> None:
        with Wire(target_house) as wire:
            line = f"{method} {BETS} HTTP/1.1"
            wire.send(wire.head(line, bearer(target_house, "demo-ann"), "Connection: close")).socket.shutdown(1)
            reply = wire.reply()
        assert reply is not None
        assert reply.status in (204, 400, 405)
        assert all(reply.header(name) for name in SECURITY)

    unchanged(target_house, attack)


@pytest.mark.parametrize(
    "path",
    [
        *("/api/v1/tables/%2f/bets", "/api/v1/tables/../tables/massachusetts/bets", "/api/v1/tables//bets"),
        *("/api/v1/tables/house/bets", "/api/v1/tables/%68ouse/bets", "/api/v1/tables/House/bets"),
        *("/api/v1/tables/%00/bets", "/api/v1/tables/%ff/bets", "/api/v1/tables/%ed%a0%80/bets"),
        *("/api/v1/tables/%2e%2e/bets", "/api/v1/tables/%0d%0aX-Evil:1/bets", "/api/v1/tables/%zz/bets"),
        *("/api/v1/tables/%256dassachusetts/bets", "/api/v1/tables/massachusetts;x=1/bets", "*", "/", "//"),
        *("/api/v1/tables/%E5%8F%B0/bets", "/api/v1/tables/%EF%BD%8Dassachusetts/bets", "/api/v1/tables/\xe9/bets"),
        *("/api/v1/tables/" + "x" * 20_000 + "/bets", "/api/v1/tables/Massachusetts/bets"),
    ],
)
def test_tricks_with_paths_lead_nowhere(target_house: Deployment, path: str) -> None:
    ann = bearer(target_house, "demo-ann")

    def attack() -> None:
        quick, common = posted(target_house, path, GOOD, ann), posted(target_house, path, GOOD, ann, COMMON_WAY)
        assert without_id(quick) == without_id(common)
        assert quick.status in (400, 404, 405)

    unchanged(target_house, attack)


@pytest.mark.parametrize(
    "path",
    [
        *("rounds/99999999999999999999999999", "rounds/-1", "rounds/0", "rounds/1e3", "rounds/" + "9" * 5_000),
        *("events?after=99999999999999999999", "events?after=-1", "events?limit=0", "events?limit=1000000"),
        *("events?limit=true", "events?after=%ff", "events?after=1e400", "rounds?below=0", "rounds?below=1.5"),
        *("rounds?belo=5", "stream?after=x", "stream?after=-1", "hold?days=9999999999", "events?" + "after=1&" * 200),
    ],
)
def test_numbers_out_of_all_bounds_are_refused(target_house: Deployment, path: str) -> None:
    manager = bearer(target_house, "demo-manager")
    with Wire(target_house) as wire:
        reply = wire.send(wire.head(f"GET /api/v1/tables/{TABLE}/{path} HTTP/1.1", manager)).reply()
    assert reply is not None
    assert reply.problem["status"] in (400, 404)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1@evil", "", "127.0.0.1, evil", "localhost:999999", "127.1"])
def test_other_hosts_are_not_answered(target_house: Deployment, host: str) -> None:
    reply = sent(target_house, f"GET /api/v1/tables HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert reply is not None
    assert reply.problem["status"] == 421


def test_two_hosts_or_none_are_not_answered(target_house: Deployment) -> None:
    with Wire(target_house) as wire:
        own = f"Host: {wire.host}\r\n"
    for hosts in ("", "Host: evil\r\n" + own, own + "Host: evil\r\n", own + own):
        reply = sent(target_house, f"GET /api/v1/tables HTTP/1.1\r\n{hosts}\r\n".encode())
        assert reply is not None
        assert reply.problem["status"] == 421


@pytest.mark.parametrize(
    "lines",
    [
        b"GET /api/v1/tables\r\n\r\n",
        b"BREW /api/v1/tables HTTP/1.1\r\n\r\n",
        b"get /api/v1/tables HTTP/1.1\r\n\r\n",
        b"GET  /api/v1/tables  HTTP/1.1\r\n\r\n",
        b"GET /api/v1/tables HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /api/v1/tables HTTP/1.1\nHost: localhost\n\n",
        b"\x00" * 100,
    ],
)
def test_bytes_that_are_not_a_request_are_refused_with_a_reason(target_house: Deployment, lines: bytes) -> None:
    reply = sent(target_house, lines)
    assert reply is not None
    assert reply.problem["status"] in (400, 421)
    assert reply.problem["request_id"]


def test_pipelined_requests_are_answered_in_order_and_each_by_its_own_asker(target_house: Deployment) -> None:
    with Wire(target_house) as wire:
        heads = [wire.head("GET /api/v1/me HTTP/1.1", bearer(target_house, name)) for name in ("demo-ann", "demo-ben")]
        last = wire.head("GET /api/v1/me HTTP/1.1", "Connection: close")
        first, second, third = wire.send(heads[0] + heads[1] + last).replies()
    assert (json.loads(first.body)["name"], json.loads(second.body)["name"]) == ("demo-ann", "demo-ben")
    assert third.status == 401


def test_what_follows_a_bet_is_not_taken_for_its_answer(target_house: Deployment) -> None:
    with Wire(target_house) as wire:
        length = f"Content-Length: {len(GOOD)}"
        head = wire.head(
            f"POST {BETS} HTTP/1.1", bearer(target_house, "demo-ann"), "Content-Type: application/json", length
        )
        replies = wire.send(head + GOOD + b"garbage that is no request\r\n\r\n").replies()
    assert [reply.status for reply in replies] == [200], "the bet was placed, and the response says so"


@pytest.mark.parametrize(
    "smuggled",
    [
        b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n1e\r\nGET /api/v1/me HTTP/1.1\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
        b"Content-Length: +5\r\n\r\nhello",
        b"Content-Length: 5, 5\r\n\r\nhello",
        b"Content-Length: 0x5\r\n\r\nhello",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999999999999999\r\n\r\n",
    ],
)
def test_a_length_that_can_be_read_in_two_ways_ends_the_connection(target_house: Deployment, smuggled: bytes) -> None:
    with Wire(target_house) as wire:
        start = f"POST {BETS} HTTP/1.1\r\nHost: {wire.host}\r\nContent-Type: application/json\r\n".encode()
        follows = wire.head("GET /api/v1/me HTTP/1.1", bearer(target_house, "demo-ann"), "Connection: close")
        replies = wire.send(start + smuggled + follows).replies()
    assert len(replies) == 1
    assert replies[0].problem["status"] == 400


def test_a_bet_cut_off_in_its_body_is_not_placed(target_house: Deployment) -> None:
    def attack() -> None:
        with Wire(target_house) as wire:
            length = f"Content-Length: {len(GOOD) + 5}"
            kind = "Content-Type: application/json"
            wire.send(wire.head(f"POST {BETS} HTTP/1.1", bearer(target_house, "demo-ann"), kind, length) + GOOD)
        target_house.visitor("demo-ann").balance(TABLE)

    unchanged(target_house, attack)


def test_two_cookies_of_the_name_are_nobodys(target_house: Deployment) -> None:
    with Wire(target_house) as wire:
        cookies = "Cookie: pitbook=a; pitbook=b"
        reply = wire.send(wire.head("GET /api/v1/me HTTP/1.1", cookies, "Cookie: pitbook=c")).reply()
    assert reply is not None
    assert reply.problem["status"] == 401


def test_keys_are_each_persons_and_each_tables_own(target_house: Deployment) -> None:
    ann, ben, dealer = (target_house.visitor(name) for name in ("demo-ann", "demo-ben", "demo-dealer"))
    first = done(ann.bets(TABLE, "small=100", key="k"))
    assert done(ann.bets(TABLE, "small=100", key="k")) == {**first, "repeated": True}
    assert ann.bets(TABLE, "small=200", key="k").json()["type"] == "/problems/key-reused"
    assert ann.command(TABLE, "BuyIn", amount=1, key="k").json()["type"] == "/problems/key-reused"
    assert not done(ben.bets(TABLE, "small=100", key="k"))["repeated"], "another person's key is a different key"
    assert not done(ann.bets("maryland", "small=100", key="k"))["repeated"]
    assert done(dealer.command(TABLE, "BuyIn", amount=100, player="Bob", key="k"))["repeated"] is False


def test_megabytes_of_keys_are_refused_one_by_one_and_remembered_nowhere(target_house: Deployment) -> None:
    ann, before = bearer(target_house, "demo-ann"), memory(target_house)
    with Wire(target_house) as wire:
        length, kind = f"Content-Length: {len(GOOD)}", "Content-Type: application/json"
        for number in range(200):
            key = f"Idempotency-Key: {number:0>50000}"
            reply = wire.send(wire.head(f"POST {BETS} HTTP/1.1", ann, kind, length, key) + GOOD).reply()
            assert reply is not None
            assert reply.problem["status"] == 400
    assert memory(target_house) - before < 20


@pytest.mark.parametrize(
    "name",
    [
        *("house", "House", "house%20", "%00", "a%0Ab", "%E2%80%AEevil", "x" * 500, "%20", "<script>", "%F0%9F%8E%B2"),
        *("Massachusetts", "-x", "server", "electronic%20tumbler", "a%3Ab"),
    ],
)
def test_a_table_cannot_get_an_invalid_name(target_house: Deployment, name: str) -> None:
    manager = target_house.visitor("demo-manager")
    setup = manager.table("singapore")["rules"]["setup"]
    before = manager.get_json("/tables")
    response = manager.post(f"/tables/{name}/commands", {"command": {"type": "OpenTable", "setup": setup}})
    assert response.status_code == 422, response.text
    assert len(manager.get_json("/tables")) == len(before)


@pytest.mark.parametrize("book", ["/etc/passwd", "pyproject.toml", "../x.toml", "/dev/zero", "/proc/self/environ"])
def test_a_book_is_not_any_file_of_the_machine(target_house: Deployment, book: str) -> None:
    manager = target_house.visitor("demo-manager")
    setup = manager.table("singapore")["rules"]["setup"]
    answer = manager.command("new", "OpenTable", setup={**setup, "book": book})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("no table here can run under a book")
