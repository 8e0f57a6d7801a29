"""Books over HTTP: everything that a page needs to draw and play any of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitbook.cli.settle import played_data
from pitbook.cli.show import book_data
from pitbook.dice import Roll, rolls
from pitbook.engine.illuminate import illuminate
from pitbook.engine.play import Act, Bet, play
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.model import Rulebook
from pitbook.server.books.library import Library
from pitbook.server.routes import books
from pitbook.server.worker_pool import WORKER_POOL
from tests.server.books.conftest import HARBOUR, Client, narrowed

BOOKS = "/api/v1/books"


def contained(part: Any, whole: Any) -> bool:
    """Return whether one document is contained in another."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contained(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(contained, part, whole))
    return bool(part == whole or str(part) == whole)


def test_every_book_is_listed_with_its_digest_and_the_houses_own_too(client: Client, harbour: Rulebook) -> None:
    listed = {book["book"]: book for book in client.get(BOOKS).json()["books"]}
    assert set(PACKAGED) <= set(listed)
    for name in PACKAGED:
        book = load(name)
        assert (listed[name]["digest"], listed[name]["wagers"]) == (book.digest, len(book.wagers))
        assert listed[name]["packaged"]
    assert listed[harbour.id]["digest"] == harbour.digest
    assert not listed[harbour.id]["packaged"]


@pytest.mark.parametrize("name", PACKAGED)
def test_a_book_says_all_that_the_command_line_shows(client: Client, name: str) -> None:
    data = client.get(f"{BOOKS}/{name}").json()
    assert contained(book_data(load(name)), data)


@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_area_can_be_drawn_and_says_when_it_wins(client: Client, name: str, language: str) -> None:
    book = client.get(f"{BOOKS}/{name}", params={"lang": language}).json()
    wagers = {wager["wager"]: wager for wager in book["wagers"]}
    drawn = [area for block in book["layout"]["blocks"] for row in block["rows"] for area in row]
    assert set(wagers) <= set(drawn)
    assert set(drawn) <= {*wagers, *book["withheld"]}
    for wager in wagers.values():
        assert set(wager["wins"]) == set(wager["rows"])
        assert all(wager["wins"].values())
        for table in wager["paytables"]:
            assert set(table["pays"]) == set(table["gains"]) == set(wager["rows"])
    words = "".join(text for wager in wagers.values() for text in wager["wins"].values())
    assert bool(re.search(r"[a-z]{3}", words)) == (language == "en")
    assert bool(re.search(r"[\u4e00-\u9fff]", words)) == (language == "zh")


def test_a_sixth_book_from_a_folder_is_drawn_and_played_like_the_others(client: Client, harbour: Rulebook) -> None:
    page = client.get(f"{BOOKS}/{harbour.id}").json()
    (small,) = [wager for wager in page["wagers"] if wager["wager"] == "small"]
    assert small["paytables"][0]["pays"]["win"] == "2 to 1"
    assert small["paytables"][0]["gains"]["win"] == {"exact": "2", "value": 2.0}
    body = {"bets": [{"wager": "small", "stake": 500}], "rolls": [[1, 2, 3]]}
    assert client.post(f"{BOOKS}/{harbour.id}/settle", json=body).json()["net"] == 1000
    assert "small" in client.post(f"{BOOKS}/{harbour.id}/illuminate", json={"dice": [1, 2, 3]}).json()["wins"]
    edge = client.get(f"{BOOKS}/{harbour.id}/analysis", params={"wager": "small"}).json()["wagers"][0]["house_edge"]
    assert edge == {"exact": "-11/24", "value": -11 / 24}
    assert client.get(f"{BOOKS}/{harbour.id}/machine", params={"wager": "small"}).status_code == 200


