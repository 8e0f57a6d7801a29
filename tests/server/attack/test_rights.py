"""Rights over HTTP: every route is requested by every kind of caller.

The responses are in rights_matrix.md, for people to read; `--update` rewrites it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests import loopback
from tests.server.whole.clients import Visitor, consented, done, refused
from tests.server.whole.deployment import Deployment

MATRIX = Path(__file__).parent / "rights_matrix.md"
TABLE = "massachusetts"
BOOK = "massachusetts-sic-bo"
NOBODY = "no-such-person"

ASKERS = {
    "anybody": "nobody is signed in",
    "read token": "a player's token that is good for reading only",
    "player": "a player, signed in by a browser",
    "dealer elsewhere": "somebody who deals at other tables",
    "dealer": "a dealer of the table",
    "supervisor": "a casino supervisor of the table",
    "auditor": "an auditor of the house",
    "manager": "a manager of the house",
    "half": "a manager's session without the second factor that it needs",
    "locked": "a dealer's session whose screen is locked",
    "closed": "a manager's session and account, after the account was closed",
    "ended": "a manager's session after they signed out",
}
NAMES = {
    "player": "demo-ann",
    "dealer elsewhere": "demo-base-dealer",
    "dealer": "demo-dealer",
    "supervisor": "demo-casino-supervisor",
    "auditor": "demo-auditor",
    "manager": "demo-manager",
}

PATHS = {
    "table": TABLE,
    "book_id": BOOK,
    "lang": "zh",
    "sheet": "postings",
    "name": NOBODY,
    "number": "1",
    "session_id": "none",
    "token_id": "none",
    "run": "none",
    "webhook_id": "none",
    "factor_id": "none",
}
BODIES: dict[str, Any] = {
    "POST /api/v1/webhooks": {"url": "http://cage.example/not-secure", "topics": ["alarms"]},
    "POST /api/v1/books/{book_id}/analysis": {},
    "POST /api/v1/books/{book_id}/design": {},
    "POST /api/v1/books/{book_id}/session": {},
    "POST /api/v1/books/{book_id}/spread": {},
    "POST /api/v1/books/{book_id}/illuminate": {},
    "POST /api/v1/books/{book_id}/settle": {},
    "POST /api/v1/approvals/{number}/approve": {},
    "POST /api/v1/approvals/{number}/refuse": {},
    "POST /api/v1/audit": {"public_key": "for nothing"},
    "POST /api/v1/tables/{table}/bets": {"bets": [{"wager": "none", "amount": 1}]},
    "POST /api/v1/tables/{table}/trial": {"command": {"type": "TakeStep", "step": "none"}},
    "POST /api/v1/dice": {"set": " "},
    "POST /api/v1/dice/retirement": {"set": "no such set", "fate": "cancelled", "reason": "x"},
    "POST /api/v1/clock": {"words": "nothing is wrong"},
    "POST /api/v1/me/password": {"old": "wrong", "new": "wrong"},
    "PUT /api/v1/me/pin": {"password": "wrong", "pin": "480263"},
    "POST /api/v1/me/factors/totp/confirmation": {"code": "wrong", "name": "a test"},
    "POST /api/v1/me/factors/passkey/confirmation": {"credential": {}, "name": "a test"},
    "POST /api/v1/me/second-factor": {"code": "wrong"},
    "POST /api/v1/me/unlock": {"pin": "480263", "password": "wrong"},
    "POST /api/v1/people/{name}/factor-reset": {"words": "lost"},
    "POST /api/v1/me/tokens": {"name": "a test", "scopes": ["read"]},
    "PUT /api/v1/me/limits": {},
    "POST /api/v1/me/exclusion": {"until": "yesterday"},
    "PUT /api/v1/me/language": {"language": "no language"},
    "POST /api/v1/people": {"name": "server"},
    "POST /api/v1/people/{name}/roles": {"role": "dealer"},
    "POST /api/v1/people/{name}/deactivation": {"words": "gone"},
    "POST /api/v1/people/{name}/exclusion": {"until": None},
    "POST /api/v1/simulations": {"toml": "book = 1"},
    "POST /api/v1/simulations/check": {"toml": "book = 1"},
    "PUT /api/v1/policy": {"registration": True, "real_money_automatic": False},
    "POST /api/v1/sign-in": {"name": "", "password": "wrong"},
    "POST /api/v1/sign-in/link": {"code": "wrong"},
    "POST /api/v1/register": {"name": "server", "password": "wrong"},
    "POST /api/v1/guest": {"table": "none"},
    "POST /api/v1/verify": {},
}
"""Well-formed bodies that change nothing where they are allowed."""
QUERIES = {
    "GET /api/v1/simulations/examples": f"?book={BOOK}",
    "DELETE /api/v1/people/{name}/roles": "?role=dealer",
    "GET /api/v1/compare": f"?left={BOOK}&right=maryland-sic-bo",
}
LEFT_OUT = {
    "GET /api/v1/tables/{table}/stream": "it does not end; `events` shows the same",
    "GET /api/v1/house/stream": "it does not end; its own test asks for it in every role",
    "POST /api/v1/sign-out": "whoever is signed in would not be any more",
    "DELETE /api/v1/me/sessions": "the same",
    "POST /api/v1/me/lock": "whoever asks could not act any more; tests/server/people asks for it",
    "POST /api/v1/checkpoints": "tests/server/audit asks for it; it makes a key",
}
UNLISTED = ("GET /metrics", "GET /problems", "GET /api/v1/openapi.json", "GET /api/v1/reference")

SECOND = {"name": "demo-dealer", "role": "dealer"}
FILL = {"type": "Fill", "amount": 0, "second": SECOND}
COMMANDS: dict[str, dict[str, Any]] = {
    "ChangeSetup": {"type": "ChangeSetup", "setup": None},
    "SettleDispute": {"type": "SettleDispute", "round": 99, "words": "x"},
    "TakeOver": {"type": "TakeOver"},
    "PlaceBets": {"type": "PlaceBets", "bets": [{"wager": "none", "amount": 1}]},
    "PlaceBets for ben": {"type": "PlaceBets", "bets": [{"wager": "none", "amount": 1}], "player": "demo-ben"},
    "CashOut for ben": {"type": "CashOut", "amount": 0, "player": "demo-ben"},
    "TakeStep": {"type": "TakeStep", "step": "none"},
    "RuleInWords": {"type": "RuleInWords", "words": ""},
    "ProposeResettlement": {"type": "ProposeResettlement", "round": 99, "dice": [1, 1, 1], "words": "x"},
    "ApproveResettlement": {"type": "ApproveResettlement", "round": 99},
    "Fill": FILL,
    "CommitSeed": {"type": "CommitSeed", "commitment": "0" * 64, "sealed": "x", "mapping": 1},
    "CloseBetting": {"type": "CloseBetting"},
    "RevealSeed": {"type": "RevealSeed", "seed": "0" * 64},
    "ReportTumbler": {"type": "ReportTumbler", "words": "x"},
}


@pytest.fixture(scope="module")
def askers(target_house: Deployment) -> Iterator[dict[str, Visitor]]:
    """Return all kinds of callers."""
    address = target_house.process.open_at
    made = {name: Visitor(address).sign_in(person) for name, person in NAMES.items()}
    made["anybody"] = Visitor(address)
    made["read token"] = made["player"].with_token("read")
    boss = target_house.visitor("demo-manager")
    for name in ("closed", "ended"):
        person = f"boss-{name}"
        done(boss.post("/people", {"name": person, "roles": [{"role": "manager"}]}), 201)
        link = done(boss.post(f"/people/{person}/link"), 201)["link"]
        made[name] = Visitor(address)
        code = link.partition("#code=")[2]
        done(made[name].post("/sign-in/link", {"code": code, "password": "green felt and nine dice"}))
    made["half"], made["locked"] = half_signed_in(boss), Visitor(address).sign_in(NAMES["dealer"])
    policy = {**boss.get_json("/policy"), "lock_minutes": 120}
    del policy["money"]
    done(boss.ask("PUT", "/policy", json=policy))
    assert made["locked"].post("/me/lock").status_code == 204
    stored = dict(made["ended"].http.cookies)
    assert made["ended"].post("/sign-out").status_code == 204
    made["ended"].http.cookies.update(stored)
    done(boss.post("/people/boss-closed/deactivation", {"words": "gone"}))
    yield made
    for one in made.values():
        one.close()


def half_signed_in(boss: Visitor) -> Visitor:
    """Return a manager who has given the password but not the second factor."""
    done(boss.post("/people", {"name": "boss-half", "roles": [{"role": "manager"}]}), 201)
    code = done(boss.post("/people/boss-half/link"), 201)["link"].partition("#code=")[2]
    with Visitor(boss.address) as owner:
        done(owner.post("/sign-in/link", {"code": code, "password": "green felt and nine dice"}))
        owner.add_app("phone")
    return Visitor(boss.address).sign_in("boss-half", "green felt and nine dice")


def operations(address: str) -> list[str]:
    """Return every operation of the API."""
    document = loopback.get(f"{address}/api/v1/openapi.json").json()
    listed = [f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item]
    return [*sorted(listed, key=lambda one: one.split()[1]), *UNLISTED]


def answer_to(asker: Visitor, operation: str) -> httpx.Response:
    """Return the status of an operation for a caller."""
    method, path = operation.split()
    for name, value in PATHS.items():
        path = path.replace(f"{{{name}}}", value)
    place = path.removeprefix("/api/v1") if path.startswith("/api/v1") else f"{asker.address}{path}"
    body = BODIES.get(operation)
    headers = {"Authorization": f"Bearer {asker.token}"} if asker.token else {"X-CSRF-Token": asker.csrf or ""}
    return asker.http.request(method, place + QUERIES.get(operation, ""), headers=headers, json=body)


def command_to(asker: Visitor, command: dict[str, Any]) -> httpx.Response:
    return asker.post(f"/tables/{TABLE}/commands", {"command": command})


def matrix(askers: dict[str, Visitor]) -> str:
    """Return the whole page."""
    requests: dict[str, Callable[[Visitor], httpx.Response]] = {}
    for operation in operations(askers["anybody"].address):
        if operation not in LEFT_OUT:
            requests[operation] = partial(answer_to, operation=operation)
    setup = askers["anybody"].table(TABLE)["rules"]["setup"]
    COMMANDS["ChangeSetup"]["setup"] = {**setup, "facility": " "}
    for name, command in COMMANDS.items():
        requests[f"command: {name}"] = partial(command_to, command=command)
    rows = [[label, *(str(ask(askers[name]).status_code) for name in ASKERS)] for label, ask in requests.items()]
    head = ["", *ASKERS]
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    lines = [
        "# Who may ask what over HTTP",
        "",
        "Made by asking a demo house (`tests/server/attack/test_rights.py`). What is asked is in good form and of no",
        "effect: 401 and 403 say that somebody may not ask it at all, anything else that they may.",
        f"`{{table}}` is {TABLE}, `{{name}}` and other names are of nothing that there is.",
        "",
        *(f"- {name}: {says}" for name, says in ASKERS.items()),
        "",
        *(
            "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |"
            for row in (head, ["-" * width for width in widths], *rows)
        ),
        "",
        "Not asked here:",
        "",
        *(f"- {operation}: {why}" for operation, why in LEFT_OUT.items()),
    ]
    return "\n".join(lines) + "\n"


def test_the_rights_matrix_is_the_one_on_paper(askers: dict[str, Visitor], update: bool) -> None:
    now = matrix(askers)
    if update:
        MATRIX.write_text(now, encoding="utf-8")
    assert MATRIX.read_text(encoding="utf-8") == now, "read the difference, then run this test with --update"


def test_closed_accounts_and_ended_sessions_have_the_rights_of_a_visitor() -> None:
    rows = [line.split("|")[2:-1] for line in MATRIX.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    names = [cell.strip() for cell in rows[0]]
    for row in rows[2:]:
        cells = dict(zip(names, (cell.strip() for cell in row), strict=True))
        assert cells["closed"] == cells["ended"] == cells["anybody"]


SECOND_STEP = (
    "GET /api/v1/me",
    "POST /api/v1/me/second-factor",
    "POST /api/v1/me/second-factor/challenge",
)
"""What a session may ask for that lacks its second factor; besides, it may end."""
WHILE_LOCKED = (
    "POST /api/v1/me/second-factor/challenge",
    "POST /api/v1/me/unlock",
    "POST /api/v1/tables/{table}/trial",
)
"""What a locked session may ask for beyond reading; besides, it may end."""


def rows_of_matrix() -> dict[str, dict[str, str]]:
    """The responses by operation and caller."""
    rows = [line.split("|")[1:-1] for line in MATRIX.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    names = [cell.strip() for cell in rows[0]]
    return {row[0].strip(): dict(zip(names[1:], (cell.strip() for cell in row[1:]), strict=True)) for row in rows[2:]}


def test_a_session_without_its_second_factor_is_anonymous() -> None:
    rows = rows_of_matrix()
    assert set(SECOND_STEP) <= set(rows)
    for operation, answers in rows.items():
        if operation not in SECOND_STEP:
            assert answers["half"] == answers["anybody"], operation


def test_a_locked_session_reads_as_before_and_changes_nothing() -> None:
    rows = rows_of_matrix()
    assert set(WHILE_LOCKED) <= set(rows)
    for operation, answers in rows.items():
        reads = operation.startswith("GET ") or operation in WHILE_LOCKED
        if reads or answers["dealer"] == answers["anybody"]:
            assert answers["locked"] in (answers["dealer"], "423"), operation
        else:
            assert answers["locked"] == "423", operation
        if operation.startswith("GET "):
            assert answers["locked"] != "423", operation


# ---------------------------------------------------------------- what nobody may see of others


def of_others(value: Any) -> Any:
    """Return decoded JSON without the caller's own refused requests, which may have named others."""
    if isinstance(value, list):
        return [of_others(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("mine") is True and "refusal" in (value.get("event") or ()):
        return None
    return {key: of_others(item) for key, item in value.items()}


def text_of_others(response: httpx.Response) -> str:
    """Return the text of a response, if it is JSON without the caller's own refused requests."""
    if "json" not in response.headers.get("content-type", ""):
        return response.text
    return json.dumps(of_others(response.json()))


def test_players_and_visitors_see_no_names_or_money_of_others(
    target_house: Deployment, askers: dict[str, Visitor]
) -> None:
    ben, chen = target_house.visitor("demo-ben"), target_house.visitor("demo-chen")
    done(ben.bets(TABLE, "small=777"))
    done(chen.bets(TABLE, "big=888"))
    assert ben.bets(TABLE, "none=1").status_code == 422
    consented(target_house.visitor("demo-dealer"), ben, TABLE, "BuyIn", amount=123_456)
    balance = str(ben.balance(TABLE))
    for name in ("anybody", "player", "read token"):
        asker = askers[name]
        for operation in operations(asker.address):
            if not operation.startswith("GET") or operation in (*LEFT_OUT, *UNLISTED, "GET /api/v1/demo"):
                continue
            text = text_of_others(answer_to(asker, operation))
            assert not re.search(r"demo-(?!ann)", text), f"{name}: {operation}"
            assert "123456" not in text
            assert balance not in text
        with asker.watch(TABLE, 0) as watching:
            watching.until_id(ben.table(TABLE)["sequence"])
            seen = json.dumps([of_others(frame.data) for frame in watching.frames])
            assert not re.search(r"demo-(?!ann)", seen)
            assert "123456" not in watching.text


def test_a_token_for_play_alone_shows_its_dealer_no_more_than_any_player(target_house: Deployment) -> None:
    with Visitor(target_house.process.open_at).sign_in("demo-dealer") as dealer:
        assert dealer.table(TABLE)["staff"] is not None
        program = dealer.with_token("play")
    with program:
        assert program.table(TABLE)["staff"] is None
        done(target_house.visitor("demo-chen").bets(TABLE, "small=100"))
        for path in ("events", "rounds/1"):
            assert "demo-chen" in target_house.visitor("demo-dealer").get(f"/tables/{TABLE}/{path}").text
            assert "demo-chen" not in program.get(f"/tables/{TABLE}/{path}").text


def test_figures_and_logs_and_the_reference_name_nobody(target_house: Deployment) -> None:
    address = target_house.process.open_at
    done(target_house.visitor("demo-ben").bets(TABLE, "small=100"))
    for path in ("/metrics", "/api/v1/reference", "/api/v1/openapi.json", "/problems"):
        text = loopback.get(f"{address}{path}").text
        assert "demo-ben" not in text
        assert str(target_house.folder) not in text


# ---------------------------------------------------------------- acting as someone else


@pytest.mark.parametrize(
    "role", ["dealer", "manager", "tumbler", "server", "auditor", "shooter", "", "casino-supervisor"]
)
def test_nobody_acts_in_a_role_that_they_do_not_hold(target_house: Deployment, role: str) -> None:
    ann = target_house.visitor("demo-ann")
    answer = ann.command(TABLE, "TakeStep", role=role, step="close")
    assert answer.status_code == 403
    assert ann.command(TABLE, "PlaceBets", role=role, bets=[{"wager": "small", "amount": 100}]).status_code == 403


def test_a_dealer_of_other_tables_has_no_role_here(target_house: Deployment) -> None:
    stranger = target_house.visitor("demo-base-dealer")
    assert stranger.command(TABLE, "TakeStep", role="base-dealer", step="close").status_code == 403
    assert stranger.command(TABLE, "TakeStep", role="dealer", step="close").status_code == 403
    assert stranger.table(TABLE)["staff"] is None


def test_a_manager_neither_bets_nor_deals(target_house: Deployment) -> None:
    manager = target_house.visitor("demo-manager")
    assert manager.bets(TABLE, "small=100").status_code == 403
    for role in (None, "manager", "player"):
        bets = [{"wager": "small", "amount": 100}]
        assert manager.command(TABLE, "PlaceBets", role=role, bets=bets).status_code == 403
        assert manager.command(TABLE, "PlaceBets", role=role, bets=bets, player="demo-ann").status_code == 403
        assert manager.command(TABLE, "TakeStep", role=role, step="close").status_code == 403
    response = manager.post("/people/demo-manager/roles", {"role": "player"})
    assert refused(response, "own-act", 403)


@pytest.mark.parametrize("kind", ["CommitSeed", "CloseBetting", "RevealSeed", "ReportTumbler"])
@pytest.mark.parametrize("name", ["demo-manager", "demo-pit-manager", "demo-ann"])
def test_nobody_is_the_tumbler(target_house: Deployment, kind: str, name: str) -> None:
    for role in (None, "tumbler"):
        body = {"command": COMMANDS[kind], "role": role}
        assert target_house.visitor(name).post("/tables/singapore/commands", body).status_code == 403
    assert target_house.visitor("demo-manager").post("/people", {"name": "electronic tumbler"}).status_code == 422
    eve = {"name": "eve", "roles": [{"role": "tumbler"}]}
    assert refused(target_house.visitor("demo-manager").post("/people", eve), "unknown-role", 422)


def test_nobody_bets_with_the_money_of_another(target_house: Deployment) -> None:
    ann, before = target_house.visitor("demo-ann"), target_house.visitor("demo-ben").balance(TABLE)
    for kind, more in (
        ("PlaceBets", {"bets": [{"wager": "small", "amount": 100}]}),
        ("BuyIn", {"amount": 100}),
        ("CashOut", {"amount": 100}),
        ("Withdraw", {}),
    ):
        assert refused(ann.command(TABLE, kind, player="demo-ben", **more), "wrong-role", 403)
    assert target_house.visitor("demo-ben").balance(TABLE) == before


def test_staff_of_an_automatic_table_do_not_play_for_its_players(target_house: Deployment) -> None:
    before = target_house.visitor("demo-ben").balance("singapore")
    for name in ("demo-dealer", "demo-pit-manager", "demo-gaming-shift-manager"):
        staff = target_house.visitor(name)
        bets = [{"wager": "small", "amount": 100}]
        for kind, more in (("PlaceBets", {"bets": bets}), ("CashOut", {"amount": 100}), ("BuyIn", {"amount": 100})):
            answer = staff.command("singapore", kind, player="demo-ben", **more)
            assert answer.status_code in (403, 409), (kind, answer.text)
    assert target_house.visitor("demo-ben").balance("singapore") == before


# ---------------------------------------------------------------- approvals


def test_an_approval_is_given_by_someone_else_who_works_at_that_table(target_house: Deployment) -> None:
    first, second = target_house.visitor("demo-casino-supervisor"), target_house.visitor("demo-casino-supervisor-2")
    named = {"name": second.name, "role": "casino-supervisor"}
    number = done(first.command(TABLE, "Fill", amount=1_000, second=named), 202)["approval"]
    for name in ("demo-ann", "demo-auditor", "demo-base-dealer", "demo-pit-manager", "demo-casino-supervisor"):
        assert target_house.visitor(name).approve(number).status_code == 403, name
        for role in ("casino-supervisor", "dealer", "manager"):
            assert target_house.visitor(name).approve(number, role=role).status_code == 403, (name, role)
    displayed = next(one for one in second.get_json("/approvals")["approvals"] if one["id"] == number)
    assert (displayed["command"]["type"], displayed["command"]["amount"], displayed["asker"]) == (
        "Fill",
        1_000,
        first.name,
    )
    assert done(second.approve(number))["events"] == ["Filled"]
    assert refused(target_house.visitor("demo-dealer").approve(number), "approval-over", 409)
    last = target_house.visitor("demo-auditor").get_json(f"/journal/{TABLE}?kind=Filled")["entries"][-1]
    assert last["actor"] == first.name


def test_one_person_with_two_roles_is_still_one_person(target_house: Deployment) -> None:
    manager, twice = target_house.visitor("demo-manager"), target_house.visitor("demo-casino-supervisor")
    done(manager.post(f"/people/{twice.name}/roles", {"role": "dealer", "table": TABLE}))
    waiting = done(twice.command(TABLE, "Fill", role="casino-supervisor", amount=1_000, second=SECOND), 202)
    for role in ("dealer", "casino-supervisor", None):
        assert refused(twice.approve(waiting["approval"], role=role), "own-act", 403)
    done(manager.ask("DELETE", f"/people/{twice.name}/roles?role=dealer&table={TABLE}"))


def test_the_book_and_not_the_requester_decides_who_confirms_a_step(target_house: Deployment) -> None:
    dealer = target_house.visitor("demo-dealer")
    confirmed = {"name": "demo-ann", "role": "player"}
    waiting = dealer.command(TABLE, "TakeStep", step="close", confirmed_by=confirmed)
    if waiting.status_code == 202:
        answer = target_house.visitor("demo-ann").approve(waiting.json()["approval"])
        assert answer.status_code in (403, 409, 422), answer.text


def test_an_approval_ends_with_the_role_of_its_requester(target_house: Deployment) -> None:
    manager, first = target_house.visitor("demo-manager"), target_house.visitor("demo-casino-supervisor-2")
    waiting = done(first.command(TABLE, "Fill", amount=5_000, second=SECOND), 202)
    done(manager.ask("DELETE", f"/people/{first.name}/roles?role=casino-supervisor&table={TABLE}"))
    answer = target_house.visitor("demo-casino-supervisor").approve(waiting["approval"])
    assert refused(answer, "wrong-role", 403)
    done(manager.post(f"/people/{first.name}/roles", {"role": "casino-supervisor", "table": TABLE}))


def test_the_requester_cannot_use_up_the_key_of_what_is_approved(target_house: Deployment) -> None:
    first, second = target_house.visitor("demo-casino-supervisor"), target_house.visitor("demo-casino-supervisor-2")
    number = done(first.command(TABLE, "Fill", amount=1_000, second=SECOND), 202)["approval"]
    for who in (first, target_house.visitor("demo-ann")):
        who.command(TABLE, "StartShift", shift="night", key=f"approval {number}")
        who.bets(TABLE, "small=100", key=f"approval {number}")
    assert done(second.approve(number))["events"] == ["Filled"]
