"""Accounts and roles: who may be whom, and who says so."""

from __future__ import annotations

import pytest

from pitbook.people import commands as c
from pitbook.people.decide import Context, decide
from pitbook.people.names import name_problem
from pitbook.people.refusals import Reason, Refusal
from pitbook.people.values import Grant, Policy
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, FLO, MAX, MIA, SERVER, START, PeopleInMemory, make_people

VISITOR = Person("bob", "visitor")


def test_the_server_adds_the_first_manager_and_nobody_else() -> None:
    house = PeopleInMemory()
    house.refused(SERVER, c.AddPerson("ann", "Ann", (Grant("player"),)), Reason.WRONG_ROLE)
    house.refused(SERVER, c.AddPerson("max", "Max", (Grant("manager", "t1"),)), Reason.WRONG_ROLE)
    house.refused(Person("max", "server"), c.AddPerson("max", "Max", (Grant("manager"),)), Reason.WRONG_ROLE)
    house.refused(MAX, c.AddPerson("max", "Max", (Grant("manager"),)), Reason.UNKNOWN_PERSON)
    house.does(SERVER, c.AddPerson("max", "Max", (Grant("manager"),)))
    house.refused(SERVER, c.AddPerson("mia", "Mia", (Grant("manager"),)), Reason.WRONG_ROLE)
    assert house.people.managers() == ["max"]


@pytest.mark.parametrize("name", ["ann", "Ann.Li-2_x", "7up", "Zoë", "李小龙", "さくら", "김철수", "x" * 40])
def test_names_that_people_have(name: str) -> None:
    assert name_problem(name) is None
    make_people().does(MAX, c.AddPerson(name + "2" if name == "ann" else name, "somebody"))


@pytest.mark.parametrize(
    "name",
    [
        *("", "x" * 41, "ann lee", "..", ".ann", "-", "ann/../max", "ann\n", "ann\0", "ann:SGD", "a\u200bnn"),
        *(
            "\u0430nn",
            "\uff41nn",
            "a\u0308nn",
            "\N{OHM SIGN}",
            "\N{LATIN SMALL LETTER LONG S}am",
            "1\u0662",
            "ann\N{RIGHT-TO-LEFT OVERRIDE}",
            "\ud800",
        ),
    ],
)
def test_names_that_nobody_gets(name: str) -> None:
    make_people().refused(MAX, c.AddPerson(name, "somebody"), Reason.BAD_NAME)


@pytest.mark.parametrize("name", ["house", "HOUSE", "journal", "System", "server", "electronic tumbler", "cage"])
def test_reserved_names_belong_to_no_one_and_no_one_is_shown_under_them(name: str) -> None:
    make_people().refused(MAX, c.AddPerson(name, "somebody"), Reason.RESERVED_NAME)
    make_people().refused(MAX, c.AddPerson("bob", name), Reason.RESERVED_NAME)


@pytest.mark.parametrize("shown", ["", " ", "x" * 61, "a\nb", " ann", "a\u202eb"])
def test_people_are_shown_by_a_short_printable_line(shown: str) -> None:
    make_people().refused(MAX, c.AddPerson("bob", shown), Reason.BAD_NAME)


def test_two_people_never_differ_by_case_alone() -> None:
    house = make_people()
    house.refused(MAX, c.AddPerson("ANN", "Ann"), Reason.NAME_TAKEN)
    house.does(MAX, c.AddPerson("Straße", "s"))
    house.refused(VISITOR, c.Register("STRASSE", "s"), Reason.NAME_TAKEN)
    assert house.account("strasse").name == "Straße"


def test_managers_only_and_only_in_the_whole_house() -> None:
    house = make_people()
    house.does(MAX, c.AddPerson("tom", "Tom", (Grant("manager", "t1"),)))
    for person in (DAN, ANN, SERVER, Person("dan", "manager"), Person("tom", "manager"), Person("MAX", "manager")):
        outcome = house.ask(person, c.GiveRole("flo", "dealer"))
        assert outcome.why in (Reason.WRONG_ROLE, Reason.UNKNOWN_PERSON)  # type: ignore[union-attr]
    for command in (c.Deactivate("ann", "x"), c.Reactivate("ann"), c.SetPolicy(Policy()), c.TakeRole("ann", "player")):
        house.refused(DAN, command, Reason.WRONG_ROLE)


def test_a_manager_who_was_deactivated_manages_nothing() -> None:
    house = make_people()
    house.does(MAX, c.AddPerson("mia", "Mia", (Grant("manager"),)))
    house.does(MAX, c.Deactivate("mia", "on leave"))
    house.refused(MIA, c.GiveRole("ann", "shooter"), Reason.INACTIVE)
    house.does(MAX, c.Reactivate("Mia"))
    house.does(MIA, c.GiveRole("ann", "shooter", "t2"))


