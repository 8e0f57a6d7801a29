"""The stream of the house's own record: all of it for managers and auditors, a bell for others who are signed in."""

from __future__ import annotations

import pytest

from pitbook.journal.entries import HOUSE
from pitbook.people import commands as people
from pitbook.server.commands.approvals import request_approval
from pitbook.server.people.identity import Caller
from pitbook.server.routes.streams import house_viewer
from pitbook.server.streams.hub import Limits, TooManyFromOneAddress
from pitbook.server.streams.projections import PRIVATE
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.people.conftest import BOSS, Casino
from tests.server.streams.stream_helpers import Sink, frames, until, watch

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["dan", "ann"])
async def test_an_approval_rings_at_once_and_tells_others_no_more_than_its_table(name: str, casino: Casino) -> None:
    casino.open_table()
    async with casino.open():
        manager_or_auditor, other = (house_viewer(Caller(casino.house.people.find(one))) for one in ("kim", name))
        _, all_of_it = await watch(casino.hub, viewer=manager_or_auditor, table=HOUSE)
        _, bell = await watch(casino.hub, viewer=other, table=HOUSE)
        await request_approval(
            casino.services, "t1", Person("fay", "floorperson"), c.Fill(500_00, Person("flo", "floorperson"))
        )
        casino.done(BOSS, people.AddPerson("new", "New One"))
        await until(lambda: b"PersonAdded" in all_of_it.sent and bytes(bell.sent).count(b"id: ") == 2)
        request, added = [frame for frame in frames(bytes(bell.sent)) if frame.id is not None]
    assert (request.kind, request.data["event"]) == ("ApprovalAsked", {"table": "t1"})
    assert added.kind == PRIVATE
    assert "event" not in added.data
    assert b"New One" not in bell.sent
    assert b"50000" not in bell.sent
    assert b"50000" in all_of_it.sent


async def test_players_take_their_share_of_streams_and_none_reserved_for_staff(casino: Casino) -> None:
    casino.hub.limits = Limits(watchers_max=20, per_address_max=5)
    async with casino.open():

        async def join(name: str) -> None:
            sink = Sink()
            viewer = house_viewer(Caller(casino.house.people.find(name)))
            await casino.hub.join(HOUSE, viewer, sink.send, sink.abort, "here")

        for _ in range(5):
            await join("ann")
        with pytest.raises(TooManyFromOneAddress):
            await join("ann")
        for name in ("dan", "fay", "kim", "zoe"):
            await join(name)


async def test_strangers_hear_nothing(casino: Casino) -> None:
    async with casino.open() as guest:
        ann = guest()
        assert (await ann.get("/house/stream")).status_code == 401
        await ann.sign_in("ann")
        assert (await ann.get("/tables/house/stream")).status_code == 404
