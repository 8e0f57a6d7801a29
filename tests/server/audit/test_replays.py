"""A round played back: the layout after every entry is the one that the table had then."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from pitbook.engine.progress import lammers
from pitbook.house.records import read_entries
from pitbook.table import commands as c
from tests.audit.journals import play
from tests.server.audit.conftest import Office

pytestmark = pytest.mark.anyio


async def whole(client: httpx.AsyncClient, number: int, after: int = 0) -> dict[str, Any]:
    response = await client.get(f"/journal/t1/rounds/{number}", params={"after": after})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def layouts(replay: dict[str, Any]) -> list[dict[str, Any]]:
    """What the layout shows after each entry, as a page puts it together."""
    displayed = dict(replay["before"])
    displayed["stakes"] = dict(displayed.get("stakes", {}))
    found = []
    for frame in replay["frames"]:
        stakes = {**displayed["stakes"], **frame["shows"].get("stakes", {})}
        displayed = {
            **displayed,
            **frame["shows"],
            "stakes": {wager: amount for wager, amount in stakes.items() if amount},
        }
        found.append(displayed)
    return found


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
async def test_every_step_shows_the_table_as_it_was(office: Office, book: str) -> None:
    play(office.floor(book), 4)
    record = [one for one in read_entries(office.house.store, "t1") if one.round == 3]
    async with office.client_of("kim") as client:
        replay = await whole(client, 3)
    assert [frame["entry"]["sequence"] for frame in replay["frames"]] == [one.entry.sequence for one in record]
    for displayed, one in zip(layouts(replay), record, strict=True):
        stakes: dict[str, int] = {}
        for bet in one.after.bets.values():
            stakes[bet.wager] = stakes.get(bet.wager, 0) + bet.amount
        assert displayed["stakes"] == stakes
        assert tuple(displayed["dice"]) == one.after.round.entered
        assert tuple(displayed["lit"]) == one.after.round.lit
        assert displayed["point"] == one.after.point
        assert displayed["lammers"] == lammers(one.after.rules, one.after.progress)
    assert (replay["previous_round"], replay["next_round"]) == (2, 4)
    assert replay["rules"]["setup"]["book"] == book


async def test_a_long_round_comes_in_parts_that_fit_together(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    play(office.floor(), 2)
    async with office.client_of() as client:
        one = await whole(client, 2)
        monkeypatch.setattr("pitbook.server.backoffice.replays.FRAMES_MAX", 5)
        parts = [await whole(client, 2)]
        while parts[-1]["next"] is not None:
            parts.append(await whole(client, 2, parts[-1]["next"]))
    assert len(parts) > 2
    assert [layout for part in parts for layout in layouts(part)] == layouts(one)


async def test_parts_fit_together_where_a_round_was_resettled_long_after(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = office.floor()
    table.bet("ann", "small=5")
    table.play_round(1, 2, 3)
    play(table, 1)
    table.does("ann the player", c.Dispute(1, "it was 456"))
    table.does(table.most_senior, c.SettleDispute(1, "the player is right"))
    async with office.client_of() as client:
        one = [frame["entry"]["sequence"] for frame in (await whole(client, 1))["frames"]]
        monkeypatch.setattr("pitbook.server.backoffice.replays.FRAMES_MAX", 1)
        parts = [await whole(client, 1)]
        while parts[-1]["next"] is not None:
            parts.append(await whole(client, 1, parts[-1]["next"]))
    assert [frame["entry"]["sequence"] for part in parts for frame in part["frames"]] == one
    assert one[-1] > one[-3] + 1, "what came later is separate"


async def test_a_resettled_round_ends_with_the_dice_that_count(office: Office) -> None:
    table = office.floor()
    table.bet("ann", "small=5")
    table.play_round(1, 2, 3)
    play(table, 1)
    table.does("ann the player", c.Dispute(1, "it was 456"))
    table.does(table.most_senior, c.SettleDispute(1, "the player is right"))
    table.does(table.most_senior, c.ProposeResettlement(1, (4, 5, 6), "seen on the film"))
    table.does(table.second, c.ApproveResettlement(1))
    async with office.client_of() as client:
        replay = await whole(client, 1)
    later = [frame["entry"]["kind"] for frame in replay["frames"] if frame["later"]]
    assert later == ["Disputed", "DisputeSettled", "ResettlementProposed", "Resettled"]
    last = layouts(replay)[-1]
    assert last["dice"] == [4, 5, 6]
    assert "big" in last["lit"]
    assert "small" not in last["lit"]


async def test_a_roll_corrected_after_its_end_is_part_of_its_round(office: Office) -> None:
    table = office.floor("dice-works")
    table.play_round(1, 2)
    table.does(table.most_senior, c.CorrectDice((2, 2), "a two, not a one"))
    table.take_steps()
    table.play_round(3, 3)
    async with office.client_of() as client:
        replay = await whole(client, 1)
        second = await whole(client, 2)
    kinds = [frame["entry"]["kind"] for frame in replay["frames"]]
    assert kinds.count("DiceCorrected") == 1
    assert kinds[-1] == "RoundEnded"
    assert not any(frame["later"] for frame in replay["frames"])
    assert second["hand"] == [[2, 2]]


async def test_a_seven_out_begins_a_new_hand(office: Office) -> None:
    table = office.floor("dice-works")
    for dice in ((2, 2), (3, 3), (3, 4), (1, 1), (4, 4)):
        table.play_round(*dice)
    async with office.client_of() as client:
        hands = [(await whole(client, number))["hand"] for number in (1, 3, 4, 5)]
    assert hands == [[], [[2, 2], [3, 3]], [], [[1, 1]]]


async def test_a_forged_round_is_played_back_up_to_the_wrong_entry(office: Office) -> None:
    import apsw

    play(office.floor(), 2)
    connection = apsw.Connection(str(office.path))
    connection.execute("DROP TRIGGER entries_not_updated")
    connection.execute("UPDATE entries SET actor = 'eve' WHERE table_name = 't1' AND sequence = 12")
    connection.close()
    async with office.client_of("kim") as client:
        replay = await whole(client, 1)
        following = await whole(client, 2)
    assert [frame["entry"]["sequence"] for frame in replay["frames"]] == list(range(1, 12))
    assert "entry 12" in replay["broken"]
    assert (following["frames"], following["rules"]) == ([], {})
    assert "entry 12" in following["broken"]


@pytest.mark.parametrize(
    ("who", "status"), [(None, 401), ("ann", 403), ("dan", 403), ("sue", 200), ("kim", 200), ("max", 200)]
)
async def test_rounds_are_played_back_to_those_who_oversee_the_table(
    office: Office, who: str | None, status: int
) -> None:
    play(office.floor(), 1)
    async with office.client_of(who) as client:
        assert (await client.get("/journal/t1/rounds/1")).status_code == status


async def test_rounds_that_there_are_not(office: Office) -> None:
    office.floor()
    async with office.client_of() as client:
        for path in ("/journal/t1/rounds/9", "/journal/t1/rounds/0", "/journal/none/rounds/1"):
            assert (await client.get(path)).status_code == 404, path
