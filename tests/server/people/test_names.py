"""Staff see whose sign-in name it is; players learn no more about each other than before."""

from __future__ import annotations

import pytest

from pitbook.people import commands as people
from pitbook.server.commands.approvals import request_approval
from pitbook.server.people.display_names import display_names
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.people.conftest import BOSS, Casino

pytestmark = pytest.mark.anyio


def test_only_people_with_another_name_are_listed(casino: Casino) -> None:
    casino.house.manage(BOSS, people.AddPerson("lee", "Ann Lee"))
    casino.house.manage(BOSS, people.AddPerson("bea", "bea"))
    data = display_names(casino.house.people, ["lee", "bea", "electronic tumbler", None, "lee"])
    assert data == {"lee": "Ann Lee"}


async def test_approvals_include_the_names_of_their_requesters(casino: Casino) -> None:
    casino.open_table()
    casino.house.manage(BOSS, people.AddPerson("lee", "Ann Lee", ()))
    casino.house.manage(BOSS, people.GiveRole("lee", "floorperson", "t1"))
    await request_approval(
        casino.services, "t1", Person("lee", "floorperson"), c.Fill(500_00, Person("flo", "floorperson"))
    )
    async with casino.open() as guest:
        flo, ann = guest(), guest()
        await flo.sign_in("flo")
        await ann.sign_in("ann")
        assert (await flo.get("/approvals")).json()["names"] == {"lee": "Ann Lee"}
        assert (await ann.get("/approvals")).json()["names"] == {}
