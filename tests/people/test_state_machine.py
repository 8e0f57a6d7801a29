"""Anybody asks the house for anything, at any time: what must hold always holds."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.decide.accounts import find_conflict
from pitbook.people.limits import WAIT, is_looser, limits_at, parse_time, play_problem
from pitbook.people.refusals import Refusal
from pitbook.people.values import Grant, Limits, Policy
from pitbook.table.people import Person
from tests.people.people_in_memory import SERVER, PeopleInMemory

NAMES = st.sampled_from(("max", "mia", "dan", "flo", "ann", "bob"))
ROLE = st.sampled_from(("manager", "auditor", "player", "dealer", "floorperson"))
TABLE = st.sampled_from((None, "t1", "t2"))
CREW = {"max": "manager", "mia": "manager", "dan": "dealer", "flo": "floorperson", "ann": "player", "bob": "player"}
PERSONS = st.one_of(st.sampled_from([Person(*one) for one in CREW.items()]), st.builds(Person, NAMES, ROLE))
NUMBERS = st.sampled_from(("a1", "a2", "a3"))
AMOUNT = st.one_of(st.none(), st.integers(0, 5))
HOURS = st.floats(0, 40, allow_nan=False)


class Anybody(RuleBasedStateMachine):
    """A state machine with an independent model of players' limits and exclusions."""

    def __init__(self) -> None:
        super().__init__()
        self.house = PeopleInMemory()
        self.until: dict[str, str] = {}
        self.wishes: dict[str, list[tuple[str, dict[str, int | None]]]] = {}
        """Each player's wishes and when they were made."""
        self.askers: dict[str, str] = {}

    @initialize()
    def opens(self) -> None:
        self.house.does(SERVER, c.AddPerson("max", "Max", (Grant("manager"),)))
        for name, role in (("mia", "manager"), ("dan", "dealer"), ("flo", "floorperson"), ("ann", "player")):
            self.house.does(Person("max", "manager"), c.AddPerson(name, name.title(), (Grant(role),)))

    def _ask(self, person: Person, command: c.Command) -> tuple[e.Event, ...]:
        outcome = self.house.ask(person, command)
        events = () if isinstance(outcome, Refusal) else outcome
        for event in events:
            match event:
                case e.RoleGiven(person=name) | e.RoleTaken(person=name):
                    assert name != person.name
                case e.ApprovalAsked(id=number):
                    self.askers[number] = person.name
                case e.ApprovalGiven(id=number):
                    assert self.askers[number] != person.name
                case e.Excluded(person=name, until=until):
                    before = self.until.get(name, self.house.at)
                    assert parse_time(before) <= self.house.now or parse_time(until) > parse_time(before)
                    self.until[name] = until
                case e.LimitsSet() | e.LooseningWithdrawn():
                    assert event.person == person.name
                case _:
                    pass
        return events

    @rule(person=PERSONS, name=NAMES, role=ROLE, table=TABLE)
    def adds(self, person: Person, name: str, role: str, table: str | None) -> None:
        self._ask(person, c.AddPerson(name, name.title(), (Grant(role, table),)))

    @rule(name=NAMES)
    def registers(self, name: str) -> None:
        self._ask(Person(name, "visitor"), c.Register(name, name))

    @rule(person=PERSONS, name=NAMES, role=ROLE, table=TABLE, gives=st.booleans())
    def changes_a_role(self, person: Person, name: str, role: str, table: str | None, gives: bool) -> None:
        self._ask(person, c.GiveRole(name, role, table) if gives else c.TakeRole(name, role, table))

    @rule(person=PERSONS, name=NAMES, on=st.booleans())
    def switches(self, person: Person, name: str, on: bool) -> None:
        self._ask(person, c.Reactivate(name) if on else c.Deactivate(name, "so it is"))

    @rule(person=PERSONS, allowed=st.booleans())
    def sets_policy(self, person: Person, allowed: bool) -> None:
        self._ask(person, c.SetPolicy(Policy(registration=allowed)))

    @rule(person=PERSONS, loss=AMOUNT, seconds=AMOUNT, stake=AMOUNT)
    def sets_limits(self, person: Person, loss: int | None, seconds: int | None, stake: int | None) -> None:
        account = self.house.people.find(person.name)
        before = parts(limits_at(account, self.house.at)) if account else {}
        losses, stakes = ({} if amount is None else {"SGD": amount} for amount in (loss, stake))
        if self._ask(person, c.SetLimits(losses, seconds, stakes)):
            wish: dict[str, int | None] = {"SGD": loss, "seconds": seconds, "stake-SGD": stake}
            self.wishes.setdefault(person.name, []).append((self.house.at, wish))
            after = parts(limits_at(self.house.account(person.name), self.house.at))
            for part in wish:
                assert not is_looser(after[part], before[part])

    @rule(person=PERSONS)
    def keeps_limits(self, person: Person) -> None:
        self._ask(person, c.KeepLimits())

    @rule(person=PERSONS, hours=st.one_of(st.none(), HOURS), name=st.one_of(st.none(), NAMES))
    def excludes(self, person: Person, hours: float | None, name: str | None) -> None:
        until = None if hours is None else (self.house.now + timedelta(hours=hours)).isoformat()
        self._ask(person, c.Exclude(until, name))

    @rule(
        person=PERSONS, number=NUMBERS, table=st.sampled_from(("t1", "t2")), need=st.sampled_from(("staff", "dealer"))
    )
    def asks_approval(self, person: Person, number: str, table: str, need: str) -> None:
        self._ask(person, c.AskApproval(number, table, "{}", person.role, (need,)))

    @rule(person=PERSONS, number=NUMBERS, what=st.sampled_from((c.GiveApproval, c.RefuseApproval, c.WithdrawApproval)))
    def answers(self, person: Person, number: str, what: type) -> None:
        self._ask(person, what(number))

    @rule(number=NUMBERS)
    def uses(self, number: str) -> None:
        self._ask(SERVER, c.UseApproval(number, 1))

    @rule(hours=HOURS)
    def waits(self, hours: float) -> None:
        before = {name: parts(limits_at(one, self.house.at)) for name, one in self.house.people.accounts.items()}
        self.house.wait(hours=hours)
        for name, old in before.items():
            new = parts(limits_at(self.house.account(name), self.house.at))
            for part, value in new.items():
                if is_looser(value, old[part]):
                    assert self._asked_a_day_ago(name, part, value)

    def _asked_a_day_ago(self, name: str, part: str, value: int | None) -> bool:
        return any(
            parse_time(at) + WAIT <= self.house.now and not is_looser(value, wish[part])
            for at, wish in self.wishes.get(name, [])
        )

    @invariant()
    def somebody_manages(self) -> None:
        assert not self.house.people.accounts or self.house.people.managers()

    @invariant()
    def who_is_excluded_does_not_play(self) -> None:
        for name, until in self.until.items():
            if parse_time(self.house.at) < parse_time(until):
                assert play_problem(self.house.account(name), self.house.at) is not None

    @invariant()
    def roles_go_together(self) -> None:
        for account in self.house.people.accounts.values():
            for place, grant in enumerate(account.roles):
                assert all(find_conflict(grant, other) is None for other in account.roles[:place])

    @invariant()
    def nobody_approved_their_own(self) -> None:
        for approval in (*self.house.people.approvals.values(), *self.house.people.finished):
            assert approval.by != approval.asker
            assert approval.standing not in ("given", "used") or approval.by is not None


def parts(limits: Limits) -> dict[str, int | None]:
    return {
        "SGD": limits.loss_per_day.get("SGD"),
        "seconds": limits.seconds_per_day,
        "stake-SGD": limits.stake_at_once.get("SGD"),
    }


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
