"""A record that is ahead of the clock, over HTTP: commands wait, people sign in, and a manager accepts the clock."""

from __future__ import annotations

import pytest

from pitbook.audit import audit
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.people.conftest import Casino

pytestmark = pytest.mark.anyio

WORDS = {"words": "the time server was wrong"}


def month_ahead(casino: Casino) -> None:
    casino.open_table(automatic=c.Automatic())
    casino.later(days=30)
    assert casino.house.ask("t1", Person("ann", "player"), c.BuyIn(100_00)).refused is None
    casino.later(days=-30)


async def test_a_manager_accepts_the_clock(casino: Casino) -> None:
    month_ahead(casino)
    async with casino.open() as guest:
        ann, max_, kim = guest(), guest(), guest()
        for one, name in ((ann, "ann"), (max_, "max"), (kim, "kim")):
            assert (await one.sign_in(name)).status_code == 200
        buying = {"command": {"type": "BuyIn", "amount": 1_00}}
        refused = await ann.post("/tables/t1/commands", buying)
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/clock-jumped")
        assert "30.0 days ahead of the clock" in refused.json()["detail"]
        ready = (await ann.http.get("/ready")).json()
        assert ready["ready"]
        assert "table t1" in ready["warnings"][0]
        assert ready["recorded"] > ready["clock"]
        assert (await ann.post("/clock", WORDS)).status_code == 403
        assert (await kim.post("/clock", WORDS)).status_code == 403
        assert (await max_.post("/clock", {"words": ""})).status_code == 400
        accepted = await max_.post("/clock", WORDS)
        assert accepted.status_code == 200, accepted.text
        assert accepted.json()["clock"] == casino.now.isoformat(timespec="microseconds")
        assert (await ann.post("/tables/t1/commands", buying)).status_code == 200
        assert (await ann.http.get("/ready")).json()["warnings"] == []
        again = await max_.post("/clock", WORDS)
        assert (again.status_code, again.json()["refusal"]) == (409, "nothing-to-do")
    casino.close()
    report = audit(casino.place)
    assert report.good, str(report)
