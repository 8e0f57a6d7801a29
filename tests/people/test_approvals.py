"""Acts of two persons: another gives, in time, once."""

from __future__ import annotations

import pytest

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.refusals import Reason
from pitbook.people.state import FINISHED_MAX
from pitbook.people.values import Grant
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, FLO, MAX, SERVER, PeopleInMemory, make_people


def asks(number: str = "a1", **changes: object) -> c.AskApproval:
    fields: dict[str, object] = {"table": "t1", "command": '{"type":"Fill"}', "by_role": "dealer", "needs": ("staff",)}
    return c.AskApproval(number, **{**fields, **changes})  # type: ignore[arg-type]


def waiting(**changes: object) -> PeopleInMemory:
    house = make_people()
    house.does(DAN, asks("a1", **changes))
    return house


def test_one_asks_another_gives_and_the_act_uses_it_up() -> None:
    house = waiting(words="chips are low")
    assert house.people.find_given("a1", house.at) is None
    house.does(FLO, c.GiveApproval("a1"))
    house.refused(MAX, c.GiveApproval("a1"), Reason.APPROVAL_OVER)
    house.refused(MAX, c.RefuseApproval("a1"), Reason.APPROVAL_OVER)
    approved = house.people.find_given("a1", house.at)
    assert approved is not None
    assert (approved.asker, approved.by, approved.role) == ("dan", "flo", "floorperson")
    house.does(SERVER, c.UseApproval("a1", 17))
    assert not house.people.approvals
    assert house.people.finished[-1].sequence == 17
    house.refused(SERVER, c.UseApproval("a1", 18), Reason.APPROVAL_OVER)
    house.refused(FLO, c.GiveApproval("a1"), Reason.APPROVAL_OVER)


def test_nobody_approves_their_own_act_in_whatever_role() -> None:
    house = make_people()
    house.does(MAX, c.GiveRole("dan", "floorperson", "t1"))
    house.does(DAN, asks(needs=("floorperson",)))
    house.refused(Person("dan", "floorperson"), c.GiveApproval("a1"), Reason.OWN_ACT)
    house.refused(DAN, c.RefuseApproval("a1"), Reason.OWN_ACT)
    house.refused(Person("DAN", "floorperson"), c.GiveApproval("a1"), Reason.UNKNOWN_PERSON)


def test_the_second_person_has_a_role_that_is_needed_at_that_table() -> None:
    house = waiting(needs=("floorperson",))
    house.does(MAX, c.AddPerson("dot", "Dot", (Grant("dealer", "t1"),)))
    house.does(MAX, c.AddPerson("fay", "Fay", (Grant("floorperson", "t2"),)))
    house.does(MAX, c.AddPerson("aud", "Aud", (Grant("auditor"),)))
    house.refused(Person("dot", "dealer"), c.GiveApproval("a1"), Reason.WRONG_ROLE)
    house.refused(Person("fay", "floorperson"), c.GiveApproval("a1"), Reason.WRONG_ROLE)
    house.refused(Person("dot", "floorperson"), c.GiveApproval("a1"), Reason.WRONG_ROLE)
    house.does(DAN, asks("a2"))
    house.refused(ANN, c.GiveApproval("a2"), Reason.WRONG_ROLE)
    house.refused(Person("aud", "auditor"), c.GiveApproval("a2"), Reason.WRONG_ROLE)
    house.does(MAX, c.GiveApproval("a2"))


def test_it_is_refused_with_words_or_withdrawn_by_its_requester() -> None:
    house = waiting()
    house.refused(FLO, c.WithdrawApproval("a1"), Reason.WRONG_ROLE)
    house.does(FLO, c.RefuseApproval("a1", "count again"))
    assert house.people.finished[-1].answer == "count again"
    house.does(DAN, asks("a2"))
    house.does(DAN, c.WithdrawApproval("a2"))
    house.refused(FLO, c.GiveApproval("a2"), Reason.APPROVAL_OVER)
    house.refused(SERVER, c.UseApproval("a2", 1), Reason.APPROVAL_OVER)


