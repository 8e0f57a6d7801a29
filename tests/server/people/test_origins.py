"""From which page a request comes, and which cookie and token it carries."""

from __future__ import annotations

import pytest

from pitbook.server.people.origins import RequestHeaders, find_cookie, parse_headers

OWN = ["https://dice.example"]


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        (RequestHeaders(host=b"localhost:8000"), True),
        (RequestHeaders(host=b"localhost:8000", origin=b"http://localhost:8000"), True),
        (RequestHeaders(host=b"LocalHost:8000", origin=b"HTTP://localhost:8000"), True),
        (RequestHeaders(host=b"localhost:8000", origin=b"http://localhost:9000"), False),
        (RequestHeaders(host=b"localhost:8000", origin=b"https://localhost:8000"), False),
        (RequestHeaders(host=b"localhost:8000", origin=b"null"), False),
        (RequestHeaders(host=b"localhost:8000", origin=b"https://dice.example"), True),
        (RequestHeaders(host=b"localhost:8000", origin=b"https://dice.example", site=b"cross-site"), True),
        (RequestHeaders(host=b"localhost:8000", origin=b"http://localhost:8000", site=b"cross-site"), False),
        (RequestHeaders(host=b"localhost:8000", origin=b"http://evil.example", site=b"same-origin"), True),
        (RequestHeaders(host=b"localhost:8000", site=b"none"), True),
        (RequestHeaders(host=b"localhost:8000", site=b"same-site"), False),
    ],
)
def test_a_request_is_from_a_page_of_the_house_or_from_none(headers: RequestHeaders, *, own: bool) -> None:
    assert headers.is_same_origin("http", OWN) is own


def test_headers_are_read_once_each() -> None:
    found = parse_headers(
        [
            (b"host", b"localhost"),
            (b"origin", b"http://localhost"),
            (b"sec-fetch-site", b"same-origin"),
            (b"x-csrf-token", b"secret"),
            (b"authorization", b"Bearer one"),
            (b"user-agent", b"Firefox"),
            (b"cookie", b"a=1"),
            (b"accept", b"*/*"),
        ]
    )
    assert found == RequestHeaders(
        b"localhost", b"http://localhost", b"same-origin", b"secret", b"Bearer one", b"a=1", b"Firefox"
    )


def test_cookies_of_several_headers_are_read_together_and_two_tokens_open_nothing() -> None:
    found = parse_headers(
        [(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"authorization", b"Bearer x"), (b"authorization", b"Bearer y")]
    )
    assert (found.cookie, found.authorization) == (b"a=1; b=2", b"bearer ")


@pytest.mark.parametrize(
    ("header", "value"),
    [
        (b"a=1; pitbook=x; b=2", "x"),
        (b" pitbook = x ", "x"),
        (b"pitbook=x; pitbook=x", "x"),
        (b"pitbook=x; pitbook=y", None),
        (b"pitbook-device=x", None),
        (b"a=pitbook", None),
        (b"", None),
    ],
)
def test_a_cookie_is_found_unless_two_of_its_name_differ(header: bytes, value: str | None) -> None:
    assert find_cookie(header, b"pitbook") == value