def test_a_table_finds_the_content_of_a_book_that_has_changed_since(
    client: Client, library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "pier.toml"
    text = HARBOUR.replace("harbour-sic-bo", "pier-sic-bo")
    path.write_text(text, encoding="utf-8")
    old = library.editions.add_file(path)
    path.write_text(text.replace("2 to 1", "3 to 1"), encoding="utf-8")
    new = library.editions.add_file(path)

    def pays(**query: str) -> str:
        found = client.get(f"{BOOKS}/pier-sic-bo/wagers", params={"wager": "small", **query}).json()
        return str(found["wagers"][0]["paytables"][0]["pays"]["win"])

    assert (pays(), pays(digest=new.digest), pays(digest=old.digest)) == ("3 to 1", "3 to 1", "2 to 1")
    assert client.get(f"{BOOKS}/pier-sic-bo", params={"digest": load(PACKAGED[0]).digest}).status_code == 404


def test_no_answer_tells_where_a_book_lies(client: Client, harbour: Rulebook) -> None:
    for answer in (
        client.get(BOOKS),
        client.get(f"{BOOKS}/{harbour.id}"),
        client.get(f"{BOOKS}/{harbour.id}", params={"reading": "x:y", "option": "groups:none"}),
    ):
        assert harbour.file not in answer.text
        assert "harbour.toml" not in answer.text


def test_an_address_never_reads_a_file(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(HARBOUR, encoding="utf-8")
    (tmp_path / "mine").write_text(HARBOUR, encoding="utf-8")
    for name in ("mine.toml", "mine", "..%2Fmine.toml", "%2Fetc%2Fpasswd", "mine%00.toml"):
        response = client.get(f"{BOOKS}/{name}")
        assert (name, response.status_code) == (name, 404)


def test_an_unknown_book_gets_the_nearest_name(client: Client) -> None:
    response = client.get(f"{BOOKS}/dice-wrks")
    assert response.status_code == 404
    assert "dice-works" in response.json()["detail"]


def test_readings_and_options_make_another_page_with_another_tag(client: Client) -> None:
    plain = client.get(f"{BOOKS}/dice-ology")
    off = client.get(f"{BOOKS}/dice-ology", params={"option": "rebet:off"})
    stand = client.get(f"{BOOKS}/dice-ology", params={"option": "rebet:off", "reading": "dice-ology-window:may-stand"})
    assert len({answer.headers["etag"] for answer in (plain, off, stand)}) == 3
    assert off.json()["options"]["rebet"]["chosen"] == "off"
    assert {wager["after_win"] for wager in off.json()["wagers"]} == {"wait for a seven"}
    assert {wager["window"]["clear"] for wager in stand.json()["wagers"]} == {"none"}
    same = client.get(f"{BOOKS}/dice-ology", params={"option": "rebet:on"})
    assert same.headers["etag"] == plain.headers["etag"]


def test_a_client_that_has_the_page_is_not_sent_it_again(client: Client) -> None:
    tag = client.get(f"{BOOKS}/dice-works").headers["etag"]
    assert tag.startswith('"')
    for wanted in (tag, f'"other", W/{tag}', "*"):
        again = client.get(f"{BOOKS}/dice-works", headers={"If-None-Match": wanted})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(f"{BOOKS}/dice-works", headers={"If-None-Match": '"other"'}).status_code == 200


def test_all_wrong_readings_and_options_are_reported_at_once(client: Client) -> None:
    query = {"reading": ["double-with-triple:exactly-to", "nothing"], "option": ["zz:1"]}
    response = client.get(f"{BOOKS}/massachusetts-sic-bo", params=query)
    assert response.status_code == 400
    errors = response.json()["errors"]
    assert [error["place"] for error in errors] == ["query.reading", "query.reading", "query.option"]
    assert "exactly-two" in str(errors)


def test_groups_can_be_left_out_and_their_wagers_are_withheld(client: Client) -> None:
    whole = client.get(f"{BOOKS}/dice-works").json()
    keep = next(iter(whole["groups"]))
    some = client.get(f"{BOOKS}/dice-works", params={"option": f"groups:{keep}"}).json()
    assert {wager["group"] for wager in some["wagers"]} == {keep}
    assert len(some["wagers"]) + len(some["withheld"]) == len(whole["wagers"])
    assert client.get(f"{BOOKS}/dice-works", params={"option": "groups:none"}).status_code == 400


def test_a_wager_with_a_slash_in_its_id_is_named_in_the_query(client: Client) -> None:
    response = client.get(f"{BOOKS}/massachusetts-sic-bo/wagers", params={"wager": "total/4"})
    assert [wager["wager"] for wager in response.json()["wagers"]] == ["total/4"]
    family = client.get(f"{BOOKS}/massachusetts-sic-bo/wagers", params={"wager": "total"})
    assert [wager["wager"] for wager in family.json()["wagers"]] == [f"total/{total}" for total in range(4, 18)]
    wrong = client.get(f"{BOOKS}/massachusetts-sic-bo/wagers", params={"wager": ["total/99", "smal"]})
    assert wrong.status_code == 400
    assert len(wrong.json()["errors"]) == 2


@pytest.mark.parametrize("name", ["massachusetts-sic-bo", "dice-works"])
def test_the_lit_areas_are_the_engines(client: Client, name: str) -> None:
    book = load(name)
    for roll in rolls(book.dice)[::7]:
        response = client.post(f"{BOOKS}/{name}/illuminate", json={"dice": list(reversed(roll.faces))}).json()
        assert (response["dice"], response["total"]) == (list(roll.faces), roll.total)
        assert response["wins"] == list(illuminate(book, roll)) == [area["wager"] for area in response["areas"]]


def test_lights_of_craps_come_after_the_rolls_before(client: Client) -> None:
    before = [[1, 1], [1, 2], [1, 3], [1, 4]]
    response = client.post(f"{BOOKS}/dice-ology/illuminate", json={"dice": [3, 3], "before": before}).json()
    assert response["areas"] == [
        {
            "wager": "little-ones",
            "name": {"en": "Little Ones", "zh": "Little Ones（小數）", "zh_hans": "Little Ones（小数）"},
            "row": "win",
            "pays": "34 to 1",
        }
    ]


@pytest.mark.parametrize(
    ("name", "bets", "thrown"),
    [
        ("massachusetts-sic-bo", [("small", 500, 1), ("one-of-a-kind/1", 25, 1), ("total/4", 100, 2)], [(1, 1, 3)] * 2),
        ("dice-ology", [("little-ones", 1000, 1), ("boom-or-bust", 100, 1)], [(1, 1), (1, 2), (1, 3), (1, 4), (3, 3)]),
        ("dice-works", [("all-lows", 500, 1), ("parlay-envy/2x2", 500, 1)], [(1, 1), (1, 1), (6, 6)]),
    ],
)
def test_a_settlement_is_the_command_lines(
    client: Client, name: str, bets: list[tuple[str, int, int]], thrown: list[tuple[int, ...]]
) -> None:
    body = {
        "bets": [{"wager": wager, "stake": stake, "before_roll": before} for wager, stake, before in bets],
        "rolls": [list(faces) for faces in thrown],
    }
    rules = load(name)
    played = play(
        rules, [Bet(wager, Cents(stake), before) for wager, stake, before in bets], [Roll.of(*f) for f in thrown]
    )
    response = client.post(f"{BOOKS}/{name}/settle", json=body)
    assert narrowed(response.json()) == played_data(rules, played)


CRAPS_ACTS = [Act("take down", "place/8", 5), Act("on", "come-odds/5", 4), Act("off", "buy/10", 4)]
CRAPS_BETS = [
    Bet("pass-line", Cents(1000)),
    Bet("come", Cents(1000), 2),
    Bet("come-odds/5", Cents(4000), 3),
    Bet("place/8", Cents(1200), 3),
    Bet("buy/10", Cents(2001), 3),
    Bet("dont-come", Cents(1000), 6),
]


def test_a_settlement_of_craps_with_calls_and_take_downs_is_the_command_lines(client: Client) -> None:
    thrown = [(3, 3), (2, 3), (4, 4), (3, 3), (5, 5), (2, 2)]
    body = {
        "bets": [{"wager": one.wager, "stake": one.stake, "before_roll": one.before_roll} for one in CRAPS_BETS],
        "rolls": [list(faces) for faces in thrown],
        "acts": [{"what": one.what, "wager": one.wager, "before_roll": one.before_roll} for one in CRAPS_ACTS],
    }
    rules = load("craps")
    played = play(rules, CRAPS_BETS, [Roll.of(*faces) for faces in thrown], CRAPS_ACTS)
    response = client.post(f"{BOOKS}/craps/settle", json=body)
    assert narrowed(response.json()) == played_data(rules, played)
    found = {one["wager"]: one for one in response.json()["wagers"]}
    assert (found["place/8"]["result"], found["place/8"]["net"], found["place/8"]["wins"]) == ("taken-down", 1400, 1)
    assert (found["come"]["point"], found["come-odds/5"]["called"], found["buy/10"]["called"]) == (5, "on", "off")

    body["acts"] = [{"what": "take down", "wager": "pass-line", "before_roll": 2}]
    refused = client.post(f"{BOOKS}/craps/settle", json=body)
    assert refused.status_code == 400
    assert "Pass line is on a point of 6 and can't be taken down. (2.2)" in refused.json()["detail"]
    body["acts"] = [{"what": "take down", "wager": "place/7", "before_roll": 2}]
    (error,) = client.post(f"{BOOKS}/craps/settle", json=body).json()["errors"]
    assert error["place"] == "body.acts[0]"


def test_every_wrong_bet_and_roll_is_reported_with_its_place(client: Client) -> None:
    body = {
        "bets": [
            {"wager": "little-ones", "stake": 500},
            {"wager": "big", "stake": 5},
            {"wager": "big-ones", "stake": 5000},
        ],
        "rolls": [[1, 1], [1, 2, 3]],
    }
    response = client.post(f"{BOOKS}/dice-ology/settle", json=body)
    assert response.status_code == 400
    assert [error["place"] for error in response.json()["errors"]] == ["body.bets[1]", "body.bets[2]", "body.rolls[1]"]


@pytest.mark.parametrize(
    "body",
    [
        {"bets": [], "rolls": [[1, 2, 3]]},
        {"bets": [{"wager": "small", "stake": 0}], "rolls": [[1, 2, 3]]},
        {"bets": [{"wager": "small", "stake": True}], "rolls": [[1, 2, 3]]},
        {"bets": [{"wager": "small", "stake": "5"}], "rolls": [[1, 2, 3]]},
        {"bets": [{"wager": "small", "stake": 5}] * 121, "rolls": [[1, 2, 3]]},
        {"bets": [{"wager": "small", "stake": 5}], "rolls": [[1, 2, 3]] * 201},
        {"bets": [{"wager": "small", "stake": 5}], "rolls": [[1, 2, 7]]},
        {"bets": [{"wager": "small", "stake": 5}], "rolls": [[1, 2, 3]], "roll": []},
        {"bets": [{"wager": "small", "stake": 5, "before_roll": 3}], "rolls": [[1, 2, 3]]},
    ],
)
def test_an_invalid_query_is_refused(client: Client, body: dict[str, Any]) -> None:
    assert client.post(f"{BOOKS}/massachusetts-sic-bo/settle", json=body).status_code == 400


@pytest.mark.parametrize("name", PACKAGED)
def test_a_picture_of_a_machine_needs_no_script_and_no_style(client: Client, name: str) -> None:
    for wager in list(load(name).wagers)[::9]:
        response = client.get(f"{BOOKS}/{name}/machine", params={"wager": wager})
        assert response.headers["content-type"] == "image/svg+xml"
        assert response.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.text.startswith("<svg")
        assert not re.search(r"<script|<style|\sstyle=|\son\w+=|href=", response.text)


def test_a_machine_is_drawn_and_cached_in_each_requested_language(client: Client) -> None:
    def request(**more: str) -> Any:
        return client.get(f"{BOOKS}/dice-works/machine", params={"wager": "all-lows", **more})

    english, chinese = request(), request(lang="zh")
    assert "All Lows · Dice Works" in english.text
    assert "All Lows（全小） · Dice Works 骰數齊全（花旗骰旁注） · 賠率按 PT1，2 個賠率表之首" in chinese.text
    assert (request().text, request(lang="zh").text) == (english.text, chinese.text)
    assert english.headers["etag"] != chinese.headers["etag"]
    assert request(lang="fr").status_code == 400


@pytest.mark.parametrize(
    ("form", "begins", "media_type"),
    [
        ("dot", "digraph", "text/vnd.graphviz; charset=utf-8"),
        ("mermaid", "---", "text/plain; charset=utf-8"),
        ("json", '{"book"', "application/json"),
    ],
)
def test_a_machine_is_drawn_for_other_programs_too(client: Client, form: str, begins: str, media_type: str) -> None:
    response = client.get(f"{BOOKS}/dice-works/machine", params={"wager": "parlay/2x2", "format": form})
    assert (response.status_code, response.headers["content-type"]) == (200, media_type)
    assert response.text.startswith(begins)
    assert client.get(f"{BOOKS}/dice-works/machine", params={"wager": "parlay", "format": form}).status_code == 400


@pytest.mark.anyio
async def test_the_houses_application_tells_books_and_refuses_what_it_does_not_know(
    make_house_app: Callable[..., Any],
) -> None:
    async with make_house_app().client(*books.handlers) as client:
        page = await client.get(f"{BOOKS}/dice-ology")
        assert (page.status_code, page.json()["book"]) == (200, "dice-ology")
        again = await client.get(f"{BOOKS}/dice-ology", headers={"If-None-Match": page.headers["etag"]})
        assert again.status_code == 304
        wrong = await client.get(f"{BOOKS}/dice-ology", params={"redaing": "a:b"})
        assert (wrong.status_code, wrong.headers["content-type"]) == (400, "application/problem+json")
        none = await client.get(f"{BOOKS}/nobody")
        assert (none.status_code, none.json()["title"]) == (404, "Not found")
        lit = await client.post(f"{BOOKS}/dice-ology/illuminate", json={"dice": [1, 1], "dcie": 1})
        assert [error["place"] for error in lit.json()["errors"]] == ["body.dcie"]
        picture = await client.get(f"{BOOKS}/dice-ology/machine", params={"wager": "little-ones"})
        assert "default-src 'none'; style-src 'unsafe-inline'" in picture.headers["content-security-policy"]
    WORKER_POOL.close()


def test_areas_of_craps_tell_the_dice_totals_and_bars_painted_on_them(client: Client) -> None:
    page = client.get("/api/v1/books/craps").json()
    painted = {one["wager"]: one["picture"] for one in page["wagers"]}
    assert painted["hard/6"]["dice"] == [3, 3]
    assert [painted[one]["dice"] for one in ("two", "three", "eleven", "twelve")] == [[1, 1], [1, 2], [5, 6], [6, 6]]
    assert painted["any-seven"]["total"] == 7
    assert painted["field"]["numbers"] == [2, 3, 4, 9, 10, 11, 12]
    assert painted["c-and-e"]["numbers"] == [2, 3, 11, 12]
    assert painted["dont-pass"]["bars"] == painted["dont-come"]["bars"] == [6, 6]
    assert painted["pass-line"]["bars"] == []
    other = client.get("/api/v1/books/craps", params={"option": "bar:2"}).json()
    assert {one["wager"]: one["picture"] for one in other["wagers"]}["dont-pass"]["bars"] == [1, 1]
    parents = {one["wager"]: one["parent"] for one in page["wagers"]}
    assert (parents["come-odds/6"], parents["pass-line-odds"], parents["place/6"]) == ("come", "pass-line", None)


def test_the_felt_of_craps_has_a_band_for_each_row(client: Client) -> None:
    table, propositions, hops = client.get("/api/v1/books/craps").json()["layout"]["blocks"]
    assert [band["draws"] for band in table["bands"]] == ["boxes", "line", "line", "line", "edge"]
    assert table["bands"][0]["titles"]["6"]["en"] == "SIX"
    assert len(propositions["bands"]) == len(propositions["rows"])
    assert (hops["shape"], hops["folded"]) == ("grid", True)