def test_an_approved_request_cannot_be_withdrawn_because_it_may_be_under_way() -> None:
    house = waiting()
    house.does(FLO, c.GiveApproval("a1"))
    house.refused(DAN, c.WithdrawApproval("a1"), Reason.APPROVAL_OVER)
    house.does(SERVER, c.UseApproval("a1", 1))


def test_it_is_given_and_acted_on_within_ten_minutes() -> None:
    house = waiting()
    house.does(DAN, asks("a2"))
    house.wait(minutes=9, seconds=59)
    house.does(FLO, c.GiveApproval("a2"))
    house.wait(seconds=1)
    house.refused(FLO, c.GiveApproval("a1"), Reason.APPROVAL_EXPIRED)
    assert house.people.find_given("a2", house.at) is None
    house.does(SERVER, c.UseApproval("a2", 5))  # the table took the act in time; its record comes after it
    assert [type(event) for event in house.does(DAN, asks("a3"))] == [e.ApprovalExpired, e.ApprovalAsked]
    assert set(house.people.approvals) == {"a3"}


def test_a_given_one_that_is_never_used_expires_later() -> None:
    house = waiting()
    house.does(FLO, c.GiveApproval("a1"))
    house.wait(minutes=19, seconds=59)
    house.does(DAN, asks("a2"))
    house.wait(seconds=1)
    house.does(DAN, asks("a3"))
    assert set(house.people.approvals) == {"a2", "a3"}


def test_the_requester_must_still_hold_the_role_when_approval_is_given() -> None:
    house = waiting()
    house.does(MAX, c.TakeRole("dan", "dealer", "t1"))
    house.refused(FLO, c.GiveApproval("a1"), Reason.WRONG_ROLE)


def test_only_the_server_uses_what_was_given() -> None:
    house = waiting()
    house.refused(SERVER, c.UseApproval("a1", 1), Reason.APPROVAL_OVER)
    house.does(FLO, c.GiveApproval("a1"))
    house.refused(DAN, c.UseApproval("a1", 1), Reason.WRONG_ROLE)
    house.refused(SERVER, c.UseApproval("a9", 1), Reason.NO_SUCH_APPROVAL)


@pytest.mark.parametrize(
    ("person", "changes", "why"),
    [
        (DAN, {"by_role": "floorperson"}, Reason.WRONG_ROLE),
        (DAN, {"table": "t2"}, Reason.WRONG_ROLE),
        (ANN, {"by_role": "player"}, Reason.WRONG_ROLE),
        (DAN, {"number": "a 1"}, Reason.BAD_TEXT),
        (DAN, {"number": ""}, Reason.BAD_TEXT),
        (DAN, {"command": "[]"}, Reason.BAD_TEXT),
        (DAN, {"command": "{"}, Reason.BAD_TEXT),
        (DAN, {"command": '{"a":"' + "x" * 20_000 + '"}'}, Reason.BAD_TEXT),
        (DAN, {"needs": ()}, Reason.UNKNOWN_ROLE),
        (DAN, {"words": "x" * 401}, Reason.BAD_TEXT),
    ],
)
def test_requests_for_approval_that_are_refused(person: Person, changes: dict[str, object], why: Reason) -> None:
    make_people().refused(person, asks(**changes), why)  # type: ignore[arg-type]


def test_an_id_is_used_once() -> None:
    house = waiting()
    house.refused(DAN, asks(), Reason.NAME_TAKEN)
    house.does(DAN, c.WithdrawApproval("a1"))
    house.refused(DAN, asks(), Reason.NAME_TAKEN)


def test_what_waits_and_what_is_remembered_is_bounded() -> None:
    house = make_people()
    for number in range(20):
        house.does(DAN, asks(f"w{number}"))
    house.refused(DAN, asks("w20"), Reason.TOO_MANY)
    house.wait(minutes=10)
    for number in range(FINISHED_MAX + 10):
        house.does(DAN, asks(f"x{number}"))
        house.does(DAN, c.WithdrawApproval(f"x{number}"))
    assert len(house.people.finished) == FINISHED_MAX
    assert not house.people.approvals