def test_nobody_changes_their_own_roles() -> None:
    house = make_people()
    house.does(MAX, c.AddPerson("mia", "Mia", (Grant("manager"),)))
    house.refused(MAX, c.GiveRole("max", "dealer"), Reason.OWN_ACT)
    house.refused(MAX, c.GiveRole("MAX", "dealer"), Reason.OWN_ACT)
    house.refused(MAX, c.TakeRole("max", "manager"), Reason.OWN_ACT)
    house.does(MIA, c.TakeRole("max", "manager"))


def test_the_last_active_manager_stays() -> None:
    house = make_people()
    house.refused(MAX, c.Deactivate("max", "goodbye"), Reason.LAST_MANAGER)
    house.does(MAX, c.AddPerson("mia", "Mia", (Grant("manager"),)))
    house.does(MAX, c.Deactivate("max", "goodbye"))
    house.refused(MIA, c.Deactivate("mia", "me too"), Reason.LAST_MANAGER)
    assert house.people.managers() == ["mia"]


def test_a_table_manager_is_not_the_last_manager() -> None:
    house = make_people()
    house.does(MAX, c.AddPerson("tom", "Tom", (Grant("manager", "t1"),)))
    house.refused(MAX, c.Deactivate("max", "goodbye"), Reason.LAST_MANAGER)


def test_roles_are_those_of_the_books_and_the_house() -> None:
    house = make_people()
    text = house.refused(MAX, c.GiveRole("flo", "croupier"), Reason.UNKNOWN_ROLE).says
    assert "croupier" in text
    assert "floorperson" in text
    house.refused(MAX, c.GiveRole("flo", "dealer", "house"), Reason.BAD_NAME)
    house.refused(MAX, c.GiveRole("flo", "dealer", ""), Reason.BAD_NAME)
    house.refused(MAX, c.GiveRole("flo", "floorperson"), Reason.NOTHING_TO_DO)
    house.refused(MAX, c.TakeRole("flo", "floorperson", "t1"), Reason.NOTHING_TO_DO)
    house.refused(MAX, c.GiveRole("nobody", "dealer"), Reason.UNKNOWN_PERSON)


@pytest.mark.parametrize(
    "roles",
    [
        (Grant("auditor"), Grant("dealer", "t1")),
        (Grant("player", "t1"), Grant("auditor")),
        (Grant("player", "t1"), Grant("dealer", "t1")),
        (Grant("player"), Grant("dealer", "t1")),
        (Grant("dealer"), Grant("player", "t1")),
        (Grant("shooter", "t1"), Grant("box-person", "t1")),
        (Grant("manager"), Grant("player", "t1")),
        (Grant("player", "t1"), Grant("manager", "t2")),
    ],
)
def test_roles_that_one_person_cannot_hold(roles: tuple[Grant, Grant]) -> None:
    house = make_people()
    house.refused(MAX, c.AddPerson("bob", "Bob", roles), Reason.ROLES_CONFLICT)
    house.does(MAX, c.AddPerson("bob", "Bob", roles[:1]))
    house.refused(MAX, c.GiveRole("bob", roles[1].role, roles[1].table), Reason.ROLES_CONFLICT)


def test_roles_that_one_person_can_hold() -> None:
    grants = (Grant("player", "t2"), Grant("shooter", "t2"), Grant("dealer", "t1"), Grant("floorperson", "t1"))
    house = make_people()
    house.does(MAX, c.AddPerson("bob", "Bob", grants))
    bob = house.account("bob")
    assert bob.holds("dealer", "t1")
    assert not bob.holds("dealer", "t2")
    assert not bob.holds("dealer")
    assert house.account("flo").holds("floorperson", "t9")


def test_visitors_register_as_players_where_the_house_allows_it() -> None:
    house = make_people()
    house.does(VISITOR, c.Register("bob", "Bob"))
    assert house.account("bob").roles == (Grant("player"),)
    assert house.account("bob").created == house.at
    house.refused(VISITOR, c.Register("bob", "Bob"), Reason.NAME_TAKEN)
    house.refused(ANN, c.Register("ann2", "Ann"), Reason.WRONG_ROLE)
    house.does(MAX, c.SetPolicy(Policy(registration=False)))
    house.refused(VISITOR, c.Register("eve", "Eve"), Reason.NO_REGISTRATION)


