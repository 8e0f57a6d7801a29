"""Tokens of programs and links that work once, on both databases."""

from __future__ import annotations

from functools import partial

import pytest

from pitbook.auth.store import AuthStore
from pitbook.errors import InputError
from tests.auth.racing import NOON, after, race


def test_a_token_is_found_with_its_scopes(access: AuthStore, other: AuthStore) -> None:
    made = access.tokens.make("ann", " road maps ", ["read", "bet", "read"], NOON)
    prefix, name, secret = made.text.split("_")
    assert (prefix, name, len(secret)) == ("pitbook", made.token.id, 64)
    found = other.tokens.find(made.text, after(minutes=5))
    assert found is not None
    assert (found.person, found.name, found.scopes) == ("ann", "road maps", ("read", "bet"))
    assert found.last_used == after(minutes=5)


def test_a_wrong_token_is_refused(access: AuthStore) -> None:
    made = access.tokens.make("ann", "one", ["read"], NOON)
    two = access.tokens.make("ann", "two", ["read"], NOON)
    name = made.token.id
    mixed = f"pitbook_{name}_{two.text.rpartition('_')[2]}"
    for wrong in (made.text[:-1], mixed, f"pitbook_{name}", f"pitbook_{name}_", "", "_", "pitbook_\0_x", "\ud800",
                  "pitbook_\ud800_x", made.text.upper(), made.text + "0"):  # fmt: skip
        assert access.tokens.find(wrong, NOON) is None


def test_a_token_works_until_it_expires(access: AuthStore) -> None:
    made = access.tokens.make("ann", "short", [], NOON, expires=after(minutes=10))
    assert access.tokens.find(made.text, after(minutes=9)) is not None
    assert access.tokens.find(made.text, after(minutes=10)) is None


def test_a_revoked_token_is_listed_but_opens_nothing(access: AuthStore) -> None:
    made = access.tokens.make("ann", "lost", ["read"], NOON)
    stored = access.tokens.make("ann", "kept", ["read"], after(minutes=1))
    assert not access.tokens.revoke("bob", made.token.id, NOON)
    assert access.tokens.revoke("ann", made.token.id, after(minutes=2))
    assert not access.tokens.revoke("ann", made.token.id, after(minutes=3))
    assert access.tokens.find(made.text, after(minutes=2)) is None
    assert [(token.name, token.revoked) for token in access.tokens.of_person("ann")] == [
        ("kept", None),
        ("lost", after(minutes=2)),
    ]
    assert access.tokens.revoke_all("ann", after(minutes=4)) == 1
    assert access.tokens.find(stored.text, after(minutes=4)) is None


def test_the_use_of_a_token_is_noted_at_most_once_a_minute(access: AuthStore) -> None:
    made = access.tokens.make("ann", "busy", [], NOON)
    for second, seen in ((0, 0), (59, 0), (60, 60), (61, 60)):
        access.tokens.find(made.text, after(seconds=second))
        assert access.tokens.of_person("ann")[0].last_used == after(seconds=seen)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\0b", "a\ud800"])
def test_a_token_needs_a_name(access: AuthStore, name: str) -> None:
    with pytest.raises(InputError, match="needs a name"):
        access.tokens.make("ann", name, [], NOON)


@pytest.mark.parametrize("name", ["x", "x" * 100])
def test_a_token_may_have_a_short_or_a_long_name(access: AuthStore, name: str) -> None:
    assert access.tokens.make("ann", name, [], NOON).token.name == name


def test_a_token_that_has_expired_already_is_a_mistake(access: AuthStore) -> None:
    with pytest.raises(InputError, match="would already have expired"):
        access.tokens.make("ann", "late", [], NOON, expires=NOON)


def test_a_link_works_once(access: AuthStore, other: AuthStore) -> None:
    made = access.links.make("sign-in", "ann", after(minutes=15))
    assert other.links.find(made.secret, NOON) == made.link
    assert other.links.redeem(made.secret, NOON) == made.link
    assert access.links.redeem(made.secret, NOON) is None
    assert access.links.find(made.secret, NOON) is None


def test_a_link_expires(access: AuthStore) -> None:
    made = access.links.make("set-password", "ann", after(minutes=15))
    assert access.links.redeem(made.secret, after(minutes=15)) is None
    assert access.links.purge(after(minutes=15)) == 1
    assert access.links.redeem("\ud800", NOON) is None


def test_a_link_for_another_purpose_is_not_used_up(access: AuthStore) -> None:
    made = access.links.make("first-manager", "", after(minutes=15))
    assert access.links.find(made.secret, NOON, "sign-in") is None
    assert access.links.redeem(made.secret, NOON, "sign-in") is None
    assert access.links.find(made.secret, NOON, "first-manager") == made.link
    assert access.links.redeem(made.secret, NOON, "first-manager") == made.link


def test_exactly_one_of_many_racing_takers_gets_a_link(access: AuthStore, other: AuthStore) -> None:
    for _ in range(10):
        made = access.links.make("sign-in", "ann", after(minutes=15))
        got = race([partial(one.links.redeem, made.secret, NOON) for one in (access, other) * 6])
        assert [link for link in got if link] == [made.link]


def test_links_of_one_person_can_be_dropped(access: AuthStore) -> None:
    mine, bobs = (access.links.make("sign-in", person, after(minutes=15)) for person in ("ann", "bob"))
    assert access.links.revoke_all("ann") == 1
    assert access.links.redeem(mine.secret, NOON) is None
    assert access.links.redeem(bobs.secret, NOON) is not None
