"""Pseudonyms: what is recorded of new people, and what their pages and the sign-in still know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitbook.auth.identities import Identity
from pitbook.people import commands as people
from pitbook.people.values import Policy
from pitbook.server.people.pseudonyms import LENGTH, LETTERS, PREFIX, Pseudonyms, new_pseudonym
from tests.server.people.conftest import BOSS, PASSWORD, Casino

pytestmark = pytest.mark.anyio

EVE = {"name": "Eve", "shown": "Eve Adams", "password": PASSWORD}


@pytest.fixture
def veiled(make_casino: Callable[..., Casino]) -> Casino:
    """A house that records new people under pseudonyms and lets players register."""
    casino = make_casino(pseudonyms=True)
    casino.done(BOSS, people.SetPolicy(Policy(registration=True, factor_roles=(), lock_minutes=0)))
    return casino


def test_a_pseudonym_is_long_random_and_easy_to_read() -> None:
    first, second = new_pseudonym(), new_pseudonym()
    assert first != second
    assert first.startswith(PREFIX)
    assert set(first.removeprefix(PREFIX)) <= set(LETTERS)
    assert len(first) == len(PREFIX) + LENGTH >= 12


async def test_a_person_is_recorded_under_a_pseudonym_and_known_by_their_names(veiled: Casino) -> None:
    async with veiled.open() as guest:
        made = await guest().post("/register", EVE)
        assert made.status_code == 201, made.text
        eve = guest()
        assert (await eve.sign_in("EVE")).status_code == 200
        me = (await eve.get("/me")).json()
        assert me["shown"] == "Eve Adams"
        assert me["name"].startswith(PREFIX)
    everything = b"".join(entry.body for entry in veiled.record()).lower()
    assert me["name"].encode() in everything
    assert b"eve" not in everything
    assert veiled.directory.state is veiled.directory.state, "the names are put in once"
    again = Pseudonyms(veiled.house, veiled.access, on=True)
    assert again.covers(me["name"])
    assert not again.covers("ann")
    found = again.with_display_names(veiled.house.people).find(me["name"])
    assert found is not None
    assert found.shown == "Eve Adams"


async def test_a_name_is_refused_as_it_would_be_without_pseudonyms_and_nothing_is_stored(veiled: Casino) -> None:
    async with veiled.open() as guest:
        assert (await guest().post("/register", EVE)).status_code == 201
        for name, shown in (("eve", "Eve Brown"), ("ANN", "Ann Brown"), ("a b", "Abe"), ("x", "Eve Adams")):
            wish = {"name": name, "shown": shown, "password": PASSWORD}
            assert (await guest().post("/register", wish)).status_code in (409, 422), name
        assert (await guest().sign_in("\0")).status_code == 401
    assert [one.sign_in for one in veiled.access.identities.all()] == ["Eve"]


async def test_a_name_whose_account_was_never_recorded_is_free_again(veiled: Casino) -> None:
    veiled.access.identities.add(Identity("p-lost", "eve", "Eve", "Eve Adams"))
    async with veiled.open() as guest:
        assert (await guest().post("/register", EVE)).status_code == 201
        assert (await guest().sign_in("eve")).status_code == 200


async def test_a_second_factor_is_recorded_without_the_name_that_its_owner_gave_it(veiled: Casino) -> None:
    async with veiled.open() as guest:
        eve = guest()
        await eve.post("/register", EVE)
        await eve.enrol(veiled.now, "Eve's phone")
        factors = (await eve.get("/me/factors")).json()
        assert "Eve's phone" in str(factors)
    assert b"phone" not in b"".join(entry.body for entry in veiled.record())