def test_a_guest_plays_at_the_tables_that_are_named_and_nowhere_else() -> None:
    house = make_people()
    house.does(VISITOR, c.Register("guest-1", "Guest 1", ("t7", "t8")))
    assert house.account("guest-1").roles == (Grant("player", "t7"), Grant("player", "t8"))
    house.refused(VISITOR, c.Register("guest-2", "Guest 2", ("house",)), Reason.BAD_NAME)
    house.refused(VISITOR, c.Register("guest-2", "Guest 2", ("t7", "t7")), Reason.NOTHING_TO_DO)


def test_a_language_is_ones_own() -> None:
    house = make_people()
    house.does(ANN, c.ChooseLanguage("zh-Hant"))
    assert house.account("ann").language == "zh-Hant"
    house.refused(ANN, c.ChooseLanguage("../../x"), Reason.BAD_TEXT)
    house.refused(Person("bob", "player"), c.ChooseLanguage("en"), Reason.UNKNOWN_PERSON)
    house.does(ANN, c.ChooseLanguage(None))


def test_deactivation_needs_a_reason_in_one_line() -> None:
    house = make_people()
    house.refused(MAX, c.Deactivate("flo", ""), Reason.BAD_TEXT)
    house.refused(MAX, c.Deactivate("flo", "a\nb"), Reason.BAD_TEXT)
    house.does(MAX, c.Deactivate("flo", "has left"))
    house.refused(FLO, c.ChooseLanguage("en"), Reason.UNKNOWN_PERSON)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *(
            ("bob", "Demo manager"),
            ("bob", "Dealer 2"),
            ("bob", "Dea1er"),
            ("bob", "pit-boss"),
            ("bob", "P I T B O S S"),
        ),
        *(("bob", "DemoManager"), ("bob", "Managers"), ("bob", "Ðealer"), ("bob", "經 理"), ("bob", "荷·官")),
        *(("bob", "Floorperson"), ("bob", "荷官小李"), ("bob", "值班經理"), ("bob", "经理"), ("dealer", "Bob")),
    ],
)
def test_a_player_with_a_title_of_staff_is_refused(name: str, shown: str) -> None:
    house = make_people()
    for person, command in ((VISITOR, c.Register(name, shown)), (MAX, c.AddPerson(name, shown, (Grant("player"),)))):
        assert "is a staff title" in house.refused(person, command, Reason.RESERVED_NAME).says


def test_a_manager_gives_staff_titles() -> None:
    house = make_people()
    house.does(MAX, c.AddPerson("dealer-2", "Dealer 2", (Grant("dealer"),)))
    house.does(MAX, c.AddPerson("dealer-3", "Dealer 2", (Grant("dealer"),)))


@pytest.mark.parametrize(
    ("name", "shown", "why"),
    [
        *(
            ("arm", "Bob", None),
            ("arrn", "Bob", None),
            ("flO", "Bob", Reason.NAME_TAKEN),
            ("f1o", "Bob", Reason.NAME_TAKEN),
        ),
        *(("fl0", "Bob", Reason.NAME_TAKEN), ("rnax", "Bob", Reason.NAME_TAKEN), ("dán", "Bob", Reason.NAME_TAKEN)),
        *(
            ("bob", "Ann", Reason.NAME_TAKEN),
            ("bob", "\u0391\u039d\u039d", Reason.NAME_TAKEN),
            ("bob", "A n n", Reason.NAME_TAKEN),
        ),
        *(
            ("bob", "f1o", Reason.NAME_TAKEN),
            ("bob", "M\u0430x", Reason.BAD_NAME),
            ("bob", "An\u3164n", Reason.BAD_NAME),
        ),
        *(("bob", "\u041c\u0430\u0445", Reason.NAME_TAKEN), ("bob", "陳小姐 Ann", None), ("bob", "Анна", None)),
    ],
)
def test_names_that_look_like_someone_elses_are_refused(name: str, shown: str, why: Reason | None) -> None:
    house = make_people()
    if why is None:
        house.does(VISITOR, c.Register(name, shown))
    else:
        house.refused(VISITOR, c.Register(name, shown), why)


@pytest.mark.parametrize("name", ["bob", "BOB", "b0b"])
def test_a_name_that_the_ledger_has_is_refused_in_any_form(name: str) -> None:
    context = Context(VISITOR, START.isoformat(), players=frozenset({"bob"}))
    refused = decide(make_people().people, c.Register(name, "New"), context)
    assert isinstance(refused, Refusal)
    assert (refused.why, "A player at the tables has the name" in refused.says) == (Reason.NAME_TAKEN, True)
