"""The journal page by page: every entry once, in words, whatever page it is on, and not for everyone."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pytest

from pitbook.house.records import RecordedEntry, read_entries
from pitbook.journal.entries import HOUSE
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.table.commands import TakeDown
from tests.audit.journals import play
from tests.server.audit.conftest import Office

pytestmark = pytest.mark.anyio


async def pages(client: httpx.AsyncClient, table: str, **query: Any) -> list[dict[str, Any]]:
    """All pages from the first on."""
    found: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        response = await client.get(f"/journal/{table}", params={"after": after, **query})
        assert response.status_code == 200, response.text
        found.append(response.json())
        after = found[-1]["next"]
    return found


def texts(entry: RecordedEntry) -> list[str]:
    return [line.text() for line in entry.sentences()]


def entries(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for page in found for entry in page["entries"]]


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-works"])
async def test_all_pages_together_are_the_whole_record_in_words(office: Office, book: str) -> None:
    table = office.floor(book)
    play(table, 12)
    whole = [(one.entry.sequence, one.round, texts(one)) for one in read_entries(office.house.store, "t1")]
    async with office.client_of("kim") as client:
        found = entries(await pages(client, "t1", limit=37))
    assert [(one["sequence"], one["round"], [line["text"] for line in one["says"]]) for one in found] == whole
    assert [one["before"] for one in found[1:]] == [one["hash"] for one in found[:-1]]
    assert any(one["transfers"] and sum(leg["amount"] for leg in one["transfers"][0]["legs"]) == 0 for one in found)


@pytest.mark.parametrize(("accepts", "words"), [("zh-TW", "停止下注"), ("zh-CN", "停止下注"), ("en", "No more bets")])
async def test_sentences_come_with_their_messages_in_the_language_of_the_request(
    office: Office, accepts: str, words: str
) -> None:
    play(office.floor(), 1)
    async with office.client_of() as client:
        response = await client.get("/journal/t1", params={"text": words}, headers={"Accept-Language": accepts})
    (found,) = response.json()["entries"]
    (line,) = found["says"]
    assert (line["id"], line["params"]["act"]["id"]) == ("events.play.step.taken", "events.play.step.announced")
    assert words in line["text"]
    assert ("荷官" in line["text"]) == accepts.startswith("zh")


async def test_an_entry_tells_of_bets_that_it_names_by_number_and_a_page_of_the_set_up(office: Office) -> None:
    table = office.floor()
    play(table, 1)
    table.open_betting()
    number = table.table.next_bet
    table.bet("ann", "small=7")
    table.does("ann the player", TakeDown("small", 200))
    async with office.client_of("kim") as client:
        found = await pages(client, "t1", limit=20)
    lying = {"bet": number, "player": "ann", "wager": "small", "amount": 700, "kind": "cash"}
    placed, taken = entries(found)[-2:]
    assert (placed["kind"], placed["bets"]) == ("BetPlaced", [])
    assert (taken["kind"], taken["bets"]) == ("BetTakenDown", [lying])
    setup = office.house.table("t1").setup
    assert setup is not None
    assert {page["rules"]["setup"]["digest"] for page in found} == {setup.digest}


async def test_a_page_in_the_middle_says_the_same_whatever_was_read_before(office: Office) -> None:
    table = office.floor()
    play(table, 25)
    whole = {one.entry.sequence: texts(one) for one in read_entries(office.house.store, "t1")}
    places = list(range(0, len(whole), 23))
    random.Random(4).shuffle(places)
    async with office.client_of() as client:
        for after in places:
            page = (await client.get("/journal/t1", params={"after": after, "limit": 11})).json()
            assert {one["sequence"]: [line["text"] for line in one["says"]] for one in page["entries"]} == {
                number: whole[number] for number in range(after + 1, min(after + 11, len(whole)) + 1)
            }


async def test_the_next_page_is_not_read_from_the_beginning(office: Office) -> None:
    table = office.floor()
    play(table, 25)
    async with office.client_of() as client:
        await client.get("/journal/t1", params={"after": 150, "limit": 50})
        folded = office.watch.pager.folded
        await client.get("/journal/t1", params={"after": 200, "limit": 50})
    assert folded == 150
    assert office.watch.pager.folded == folded


async def test_pages_go_backwards_too(office: Office) -> None:
    table = office.floor()
    play(table, 5)
    head = office.house.store.head("t1").sequence
    seen: list[int] = []
    before: int | None = head + 1
    async with office.client_of() as client:
        while before is not None:
            page = (await client.get("/journal/t1", params={"before": before, "limit": 20})).json()
            seen[:0] = [one["sequence"] for one in page["entries"]]
            before = page["previous"]
    assert seen == list(range(1, head + 1))


async def test_entries_can_be_filtered_by_kind_actor_and_round(office: Office) -> None:
    table = office.floor()
    play(table, 6)
    whole = list(read_entries(office.house.store, "t1"))
    async with office.client_of() as client:
        by_kind = entries(await pages(client, "t1", kind="WinnersPaid", limit=2))
        by_actor = entries(await pages(client, "t1", actor="ann"))
        third = entries(await pages(client, "t1", round=3, limit=7))
    assert [one["sequence"] for one in by_kind] == [o.entry.sequence for o in whole if o.entry.kind == "WinnersPaid"]
    assert [one["sequence"] for one in by_actor] == [o.entry.sequence for o in whole if o.entry.actor == "ann"]
    assert [one["sequence"] for one in third] == [o.entry.sequence for o in whole if o.round == 3]


async def test_a_person_is_found_in_what_others_did_for_them(office: Office) -> None:
    table = office.floor()
    play(table, 3)
    whole = list(read_entries(office.house.store, "t1"))
    concerns = [
        one.entry.sequence
        for one in whole
        if one.entry.actor == "ann"
        or b'"ann"' in one.entry.body
        or any(leg.account == "player:ann:USD" for moved in one.entry.transfers for leg in moved.legs)
    ]
    async with office.client_of() as client:
        found = entries(await pages(client, "t1", person="ann", limit=9))
    assert [one["sequence"] for one in found] == concerns
    assert {one["actor"] for one in found} > {"ann"}


@pytest.mark.parametrize("limit", [3, 200])
async def test_words_of_the_sentences_are_found_forwards_and_backwards(office: Office, limit: int) -> None:
    table = office.floor()
    play(table, 4)
    wanted = [
        one.entry.sequence
        for one in read_entries(office.house.store, "t1")
        if "NO MORE BETS" in "\n".join(texts(one)).upper()
    ]
    assert wanted
    seen: list[int] = []
    before: int | None = office.house.store.head("t1").sequence + 1
    async with office.client_of() as client:
        found = entries(await pages(client, "t1", text="no more bets", limit=limit))
        while before is not None:
            page = (
                await client.get("/journal/t1", params={"before": before, "text": "No MORE bets", "limit": limit})
            ).json()
            seen[:0] = [one["sequence"] for one in page["entries"]]
            before = page["previous"]
    assert [one["sequence"] for one in found] == wanted
    assert seen == wanted


async def test_a_page_with_words_looks_through_so_many_entries_and_no_more(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.server.backoffice.journal_pages.SCAN_MAX", 4)
    office.floor()
    async with office.client_of() as client:
        page = (await client.get("/journal/t1", params={"text": "no such words"})).json()
    assert (page["entries"], page["next"]) == ([], 4)


async def test_only_what_was_written_between_two_times(office: Office) -> None:
    table = office.floor()
    play(table, 3)
    whole = [one.entry for one in read_entries(office.house.store, "t1")]
    since, until = whole[10].at, whole[30].at
    between = [one.sequence for one in whole if since <= one.at < until]
    async with office.client_of() as client:
        found = await pages(client, "t1", **{"from": since, "to": until, "limit": 7})
        last = (await client.get("/journal/t1", params={"from": since, "to": until, "before": 9999, "limit": 7})).json()
        wrong = await client.get("/journal/t1", params={"from": until, "to": since})
        for beyond in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
            assert (await client.get("/journal/t1", params={"from": beyond})).status_code == 400
    assert [one["sequence"] for one in entries(found)] == between
    assert (found[0]["previous"], found[-1]["next"]) == (None, None)
    assert [one["sequence"] for one in last["entries"]] == between[-7:]
    assert wrong.status_code == 400


async def test_pages_between_two_numbers_come_to_an_end(office: Office) -> None:
    office.floor()
    async with office.client_of() as client:
        found = await pages(client, "t1", before=9, limit=3)
    assert [one["sequence"] for one in entries(found)] == list(range(1, 9))


async def test_the_house_has_a_record_of_its_own(office: Office) -> None:
    office.house.manage(THE_SERVER, people.AddPerson("max", "Max", (Grant("manager"),)))
    async with office.client_of() as client:
        heads = {one["table"]: one for one in (await client.get("/journal")).json()["records"]}
        page = (await client.get("/journal/house")).json()
        wrong = await client.get("/journal/house", params={"round": 1})
    assert heads[HOUSE]["entries"] == page["head"] == len(page["entries"])
    assert all(one["says"] for one in page["entries"])
    assert wrong.status_code == 400


async def test_a_record_that_was_rewritten_is_shown_up_to_the_wrong_entry(office: Office) -> None:
    import apsw

    table = office.floor()
    play(table, 1)
    connection = apsw.Connection(str(office.path))
    connection.execute("DROP TRIGGER entries_not_updated")
    connection.execute("UPDATE entries SET actor = 'eve' WHERE table_name = 't1' AND sequence = 8")
    connection.close()
    async with office.client_of("kim") as client:
        page = (await client.get("/journal/t1")).json()
    assert [one["sequence"] for one in page["entries"]] == list(range(1, 8))
    assert "entry 8" in page["broken"]


async def test_heads_tell_length_hash_time_and_snapshot(office: Office) -> None:
    table = office.floor()
    play(table, 12)
    head = office.house.store.head("t1")
    async with office.client_of() as client:
        records = (await client.get("/journal")).json()["records"]
    record = next(one for one in records if one["table"] == "t1")
    assert (record["entries"], record["hash"]) == (head.sequence, head.hash.hex())
    assert record["snapshot"] >= 200


@pytest.mark.parametrize("who", ["ann", "dan", "fay"])
@pytest.mark.parametrize("path", ["/journal", "/journal/t1", "/audit", "/alarms", "/exports/entries"])
async def test_the_journal_is_for_managers_and_auditors_only(office: Office, who: str, path: str) -> None:
    office.floor()
    async with office.client_of(who) as client:
        assert (await client.get(path)).status_code == 403
    async with office.client_of(None) as client:
        assert (await client.get(path)).status_code == 401


async def test_a_token_without_the_scope_reads_nothing(office: Office) -> None:
    office.floor()
    for asking, status in (("kim play", 403), ("kim read", 200), ("max manage", 200), ("max deal", 403)):
        async with office.client_of(asking) as client:
            assert (await client.get("/journal/t1")).status_code == status, asking


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/journal/nowhere", 404),
        ("/journal/%00", 404),
        ("/journal/t1?afer=1", 400),
        ("/journal/t1?limit=0", 400),
        ("/journal/t1?limit=501", 400),
        ("/journal/t1?after=-1", 400),
        ("/journal/t1?after=x", 400),
        ("/journal/t1?after=9&before=3", 400),
        ("/journal/t1?round=0", 400),
        ("/journal/t1?after=900000", 200),
        ("/journal/t1?before=0", 200),
        ("/journal/t1?round=777", 200),
        ("/journal/t1?kind=Nothing", 200),
    ],
)
async def test_pages_that_there_are_not(office: Office, path: str, status: int) -> None:
    office.floor()
    async with office.client_of() as client:
        response = await client.get(path)
    assert response.status_code == status, response.text
    if status == 200:
        assert response.json()["entries"] == []
