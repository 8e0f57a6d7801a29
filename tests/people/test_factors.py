"""Second factors on record: who adds, removes and resets them, and the policy that requires them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.event_text import describe
from pitbook.people.refusals import Reason
from pitbook.people.values import Factor, Grant, Policy
from pitbook.table.people import Person
from tests.people.people_in_memory import ANN, DAN, MAX, SERVER, PeopleInMemory, make_people

PHONE = Factor("f1", "totp", "phone")
KEY = Factor("f2", "passkey", "key")
ZOE = Person("zoe", "manager")


@pytest.fixture
def house() -> PeopleInMemory:
    made = make_people()
    made.does(MAX, c.AddPerson("zoe", "Zoe", (Grant("manager"),)))
    made.does(SERVER, c.RecordFactorAdded("zoe", PHONE))
    return made


def factors(house: PeopleInMemory, name: str) -> tuple[Factor, ...]:
    account = house.people.find(name)
    assert account is not None
    return account.factors


def test_a_person_has_several_factors_under_different_names(house: PeopleInMemory) -> None:
    house.does(SERVER, c.RecordFactorAdded("zoe", KEY))
    assert factors(house, "zoe") == (PHONE, KEY)
    house.refused(SERVER, c.RecordFactorAdded("zoe", Factor("f3", "passkey", "key")), Reason.NAME_TAKEN)
    house.refused(SERVER, c.RecordFactorAdded("zoe", Factor("f1", "passkey", "other")), Reason.NAME_TAKEN)
    house.refused(SERVER, c.RecordFactorAdded("zoe", Factor("f3", "passkey", "a\nb")), Reason.BAD_TEXT)
    for place in range(3, 11):
        house.does(SERVER, c.RecordFactorAdded("zoe", Factor(f"f{place}", "passkey", f"key {place}")))
    house.refused(SERVER, c.RecordFactorAdded("zoe", Factor("f11", "passkey", "one more")), Reason.TOO_MANY)


def test_the_last_factor_stays_while_policy_requires_one(house: PeopleInMemory) -> None:
    house.refused(SERVER, c.RecordFactorRemoved("zoe", "f1"), Reason.LAST_FACTOR)
    house.does(SERVER, c.RecordFactorAdded("zoe", KEY))
    house.does(SERVER, c.RecordFactorRemoved("zoe", "f1"))
    house.refused(SERVER, c.RecordFactorRemoved("zoe", "f1"), Reason.NOTHING_TO_DO)
    house.does(MAX, c.SetPolicy(replace(house.people.policy, factor_roles=())))
    house.does(SERVER, c.RecordFactorRemoved("zoe", "f2"))
    assert factors(house, "zoe") == ()


def test_only_another_manager_or_the_machine_resets_factors(house: PeopleInMemory) -> None:
    reset = c.ResetFactors("zoe", "lost the phone")
    house.refused(ZOE, reset, Reason.OWN_ACT)
    for person in (ANN, DAN, Person("kim", "auditor")):
        house.refused(person, reset, Reason.WRONG_ROLE)
    house.refused(MAX, c.ResetFactors("zoe", ""), Reason.BAD_TEXT)
    house.does(MAX, reset)
    assert factors(house, "zoe") == ()
    house.refused(MAX, reset, Reason.NOTHING_TO_DO)
    house.does(SERVER, c.RecordFactorAdded("zoe", PHONE))
    house.does(SERVER, reset)
    assert factors(house, "zoe") == ()


def test_a_use_names_a_factor_that_the_person_has(house: PeopleInMemory) -> None:
    house.does(SERVER, c.RecordFactorUsed("zoe", "f1"))
    house.refused(SERVER, c.RecordFactorUsed("zoe", "f2"), Reason.NOTHING_TO_DO)
    house.refused(SERVER, c.RecordFactorUsed("ann", "f1"), Reason.NOTHING_TO_DO)
    house.does(SERVER, c.RecordFactorUsed("zoe", None, 9))


def test_managers_and_auditors_need_a_factor_unless_policy_says_otherwise() -> None:
    policy = Policy()
    assert policy.requires_factor((Grant("manager"),))
    assert policy.requires_factor((Grant("auditor"),))
    assert not policy.requires_factor((Grant("player"), Grant("dealer", "t1")))
    wider = Policy(factor_roles=("dealer",))
    assert wider.requires_factor((Grant("dealer", "t1"),))
    assert not wider.requires_factor((Grant("manager"),))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"factor_roles": ("wizard",)}, Reason.UNKNOWN_ROLE),
        ({"lock_minutes": -1}, Reason.BAD_POLICY),
        ({"lock_minutes": 121}, Reason.BAD_POLICY),
        ({"unlock_with": ()}, Reason.BAD_POLICY),
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused(
    house: PeopleInMemory, changes: dict[str, object], why: Reason
) -> None:
    house.refused(MAX, c.SetPolicy(replace(house.people.policy, **changes)), why)


def test_the_record_says_what_differs_from_the_default_policy() -> None:
    def text(policy: Policy) -> str:
        return describe(e.PolicySet(policy), MAX)[0].text()

    assert "second factor" not in text(Policy())
    assert "nobody needs a second factor; idle screens do not lock" in text(Policy(factor_roles=(), lock_minutes=0))
    both = text(Policy(factor_roles=("dealer",), lock_minutes=1, unlock_with=("pin",)))
    assert "these roles need a second factor: dealer" in both
    assert "lock after 1 minute and are unlocked with: pin" in both
