"""The mathematics over HTTP: the command line's own figures, other pays, and sheets to take away."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

import pitbook
from pitbook.cli.analyse import analyse
from pitbook.cli.compare import compare
from pitbook.cli.design import design
from pitbook.cli.lint import lint
from pitbook.cli.spread import spread
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.rulebooks.editions import Editions
from pitbook.rulebooks.model import Rulebook
from pitbook.server.books.library import Library
from pitbook.server.http.errors import MissingDependency
from pitbook.server.presenters.reports import report_file
from tests.server.books.conftest import Client, figures, narrowed
from tests.server.conftest import HouseApp

BOOKS = "/api/v1/books"
ReadJson = Callable[..., Any]


@pytest.mark.parametrize("name", PACKAGED)
def test_figures_are_the_command_lines(client: Client, read_json: ReadJson, name: str) -> None:
    response = client.get(f"{BOOKS}/{name}/analysis").json()
    assert narrowed(response) == read_json(analyse, name)
    for figure in figures(response):
        assert figure["value"] == float(Fraction(figure["exact"]))


def test_figures_of_one_wager_under_a_reading_and_a_pay_table(client: Client, read_json: ReadJson) -> None:
    query = {"wager": "two-of-a-kind/1", "reading": "double-with-triple:exactly-two"}
    response = client.get(f"{BOOKS}/massachusetts-sic-bo/analysis", params=query).json()
    assert response["wagers"][0]["win_probability"]["exact"] == "5/72"
    for words in ("PT2", "all-lows:PT2"):
        query = {"wager": "all-lows", "paytable": words}
        response = client.get(f"{BOOKS}/dice-works/analysis", params=query).json()
        assert narrowed(response) == read_json(analyse, "dice-works", ["all-lows"], paytable=["all-lows=PT2"])
    every = client.get(
        f"{BOOKS}/massachusetts-sic-bo/analysis", params={"wager": "two-of-a-kind", "all_readings": True}
    )
    assert narrowed(every.json()) == read_json(analyse, "massachusetts-sic-bo", ["two-of-a-kind"], all_readings=True)


def test_all_wrong_wagers_and_pay_tables_are_reported_at_once(client: Client) -> None:
    query = {"wager": ["no-such"], "paytable": ["PT77", "all-lows:PT78"], "reading": "a:b"}
    response = client.get(f"{BOOKS}/dice-works/analysis", params=query)
    assert response.status_code == 400
    places = [error["place"] for error in response.json()["errors"]]
    assert places == ["query.reading", "query.wager", "query.paytable", "query.paytable"]


def tried(client: Client, book: str, **body: Any) -> Any:
    response = client.post(f"{BOOKS}/{book}/analysis", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_other_pays_are_set_beside_the_books_and_the_minimum(client: Client) -> None:
    found = tried(client, "massachusetts-sic-bo", pays={"total/4": "64 to 1", "small": "1 to 2"})
    assert (found["basis"], found["keeps"]) == ("minimum", False)
    by_wager = {one["figures"]["wager"]: one for one in found["wagers"]}
    assert set(by_wager) == {"total/4", "small"}
    four = by_wager["total/4"]
    assert four["figures"]["house_edge"]["exact"] == "7/72"
    assert four["house_edge_printed"]["exact"] == "7/24"
    assert four["house_edge_change"]["exact"] == "-7/36"
    assert four["figures"]["break_even"]["win"]["exact"] == "71"
    row = {"row": "win", "pays": "64 to 1", "printed": "50 to 1", "asked": "50 to 1", "keeps": True, "clause": "4(b)"}
    assert four["rows"] == [row | {"more": {"exact": "14", "value": 14.0}}]
    assert not by_wager["small"]["keeps"]


def test_fixed_pays_are_met_only_by_exactly_the_same_odds(client: Client) -> None:
    same = tried(client, "dice-ology", pays={"little-ones": "34 to 1"}, paytables={"little-ones": "PT1"})
    more = tried(client, "dice-ology", pays={"little-ones": "35 to 1"}, paytables={"*": "PT1"})
    assert (same["basis"], same["keeps"], more["keeps"]) == ("fixed", True, False)
    assert [one["figures"]["paytable"] for one in more["wagers"]] == ["PT1"]


def test_a_licensees_pays_are_measured_by_the_regulators(client: Client, harbour: Rulebook) -> None:
    (small,) = tried(client, harbour.id, pays={"small": "3 to 2"})["wagers"]
    (row,) = small["rows"]
    assert (row["printed"], row["asked"], row["keeps"]) == ("2 to 1", "1 to 1", True)


def test_odds_for_a_family_hold_for_every_selection_but_those_named(client: Client) -> None:
    rows = {"one die": "1 to 1", "two dice": "2 to 1", "three dice": "12 to 1"}
    found = tried(
        client, "massachusetts-sic-bo", pays={"one-of-a-kind/3": {"one die": "2 to 1"}, "one-of-a-kind": rows}
    )
    firsts = {one["figures"]["wager"]: one["rows"][0]["pays"] for one in found["wagers"]}
    assert firsts == {f"one-of-a-kind/{face}": "2 to 1" if face == 3 else "1 to 1" for face in range(1, 7)}


def test_without_other_pays_the_figures_are_the_books(client: Client) -> None:
    found = tried(client, "maryland-sic-bo")
    plain = client.get(f"{BOOKS}/maryland-sic-bo/analysis").json()
    assert [one["figures"] for one in found["wagers"]] == plain["wagers"]
    assert found["keeps"]


def test_every_error_in_other_pays_is_reported_with_its_place(client: Client) -> None:
    body = {
        "pays": {
            "total/4": "64 t 1",
            "one-of-a-kind": "3 to 1",
            "nothing": "1 to 1",
            "small": {"x": "1 to 1", "win": "0 to 1", "lose": "1 to 1"},
        },
        "readings": {"a": "b"},
        "options": {"c": "d"},
        "paytables": {"*": "PT9"},
        "wagers": ["q"],
    }
    response = client.post(f"{BOOKS}/massachusetts-sic-bo/analysis", json=body)
    assert response.status_code == 400
    assert {error["place"] for error in response.json()["errors"]} == {
        "body.readings.a",
        "body.options.c",
        "body.wagers",
        "body.pays.total/4",
        "body.pays.one-of-a-kind",
        "body.pays.nothing",
        "body.pays.small.x",
        "body.pays.small.win",
        "body.pays.small.lose",
        "body.paytables.*",
    }


def test_a_designed_pay_is_the_command_lines(client: Client, read_json: ReadJson) -> None:
    for book, wager in (("massachusetts-sic-bo", "total/4"), ("dice-works", "high-roller")):
        response = client.post(f"{BOOKS}/{book}/design", json={"wager": wager, "target_edge": "8%"})
        assert narrowed(response.json()) == read_json(design, book, wager, target_edge="8%")
    for edge in ("800%", "x", "1e9", "1/0"):
        body = {"wager": "total/4", "target_edge": edge}
        assert client.post(f"{BOOKS}/massachusetts-sic-bo/design", json=body).status_code == 400


@pytest.mark.parametrize("name", PACKAGED)
def test_findings_are_the_command_lines(client: Client, read_json: ReadJson, name: str) -> None:
    response = client.get(f"{BOOKS}/{name}/lint", params={"min_return": "75%"})
    assert response.json() == read_json(lint, name, min_return="75%")


def test_comparisons_are_the_command_lines(client: Client, read_json: ReadJson) -> None:
    for query, books in (
        ({"left": "massachusetts-sic-bo", "right": "maryland-sic-bo"}, ["massachusetts-sic-bo", "maryland-sic-bo"]),
        ({"left": "dice-works"}, ["dice-works"]),
    ):
        response = narrowed(client.get("/api/v1/compare", params=query).json())
        for bet in response["bets"]:
            assert bet.pop("name")["en"] == bet["bet"]
        assert response.pop("alone").keys() == response["only_in"].keys()
        assert response == read_json(compare, books)
    nothing = client.get("/api/v1/compare", params={"left": "dice-ology", "right": "maryland-sic-bo"})
    assert nothing.json()["bets"] == []
    assert client.get("/api/v1/compare", params={"left": "dice-ology", "right": "nobody"}).status_code == 404


def test_a_spread_is_the_command_lines_and_its_parts_are_the_whole(client: Client, read_json: ReadJson) -> None:
    body = {"bets": [{"wager": "small", "stake": 500}, {"wager": "total/4", "stake": 500}], "rounds": [10, 2000]}
    response = client.post(f"{BOOKS}/massachusetts-sic-bo/spread", json=body).json()
    for after in response["rounds"]:
        assert sum(part["probability"] for part in after["bins"]) == pytest.approx(1)
        assert len(after["bins"]) <= 60
        lows = [part["low"] for part in after["bins"]]
        assert lows == sorted(set(lows))
    printed = narrowed(response)
    printed.pop("standard_deviation")
    for after in printed["rounds"]:
        after.pop("bins")
    assert printed == read_json(spread, "massachusetts-sic-bo", bet=["small=5", "total/4=5"], rounds=[10, 2000])


def test_a_session_is_that_of_the_python_front(client: Client) -> None:
    body = {"bets": [{"wager": "small", "stake": 500}], "bankroll": 5_000, "rounds": 40}
    found = client.post(f"{BOOKS}/massachusetts-sic-bo/session", json=body).json()
    exact = pitbook.rulebook("massachusetts-sic-bo").session({"small": 5}, bankroll=50, rounds=40)
    assert found["method"] == "exact"
    assert found["ruined"]["exact"] == str(exact.ruined)
    assert found["ahead"]["exact"] == str(exact.ahead)
    assert found["percentiles"]["50"] == exact.percentile(50)
    assert sum(one["probability"] for one in found["bins"]) == pytest.approx(1)
    assert found["ruined_by"] == [float(chance) for chance in exact.ruined_by]
    poor = client.post(f"{BOOKS}/massachusetts-sic-bo/session", json={**body, "bankroll": 100})
    assert poor.status_code == 400
    assert "does not cover" in poor.json()["detail"]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "rounds"), [("pass-and-odds", 8), ("three-point-molly", 12)])
def test_a_session_of_a_packaged_strategy_is_that_of_the_python_front(client: Client, name: str, rounds: int) -> None:
    listed = client.get(f"{BOOKS}/craps/strategies").json()["strategies"]
    assert all(one["name"]["en"] and one["name"]["zh"] for one in listed)
    rules = {one["strategy"]: one["rules"] for one in listed}
    exact = pitbook.rulebook("craps").session(name, bankroll=100, rounds=rounds)
    body = {"rules": rules[name], "bankroll": 10_000, "rounds": rounds}
    found = client.post(f"{BOOKS}/craps/session", json=body).json()
    assert found["method"] == "exact"
    assert (found["stake"], found["mean"]["exact"]) == (None, str(exact.mean))
    assert found["ruined_by"] == [float(chance) for chance in exact.ruined_by]
    assert client.get(f"{BOOKS}/massachusetts-sic-bo/strategies").json()["strategies"] == []
    wrongs: list[dict[str, Any]] = [{"rules": [], "bets": []}, {"bets": [{"wager": "field", "stake": 500}]}]
    for wrong in wrongs:
        response = client.post(f"{BOOKS}/craps/session", json={**body, **wrong})
        assert response.status_code == 400
        assert "either bets or the rules of a strategy" in response.json()["detail"]


def test_a_report_comes_as_a_workbook_too(client: Client) -> None:
    response = client.get(f"{BOOKS}/dice-ology/report", params={"format": "xlsx"})
    assert response.headers["content-type"].startswith("application/vnd.openxmlformats")
    assert response.content.startswith(b"PK")


def test_a_design_for_several_targets_tells_its_proof(client: Client) -> None:
    body = {"wager": "place/6", "target_edge": "1/66", "denominators": 6}
    found = client.post(f"{BOOKS}/craps/design", json=body).json()
    assert found["pays"] == {"win": "7 to 6"}
    assert found["proof"]["met"]
    assert "none is closer" in found["proof"]["says"]


@pytest.mark.anyio
async def test_designs_and_findings_are_in_the_callers_language(house_app: HouseApp) -> None:
    body = {"wager": "total/4", "target_edge": "50%"}
    async with house_app.client() as client:
        for language, reason, minimum in (
            ("en", "none is closer", "win: 35 to 1, and 4(b) asks for 50 to 1"),
            ("zh-HK", "沒有更接近者", "win：1賠35，而 4(b) 規定為 1賠50"),
            ("zh-CN", "没有更接近者", "win：1赔35，而 4(b) 规定为 1赔50"),
        ):
            headers = {"Accept-Language": language}
            found = (await client.post(f"{BOOKS}/massachusetts-sic-bo/design", json=body, headers=headers)).json()
            assert reason in found["proof"]["says"]
            assert found["below_minimum"] == [minimum]
            findings = (await client.get(f"{BOOKS}/dice-works/lint", headers=headers)).json()["findings"]
            assert findings
            assert {bool(re.search(r"[\u4e00-\u9fff]", one["says"])) for one in findings} == {language != "en"}


def test_more_rounds_than_this_house_works_out_are_refused(client: Client) -> None:
    bets = [{"wager": "small", "stake": 1}, {"wager": "total/4", "stake": 499}]
    for rounds in ([100_000], [0], [100_001], [1] * 9):
        response = client.post(f"{BOOKS}/massachusetts-sic-bo/spread", json={"bets": bets, "rounds": rounds})
        assert response.status_code == 400
    lasting = {"bets": [{"wager": "little-ones", "stake": 100}]}
    assert [one["net"] for one in client.post(f"{BOOKS}/dice-ology/spread", json=lasting).json()["nets"]] == [
        -100,
        3400,
    ]


@pytest.mark.thorough
def test_sheets_are_files_to_take_away(client: Client, read_json: ReadJson) -> None:
    forms = {"html": b"<!doctype html>", "pdf": b"%PDF", "csv": b"book,wager", "json": b"{"}
    for form, begins in forms.items():
        response = client.get(f"{BOOKS}/dice-ology/report", params={"format": form})
        assert response.status_code == 200
        assert response.content.lower().startswith(begins.lower())
        assert response.headers["content-disposition"] == f'attachment; filename="dice-ology.{form}"'
        assert "sandbox" in response.headers["content-security-policy"]
    assert client.get(f"{BOOKS}/dice-ology/report", params={"format": "json"}).json() == read_json(
        analyse, "dice-ology"
    )


def test_a_house_without_the_reports_extra_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    library = Library(Editions())
    with pytest.raises(MissingDependency, match="matplotlib") as read_json:
        report_file(library, library.find_book("dice-ology"), ["little-ones"], {}, False, "pdf", date(2030, 1, 1))
    assert read_json.value.status == 501
