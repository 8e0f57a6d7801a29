"""The first start of a house, and the second."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

import httpx

from pitbook.journal.entries import HOUSE
from pitbook.server.demo import PASSWORD, TABLES
from tests.server.whole.clients import Visitor, done, refused
from tests.server.whole.deployment import Deployment, Process, body, link_of


def use(process: Process, code: str, **more: str) -> httpx.Response:
    with Visitor(process.open_at) as user:
        return user.post("/sign-in/link", {"code": code, **more})


def test_a_demo_house_prints_its_address_and_a_link_that_signs_the_manager_in_once(
    make_deployment: Callable[..., Deployment],
) -> None:
    deployment = make_deployment()
    process = deployment.start()
    assert process.open_at.startswith("http://127.0.0.1:")
    code = link_of(process, "sign in")
    with Visitor(process.open_at) as manager:
        me = done(manager.post("/sign-in/link", {"code": code}))
        assert (me["name"], me["roles"]) == ("demo-manager", [{"role": "manager", "table": None}])
        assert manager.get_json("/me")["session"]["by"] == "link"
        tables = {one["id"]: one for one in manager.get_json("/tables")}
        names = {one["name"] for one in manager.get_json("/people?limit=500")["people"]}
    assert use(process, code).status_code == 401
    assert set(tables) == set(TABLES)
    assert {name for name, one in tables.items() if one["automatic"]} == {"singapore", "dice-ology", "craps-automatic"}
    assert all(one["open"] and one["phase"] == "betting" for one in tables.values())
    assert {"demo-manager", "demo-auditor", "demo-ann", "demo-ben", "demo-dealer", "demo-stick-person"} <= names
    assert code not in process.log.read_text(encoding="utf-8")
    assert code.encode() not in (deployment.folder / "house.db").read_bytes()
    assert process.stop() == 0


def test_a_second_start_keeps_bets_balances_and_people_and_makes_no_second_demo(
    make_deployment: Callable[..., Deployment],
) -> None:
    deployment = make_deployment()
    first = deployment.start()
    ann, manager = deployment.visitor("demo-ann"), deployment.visitor("demo-manager")
    done(ann.bets("massachusetts", "small=500", "total/4=200"))
    done(manager.post("/people", {"name": "zoe", "roles": [{"role": "player"}]}), 201)
    before = ann.table("massachusetts")
    people, balances = manager.get_json("/people?limit=500"), deployment.balances()
    old_link = link_of(first, "sign in")
    assert first.stop() == 0

    second = deployment.start()
    ann, manager = deployment.visitor("demo-ann"), deployment.visitor("demo-manager")
    after = ann.table("massachusetts")
    assert (after["mine"], after["view"]["stakes"]) == (before["mine"], before["view"]["stakes"])
    assert after["sequence"] == before["sequence"], "nothing happens to a table while a house is closed"
    assert (manager.get_json("/people?limit=500"), deployment.balances()) == (people, balances)
    kinds = [entry.kind for entry in deployment.record(HOUSE)]
    assert kinds.count("ServerStarted") == 2
    assert kinds.count("ServerStopped") == 1
    starts = [body(entry) for entry in deployment.record(HOUSE) if entry.kind == "ServerStarted"]
    assert [start["clean_before"] for start in starts] == [True, True]
    assert use(second, old_link).status_code == 200, "a link is good for a day, whatever is restarted"
    assert use(second, link_of(second, "sign in")).status_code == 200
    assert second.stop() == 0
    deployment.audited()


def test_without_a_demo_there_is_nothing_but_the_first_manager_by_the_link(
    make_deployment: Callable[..., Deployment],
) -> None:
    deployment = make_deployment()
    process = deployment.start(demo=False)
    assert not any("demo" in line for line in process.lines)
    code = link_of(process, "sign in")
    with Visitor(process.open_at) as nobody:
        assert nobody.get_json("/tables") == []
        refused(nobody.post("/register", {"name": "eve", "password": "eleven dice in a row"}), "no-registration", 403)
    assert use(process, code).status_code in (400, 422), "the first manager needs a name and a password"
    chosen = {"name": "grace", "shown": "Grace", "password": "eleven dice in a row"}
    me = done(use(process, code, **chosen))
    assert (me["name"], me["roles"], me["second_factor"]) == ("grace", [], "enrol")
    assert use(process, code, name="eve", password="twelve dice in a row").status_code == 401
    with Visitor(process.open_at).sign_in("grace", chosen["password"]) as grace:
        assert grace.get("/people").status_code == 401, "a second factor comes first"
        me = grace.add_app("phone")["me"]
        assert me["roles"] == [{"role": "manager", "table": None}]
        assert [one["name"] for one in grace.get_json("/people")["people"]] == ["grace"]
        assert grace.get_json("/tables") == []
    assert process.stop() == 0

    again = deployment.start()  # a house with a manager never becomes a demo, whatever the options
    assert not any("sign-in" in line for line in again.lines)
    with Visitor(again.open_at) as nobody:
        assert nobody.get_json("/tables") == []
    assert again.stop() == 0
    deployment.audited()


def test_a_damaged_house_record_stops_the_start_with_one_sentence(make_deployment: Callable[..., Deployment]) -> None:
    deployment = make_deployment()
    assert deployment.start().stop() == 0
    with closing(sqlite3.connect(deployment.folder / "house.db")) as database, database:
        database.execute("DROP TRIGGER entries_not_updated")
        database.execute("UPDATE entries SET actor = 'nobody' WHERE table_name = 'house' AND sequence = 2")
    code, output = deployment.begin().ended()
    assert code == 2
    assert "the record is damaged: table 'house', entry 2: its content does not match its hash" in output
    assert "Traceback" not in output


def test_a_sealing_key_that_others_may_read_stops_the_start_with_one_sentence(
    make_deployment: Callable[..., Deployment],
) -> None:
    deployment = make_deployment()
    assert deployment.start(demo=False).stop() == 0
    (deployment.folder / "sealing.key").chmod(0o644)
    code, output = deployment.begin(demo=False).ended()
    assert code == 2
    assert output.splitlines()[-1].endswith("restrict it with chmod 600")
    assert "Traceback" not in output


def test_a_demo_journal_is_not_exposed_until_its_accounts_are_disabled(
    make_deployment: Callable[..., Deployment],
) -> None:
    deployment = make_deployment()
    assert deployment.start().stop() == 0
    behind_a_proxy = {"PITBOOK_TRUSTED_PROXIES": "127.0.0.1"}
    refused_start = deployment.begin(demo=False, **behind_a_proxy)
    assert refused_start.process.wait() == 2
    assert "still have the published password" in refused_start.log.read_text(encoding="utf-8")

    ran = deployment.run("disable-demo", deployment.place, "--json")
    assert ran.returncode == 0, ran.stderr
    assert "demo-manager" in json.loads(ran.stdout)["disabled"]

    exposed = deployment.start(demo=False, **behind_a_proxy)
    with Visitor(exposed.open_at) as stranger:
        assert stranger.post("/sign-in", {"name": "demo-manager", "password": PASSWORD}).status_code == 401
    new = "eleven dice in a row"
    assert use(exposed, link_of(exposed, "sign in"), password=new).status_code == 200
    assert exposed.stop() == 0
