"""Callers and their rights: roles by table, scopes of tokens, and what is denied and noted."""

from __future__ import annotations

import pytest

from pitbook.messages import Message
from pitbook.people.state import Account
from pitbook.people.values import Grant
from pitbook.server.commands.approvals import second_person_roles
from pitbook.server.commands.witnesses import named_witnesses
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import ANONYMOUS, Caller
from pitbook.table import commands as c
from pitbook.table.people import Person

FAY, FLO = Person("fay", "floorperson"), Person("flo", "floorperson")


def caller(*grants: Grant, scopes: set[str] | None = None, session: str | None = "s1") -> Caller:
    account = Account("ann", "Ann", "2026-03-01", grants)
    return Caller(account, None if scopes is None else frozenset(scopes), session)


def test_nobody_is_signed_in_holds_nothing_and_acts_nowhere() -> None:
    assert (ANONYMOUS.name, ANONYMOUS.roles_at("t1"), ANONYMOUS.roles_anywhere()) == (None, [], frozenset())
    assert (
        ANONYMOUS.is_staff,
        ANONYMOUS.is_manager,
        ANONYMOUS.is_auditor,
        ANONYMOUS.is_staff_at("t1"),
        ANONYMOUS.sees_all("t1"),
    ) == (False,) * 5
    for request in (
        ANONYMOUS.require_account,
        ANONYMOUS.require_session,
        ANONYMOUS.require_manager,
        ANONYMOUS.require_oversight,
    ):
        with pytest.raises(Problem, match="not-signed-in"):
            request()


def test_a_role_at_a_table_holds_there_and_one_of_the_house_everywhere() -> None:
    ann = caller(Grant("dealer", "t1"), Grant("player"), Grant("dealer", "t2"))
    assert ann.roles_at("t1") == ["dealer", "player"]
    assert ann.roles_at("t3") == ann.roles_at(None) == ["player"]
    assert ann.roles_anywhere() == {"dealer", "player"}
    assert (ann.is_staff_at("t1"), ann.is_staff_at("t3"), ann.is_staff) == (True, False, True)
    players = caller(Grant("player"), Grant("shooter"))
    assert (players.is_staff, players.is_staff_at("t1")) == (False, False)


def test_one_acts_in_the_only_role_or_in_one_that_is_named_and_held() -> None:
    one, two = caller(Grant("dealer", "t1")), caller(Grant("dealer", "t1"), Grant("player"))
    assert one.acting_person("t1") == one.acting_person("t1", "dealer") == Person("ann", "dealer")
    assert two.acting_person("t1", "player") == Person("ann", "player")
    with pytest.raises(Problem, match="name the role you are acting in; your roles here: dealer, player"):
        two.acting_person("t1")
    with pytest.raises(Problem, match="ann has no role here"):
        one.acting_person("t2")
    with pytest.raises(Problem, match="ann does not hold the role “manager” here"):
        one.acting_person("t1", "manager")


def test_a_token_is_good_for_one_of_its_scopes_and_a_session_for_all() -> None:
    caller().require_scope("manage")
    caller(scopes={"play", "deal"}).require_scope("manage", "deal")
    with pytest.raises(Problem, match="this token has no scope 'manage' or 'read'; create one that has it"):
        caller(scopes={"play"}).require_scope("manage", "read")
    caller().require_session()
    with pytest.raises(Problem, match="a token cannot do this; sign in with a browser"):
        caller(scopes={"manage"}, session=None).require_session()


def test_managers_manage_and_auditors_only_look() -> None:
    boss, kim, ann = caller(Grant("manager")), caller(Grant("auditor")), caller(Grant("player"))
    assert boss.require_manager() == Person("ann", "manager")
    assert (boss.is_manager, boss.is_auditor, kim.is_manager, kim.is_auditor) == (True, False, False, True)
    boss.require_oversight()
    kim.require_oversight()
    for who in (kim, ann):
        with pytest.raises(Problem, match="does not hold the role “manager” here"):
            who.require_manager()
    with pytest.raises(Problem, match="only managers and auditors can see this"):
        ann.require_oversight()
    with pytest.raises(Problem, match="has no scope 'manage'"):
        caller(Grant("manager"), scopes={"read"}).require_manager()
    caller(Grant("manager"), scopes={"read"}).require_oversight()
    caller(Grant("manager"), scopes={"manage"}).require_oversight()
    with pytest.raises(Problem, match="has no scope 'read' or 'manage'"):
        caller(Grant("manager"), scopes={"play"}).require_oversight()


@pytest.mark.parametrize(
    ("scopes", "all_of_it"), [(None, True), ({"deal"}, True), ({"manage"}, True), ({"read"}, True), ({"play"}, False)]
)
def test_a_token_for_play_alone_shows_what_any_player_sees(scopes: set[str] | None, *, all_of_it: bool) -> None:
    assert caller(Grant("dealer", "t1"), scopes=scopes).sees_all("t1") is all_of_it
    assert not caller(Grant("player"), scopes=scopes).sees_all("t1")


def test_denied_requests_are_recorded_with_the_roles_held() -> None:
    recorded: list[tuple[str, str, str | None, Message]] = []

    def note(name: str, role: str, table: str | None, why: Message) -> None:
        recorded.append((name, role, table, why))

    no, never = detail("oversight-only"), detail("not-by-token")

    account = Account("ann", "Ann", "2026-03-01", (Grant("dealer", "t1"), Grant("player")))
    ann = Caller(account, on_denied=note)
    ann.denied(no, table="t1")
    ann.denied(no, "manager", "t1")
    Caller(Account("ben", "Ben", "2026-03-01"), on_denied=note).denied(never)
    Caller(on_denied=note).denied(never)
    assert recorded == [
        ("ann", "dealer, player", "t1", no),
        ("ann", "manager", "t1", no),
        ("ben", "none", None, never),
    ]


def test_the_witnesses_of_a_command_are_those_whom_it_names() -> None:
    assert named_witnesses(c.Call("device-malfunction", present=(FAY, FLO))) == (FAY, FLO)
    assert named_witnesses(c.TakeStep("pay", directed_by=FAY, confirmed_by=FLO)) == (FAY, FLO)
    assert named_witnesses(c.TakeStep("pay", confirmed_by=FLO)) == (FLO,)
    assert named_witnesses(c.TakeStep("pay")) == named_witnesses(c.Fill(5, FAY)) == ()


def test_a_witness_who_confirmed_with_a_pin_need_not_confirm_again() -> None:
    pay = c.TakeStep("pay", confirmed_by=FLO)
    assert second_person_roles(pay, {"flo"}) is None
    assert second_person_roles(pay, {"fay"}) == ("floorperson",)
    call = c.Call("device-malfunction", present=(FAY,))
    assert second_person_roles(call) is None
    assert second_person_roles(call, (), FAY) == ("floorperson",)
    assert second_person_roles(c.TakeStep("pay", directed_by=FAY), (), FAY) == ("floorperson",)
