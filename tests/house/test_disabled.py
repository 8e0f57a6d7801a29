"""Books in the journal, and tables that do not run: each for itself, on both databases."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import apsw
import psycopg
import pytest

from pitbook.audit import audit
from pitbook.house.disabled import TableDisabled
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.chain import link
from pitbook.journal.decisions import Event
from pitbook.messages import compose
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import PACKAGED, digest, load
from pitbook.rulebooks.editions import Editions
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import MANAGER, JournalTable
from tests.journal.conftest import ON_SQLITE
from tests.unit.test_editions import OWN

PAGE = 4096
EVERYTHING = {
    "sqlite": (
        "PRAGMA recursive_triggers = off",
        "DROP TRIGGER entries_not_updated",
        "DROP TRIGGER attachments_not_updated",
    ),
    "postgresql": (
        "GRANT UPDATE ON entries, attachments TO CURRENT_USER",
        "ALTER TABLE entries DISABLE TRIGGER USER",
        "ALTER TABLE attachments DISABLE TRIGGER USER",
    ),
}


def tampered(where: str, statement: str) -> None:
    """A change by someone who owns the database and takes its guards away first."""
    if where.startswith("postgresql"):
        with psycopg.connect(where, autocommit=True) as connection:
            for one in (*EVERYTHING["postgresql"], statement):
                connection.execute(one.encode())
        return
    with closing(apsw.Connection(where)) as connection:
        for one in (*EVERYTHING["sqlite"], statement):
            connection.execute(one)


def house_with_two_tables(where: str) -> None:
    with House(open_store(where)) as house:
        for name in ("t1", "t2"):
            JournalTable(house, "dice-ology", name).buy_in("ann")


@pytest.mark.parametrize("book", PACKAGED)
def test_a_book_is_the_same_when_it_is_read_from_its_text_in_the_journal(book: str) -> None:
    rules = load(book)
    text = Editions().text_of(book, rules.digest)
    assert text is not None
    assert digest(json.loads(text)["book"]) == rules.digest
    editions = Editions()
    assert editions.add_recorded(text, rules.digest)
    again = editions.recorded("no-such-name", rules.digest, {}, {}, sha256(text).hexdigest())
    assert list(again.every) == list(rules.every)
    assert again.wagers == rules.wagers
    assert (again.identity, again.procedure, again.layout) == (rules.identity, rules.procedure, rules.layout)


def test_an_opening_keeps_the_text_of_its_book_and_names_it(where: str) -> None:
    with House(open_store(where)) as house:
        JournalTable(house, "dice-ology")
        setup = house.table("t1").setup
        assert setup is not None
        text = house.store.attachment(setup.digest)
        assert text is not None
        assert sha256(text).hexdigest() == setup.text
        assert digest(json.loads(text)["book"]) == setup.digest
        assert house.store.attachment("0" * 64) is None


def test_a_licensees_book_goes_with_the_one_that_it_extends(where: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(OWN.replace("harbour-sic-bo", "kept-with-its-base"), encoding="utf-8")
    with House(open_store(where)) as house:
        book = house.books.editions.add_file(own)
        own.unlink()
        answer = house.ask("t1", MANAGER, c.OpenTable(c.Setup(book.id, book.digest, "Harbour", "USD")))
        assert answer.refused is None, answer
        text = house.store.attachment(book.digest)
        assert text is not None
        assert json.loads(text)["extends"]["book"]["id"] == "massachusetts-sic-bo"
    assert audit(where).good  # without the file


def test_a_broken_chain_disables_its_table_and_no_other(where: str) -> None:
    house_with_two_tables(where)
    tampered(where, "UPDATE entries SET actor = 'mallory' WHERE table_name = 't1' AND sequence = 3")
    with House(open_store(where)) as house:
        house.check_tables()
        assert list(house.disabled) == ["t1"]
        assert house.disabled["t1"].cause == "record"
        assert "entry 3: its content does not match its hash" in house.disabled["t1"].says
        assert "restore a backup" in house.disabled["t1"].says
        assert house.tables() == ["t2"]
        with pytest.raises(TableDisabled):
            house.table("t1")
        with pytest.raises(TableDisabled):
            house.ask("t1", Person("ann", "player"), c.BuyIn(100))
        assert house.ask("t2", Person("ann", "player"), c.BuyIn(100)).refused is None
        assert house.roles() >= {"player"}


def test_a_disabled_table_keeps_no_other_from_following_the_clock(where: str) -> None:
    now = [datetime(2026, 4, 1, 12, tzinfo=UTC)]
    with House(open_store(where), clock=lambda: now[0]) as house:
        house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
        for name in ("t1", "t2"):
            JournalTable(house, "dice-ology", name)
        now[0] -= timedelta(days=30)
        house.disable("t1", "lost", compose("alarms.detail.text", text="entries are missing"))
        assert house.accept_clock(MANAGER, "the battery was empty").refused is None
        assert (house.ahead(), house.warnings()) == ({}, [])
        assert house.ask("t2", MANAGER, c.StartDay("after")).refused is None


def test_an_entry_that_cannot_be_decoded_disables_its_table_and_no_other(where: str) -> None:
    house_with_two_tables(where)
    with House(open_store(where)) as house:
        head = house.store.head("t1")
    store = open_store(where)
    with closing(store), store.transaction() as unit:
        body = b'{"type":"FromTheFuture"}'
        at = "2100-01-01T00:00:00.000000+00:00"
        unit.lock("t1")
        unit.queue([link(head, "t1", Event("FromTheFuture", body), actor="ann", role="player", at=at)])
    with House(open_store(where)) as house:
        house.check_tables()
        assert [(name, one.cause) for name, one in house.disabled.items()] == [("t1", "record")]
        assert house.tables() == ["t2"]


def test_a_text_that_was_changed_is_found_by_the_auditor_and_the_right_one_used(where: str) -> None:
    house_with_two_tables(where)
    wanted = load("dice-ology").digest
    text = Editions().text_of("dice-ology", wanted)
    assert text is not None
    other = text.replace(b'"dice-ology"', b'"dice-0logy"', 1).hex()
    value = f"decode('{other}', 'hex')" if where.startswith("postgresql") else f"x'{other}'"
    tampered(where, f"UPDATE attachments SET content = {value}")
    assert not Editions().add_recorded(bytes.fromhex(other), wanted)
    found = [str(finding) for finding in audit(where).findings if finding.about == "book"]
    assert len(found) == 1
    assert found[0].startswith(f"the journal (book): the stored text of the book {wanted} has the digest")
    with House(open_store(where)) as house:  # the packaged book is the one that was recorded
        house.check_tables()
        assert not house.disabled


def test_a_text_in_another_order_is_not_the_recorded_one(where: str) -> None:
    with House(open_store(where)) as house:
        JournalTable(house, "dice-ology")
        text = house.store.attachment(load("dice-ology").digest)
        assert text is not None
    data = json.loads(text)
    turned = json.dumps({**data, "book": dict(reversed(data["book"].items()))}, separators=(",", ":"))
    other = turned.encode().hex()
    value = f"decode('{other}', 'hex')" if where.startswith("postgresql") else f"x'{other}'"
    tampered(where, f"UPDATE attachments SET content = {value}")
    found = [finding for finding in audit(where).findings if finding.about == "book"]
    assert [finding.table for finding in found] == ["t1"]
    assert "is not the one that was recorded" in found[0].why


@ON_SQLITE
def test_a_damaged_page_of_one_table_disables_it_and_no_other(where: str) -> None:
    with House(open_store(where)) as house:
        for name in ("t1", "t2"):
            table = JournalTable(house, "dice-ology", name)
            for day in range(100):
                table.does(MANAGER, c.StartDay(f"{name} day {day}"))
    content = bytearray(Path(where).read_bytes())
    page = content.index(b"t1 day 50") // PAGE
    content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    Path(where).write_bytes(content)
    with House(open_store(where)) as house:
        house.check_tables()
        assert [(name, one.cause) for name, one in house.disabled.items()] == [("t1", "record")]
        assert "the file is damaged" in house.disabled["t1"].says
        assert house.ask("t2", MANAGER, c.StartDay("after")).refused is None
