"""Problems: every refusal has its status, and nothing that is sent makes the server fail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody

import pitbook.server
from pitbook.errors import InputError
from pitbook.journal.errors import Unavailable
from pitbook.people.refusals import Reason as HouseReason
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.errors import FieldError, InvalidRequest, detail
from pitbook.server.http.problems import PROBLEMS, Problem
from pitbook.server.http.refusals import HOUSE_REFUSALS, TABLE_REFUSALS
from pitbook.server.routes import reference
from pitbook.server.services import HouseServices
from pitbook.table.refusals import Reason
from tests.server.conftest import HouseApp

pytestmark = pytest.mark.anyio


class Part(RequestBody, frozen=True):
    amount: int
    marks: tuple[int, ...] = ()


class Order(RequestBody, frozen=True):
    name: str
    parts: tuple[Part, ...] = ()


@post("/order", sync_to_thread=False)
def order(data: JSONBody[Order], after: FromQuery[int] = 0) -> Order:
    return data


@get("/fails/{how:str}", sync_to_thread=False)
def fails(how: FromPath[str], services: HouseServices) -> None:
    errors: dict[str, Exception] = {
        "journal": Unavailable("the disk is full"),
        "bug": RuntimeError("secret inside"),
        "mistake": InputError("common.text", text="no such thing; try another"),
        "wrong": InvalidRequest(
            [FieldError("pays.win", detail("field.at-most", most=9)), FieldError("book", detail("field.missing"))]
        ),
        "often": Problem("too-many-requests", retry_after=7.4),
        "refused": Problem("betting-closed", clauses=["6(d)"]),
    }
    raise errors[how]


def test_every_refusal_of_a_table_has_a_status() -> None:
    assert set(TABLE_REFUSALS) == set(Reason)
    assert all(400 <= status < 500 for status in TABLE_REFUSALS.values())


def test_every_refusal_of_the_house_has_a_status() -> None:
    assert set(HOUSE_REFUSALS) == set(HouseReason)
    assert all(400 <= status < 500 for status in HOUSE_REFUSALS.values())


def test_a_refusal_that_house_and_table_share_has_one_status() -> None:
    shared = {str(why) for why in Reason} & {str(why) for why in HouseReason}
    assert {name: TABLE_REFUSALS[Reason(name)] for name in shared} == {
        name: HOUSE_REFUSALS[HouseReason(name)] for name in shared
    }


async def test_a_refusal_names_itself_its_clauses_and_the_request(house_app: HouseApp) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/refused")
    assert response.status_code == 409
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["type"] == "/problems/betting-closed"
    assert body["refusal"] == "betting-closed"
    assert body["detail"] == body["message"]["text"] == "Too late: betting has closed."
    assert body["clauses"] == ["6(d)"]
    assert body["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize(
    ("accepted", "text"),
    [
        ("en-GB", "Too late: betting has closed."),
        ("zh-TW, en;q=0.5", "太遲：已停止下注。"),
        ("zh-HK", "太遲：已停止下注。"),
        ("zh-MO", "太遲：已停止下注。"),
        ("zh-Hant", "太遲：已停止下注。"),
        ("zh", "太迟：已停止下注。"),
        ("zh-CN", "太迟：已停止下注。"),
        ("zh-SG", "太迟：已停止下注。"),
        ("zh-MY", "太迟：已停止下注。"),
        ("zh-Hans", "太迟：已停止下注。"),
        ("zh-CN;q=0.4, zh-HK;q=0.9, en;q=0.8", "太遲：已停止下注。"),
        ("zh-CN;q=0, fr, en;q=0.1", "Too late: betting has closed."),
        ("fr", "Too late: betting has closed."),
    ],
)
async def test_a_problem_is_a_message_in_the_language_that_is_accepted(
    house_app: HouseApp, accepted: str, text: str
) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/refused", headers={"Accept-Language": accepted})
    assert response.json()["message"] == {"id": "problems.betting-closed", "params": {}, "text": text}
    assert response.json()["detail"] == text


@pytest.mark.parametrize(
    ("accepted", "title"),
    [("en", "Betting closed"), ("zh-TW", "已停止下注"), ("zh-CN", "已停止下注"), ("", "Betting closed")],
)
async def test_the_title_of_a_problem_is_in_the_language_that_is_accepted(
    house_app: HouseApp, accepted: str, title: str
) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/refused", headers={"Accept-Language": accepted})
    assert (response.json()["type"], response.json()["title"]) == ("/problems/betting-closed", title)


def test_every_kind_of_problem_has_a_title_and_a_text_of_its_own() -> None:
    for kind in PROBLEMS.values():
        assert (kind.title.id, kind.message.id) == (f"problem-titles.{kind.name}", f"problems.{kind.name}")


async def test_a_journal_that_cannot_write_asks_to_try_again(house_app: HouseApp) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/journal")
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0
    assert response.json()["type"] == "/problems/journal-unavailable"


async def test_a_bug_reveals_its_request_id_and_nothing_else(
    house_app: HouseApp, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/bug")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["request_id"]
    assert any(record.exc_info for record in caplog.records)


async def test_too_many_requests_are_refused_with_a_time_to_retry(house_app: HouseApp) -> None:
    async with house_app.client(fails) as client:
        response = await client.get("/fails/often")
    assert (response.status_code, response.headers["retry-after"]) == (429, "7")


async def test_errors_are_reported_with_their_places(house_app: HouseApp) -> None:
    async with house_app.client(fails) as client:
        assert (await client.get("/fails/mistake")).json()["detail"] == "no such thing; try another"
        response = await client.get("/fails/wrong")
    assert response.status_code == 400
    assert response.json()["errors"] == [
        {
            "place": "pays.win",
            "says": "must be 9 or less",
            "message": {"id": "errors.requests.field.at-most", "params": {"most": "9"}, "text": "must be 9 or less"},
        },
        {
            "place": "book",
            "says": "this is missing",
            "message": {"id": "errors.requests.field.missing", "params": {}, "text": "this is missing"},
        },
    ]


async def test_what_is_wrong_with_a_request_is_in_the_callers_language(house_app: HouseApp) -> None:
    body = {"name": 7, "parts": [{"amount": "5", "marks": [1, True]}], "nmae": "x"}
    async with house_app.client(order) as client:
        response = await client.post("/order", json=body, headers={"Accept-Language": "zh-TW"})
        query = await client.post("/order?afer=1", json=body, headers={"Accept-Language": "zh-CN"})
        no_json = await client.post("/order", content=b"x", headers={"Accept-Language": "zh-TW"})
    data = response.json()
    assert {one["place"]: one["says"] for one in data["errors"]} == {
        "body.name": "必須為文字，而非整數",
        "body.parts[0].amount": "必須為整數，而非文字",
        "body.parts[0].marks[1]": "必須為整數，而非真假值",
        "body.nmae": "沒有這個欄位；是否指 name？",
    }
    assert all(one["says"] == one["message"]["text"] for one in data["errors"])
    assert data["detail"] == data["message"]["text"] == "body.name：必須為文字，而非整數，另有 3 項"
    assert query.json()["detail"] == "query.afer：没有这个参数；是否指 after？"
    assert no_json.json()["detail"].startswith("內容必須為 application/json")


async def test_every_error_in_a_body_is_reported_with_its_place(house_app: HouseApp) -> None:
    body = {"parts": [{"amount": "5", "colour": 1}, {"marks": [1, True]}], "nmae": "x"}
    async with house_app.client(order) as client:
        response = await client.post("/order", json=body)
    assert response.status_code == 400
    assert [error["place"] for error in response.json()["errors"]] == [
        "body.name",
        "body.parts[0].amount",
        "body.parts[0].colour",
        "body.parts[1].amount",
        "body.parts[1].marks[1]",
        "body.nmae",
    ]
    assert "did you mean name" in response.json()["errors"][-1]["says"]


BAD_BODIES: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"{",
    "null": b"null",
    "a list": b"[]",
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"name":' * 20_000,
    "deep in an unknown field": b'{"name":"a","x":' + b"[" * 50_000,
    "bad UTF-8 in a value": b'{"name":"\xff"}',
    "bad UTF-8 in a name": b'{"\xff":1}',
    "half a surrogate": b'{"name":"\\ud800"}',
    "a boolean for a number": b'{"name":"a","parts":[{"amount":true}]}',
    "a text for a number": b'{"name":"a","parts":[{"amount":"1"}]}',
    "a number for a text": b'{"name":1}',
    "a number too great": b'{"name":"a","parts":[{"amount":1e999}]}',
    "more after the end": b'{"name":"a"} {}',
    "a byte order mark": b'\xef\xbb\xbf{"name":"a"}',
    "NaN": b'{"name":"a","parts":[{"amount":NaN}]}',
}


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES.keys())
async def test_a_body_that_cannot_be_read_is_a_bad_request(house_app: HouseApp, body: bytes) -> None:
    async with house_app.client(order) as client:
        response = await client.post("/order", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert msgspec.json.decode(response.content)["type"] == "/problems/bad-request"


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
async def test_only_json_is_accepted_as_a_body(house_app: HouseApp, media_type: str) -> None:
    async with house_app.client(order) as client:
        response = await client.post("/order", content=b'{"name":"a"}', headers={"content-type": media_type})
    assert response.status_code == 415


async def test_a_body_over_the_limit_is_too_large(house_app: HouseApp) -> None:
    async def pieces() -> Any:
        for _ in range(300):
            yield b" " * 1024

    async with house_app.client(order) as client:
        headers = {"content-type": "application/json"}
        response = await client.post("/order", content=b" " * 300_000, headers=headers)
        untold = await client.post("/order", content=pieces(), headers=headers)
    assert (response.status_code, untold.status_code) == (413, 413)


@pytest.mark.parametrize("query", ["afer=1", "after=1&x=2", "%ff=1", "&".join(f"a{n}=1" for n in range(200))])
async def test_unknown_query_parameters_are_refused(house_app: HouseApp, query: str) -> None:
    async with house_app.client(order) as client:
        response = await client.post(f"/order?{query}", json={"name": "a"})
    assert response.status_code == 400


async def test_known_query_parameters_are_accepted(house_app: HouseApp) -> None:
    async with house_app.client(order) as client:
        assert (await client.post("/order?after=3", json={"name": "a"})).status_code == 201
        wrong = await client.post("/order?after=x", json={"name": "a"})
    assert [error["place"] for error in wrong.json()["errors"]] == ["query.after"]


async def test_unknown_paths_and_methods(house_app: HouseApp) -> None:
    async with house_app.client(order) as client:
        nothing = await client.get("/nothing")
        method = await client.get("/order")
    assert (nothing.status_code, nothing.json()["type"]) == (404, "/problems/not-found")
    assert (method.status_code, method.json()["type"]) == (405, "/problems/method-not-allowed")
    assert "POST" in method.headers["allow"]


async def test_every_problem_has_its_page(house_app: HouseApp) -> None:
    async with house_app.client(*reference.handlers) as client:
        everything = (await client.get("/problems")).text
        for kind in PROBLEMS.values():
            assert kind.type in everything
        response = await client.get("/problems/stale-step")
        assert "<h1>Stale step</h1>" in response.text
        assert "HTTP status 409. A table or the house refused the request" in response.text
        assert (await client.get("/problems/nonsense")).status_code == 404


@pytest.mark.parametrize(
    ("accepted", "language", "texts"),
    [
        ("en-GB", "en", ("<h1>Stale step</h1>", "The table has changed. Check it and try again.", "All problems")),
        ("zh-TW", "zh-Hant", ("<h1>賭檯已有變動</h1>", "賭檯已有變動；請看清後再試。", "所有問題")),
        ("zh-CN", "zh-Hans", ("<h1>赌台已有变动</h1>", "赌台已有变动；请看清后再试。", "所有问题")),
    ],
)
async def test_the_page_of_a_problem_is_in_the_language_that_is_accepted(
    house_app: HouseApp, accepted: str, language: str, texts: tuple[str, ...]
) -> None:
    async with house_app.client(*reference.handlers) as client:
        response = await client.get("/problems/stale-step", headers={"Accept-Language": accepted})
    assert response.headers["content-language"] == language
    assert "Accept-Language" in response.headers["vary"]
    assert f'<html lang="{language}">' in response.text
    assert [text for text in texts if text not in response.text] == []


@pytest.mark.parametrize("path", ["/problems", "/problems/stale-step", "/problems/bad-request"])
async def test_a_chinese_page_of_problems_has_no_english_outside_of_code(house_app: HouseApp, path: str) -> None:
    async with house_app.client(*reference.handlers) as client:
        page = (await client.get(path, headers={"Accept-Language": "zh-TW"})).text
    body = page.partition("<body")[1] + page.partition("<body")[2]
    text = re.sub(r"<code>.*?</code>|<[^>]*>|application/json", " ", body)
    assert set(re.findall(r"[A-Za-z]{2,}", text)) <= {"API", "HTTP", "PIN"}


def test_one_module_turns_exceptions_into_problems() -> None:
    folder = Path(pitbook.server.__file__).parent
    found = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if "problem_response(" in path.read_text()
    }
    assert found == {"http/exception_handlers.py", "http/problems.py"}
