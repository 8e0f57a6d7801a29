"""Numbers of tables on the floor: the house gives them, and no two open tables have the same."""

from __future__ import annotations

from pitbook.server.demo import TABLES
from tests.server.whole.clients import done
from tests.server.whole.deployment import Deployment


def test_the_demo_house_numbers_its_tables_and_no_other_gets_a_number_in_use(demo_house: Deployment) -> None:
    manager = demo_house.visitor("demo-manager")
    given = {table: number for number, table in enumerate(TABLES, 1)}
    for tables in (manager.get_json("/tables"), manager.get_json("/floor")["tables"]):
        assert {one["id"]: one["number"] for one in tables if one["id"] in TABLES} == given
    setup = manager.table("maryland")["rules"]["setup"]
    assert setup["number"] == 2

    refused = manager.command("numbered", "OpenTable", setup=setup)
    assert refused.status_code == 422
    taken = "Another open table (Table 2 · Sic Bo (MD)) has the number 2. Choose another number."
    assert (refused.json()["detail"], refused.json()["refusal"]) == (taken, "configuration")
    assert refused.json()["message"]["params"] == {"number": 2, "table": "maryland"}
    done(manager.command("numbered", "OpenTable", setup={**setup, "number": None}))
    assert manager.table("numbered")["rules"]["setup"]["number"] is None
    assert manager.command("numbered", "ChangeSetup", setup={**setup, "number": 3}).status_code == 422
    done(manager.command("numbered", "ChangeSetup", setup={**setup, "number": 80}))
    assert manager.command("maryland", "ChangeSetup", setup={**setup, "number": 80}).status_code == 422

    done(manager.command("numbered", "CloseTable"))
    done(manager.command("maryland", "ChangeSetup", setup={**setup, "number": 80}))  # a closed table needs none
    done(manager.command("maryland", "ChangeSetup", setup=setup))


def test_a_reason_names_a_table_as_the_pages_do(demo_house: Deployment) -> None:
    """Its parameters have the id, and a table that doesn't exist is called what the request calls it."""
    manager = demo_house.visitor("demo-manager")
    missing = manager.get("/tables/massachusetts/rounds/999")
    assert missing.json()["detail"] == "Table 1 · Sic Bo (MA) has had no round 999"
    assert missing.json()["message"]["params"] == {"table": "massachusetts", "round": 999}
    nowhere = manager.get("/journal/nowhere/rounds/999")
    assert nowhere.json()["detail"] == "table 'nowhere' has had no round 999"
    manager.http.headers["Accept-Language"] = "zh-TW"
    assert manager.get("/tables/massachusetts/rounds/999").json()["detail"].startswith("1 號檯 · ")
