"""A demo house: a table for each packaged book and two of craps, people for every role, ready to play at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitbook.auth.passwords import PUBLISHED, Passwords
from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.ledger import accounts
from pitbook.people import commands as p
from pitbook.people.values import Grant, Policy
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.checklists import checklists
from pitbook.table.decide.inspections import INSPECT_EQUIPMENT
from pitbook.table.limits import text_limit
from pitbook.table.people import AUDITOR, MANAGER, PLAYER, Person, is_staff, may_act, rank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.auth.store import AuthStore
    from pitbook.house.answers import Answer
    from pitbook.house.house import House
    from pitbook.rulebooks.model import Rulebook

DEMO = "demo"
"""The shared setting that marks a demo house."""
ONE_CLICK = "one click"
OLD_DEMO = "yes"
"""The value of the setting in demo houses from before there were second factors."""
PREFIX = "demo-"
"""The prefix of the names of demo accounts."""
SERVER = Person("server", "server")
MANAGER_NAME = "demo-manager"
AUDITOR_NAME = "demo-auditor"
PLAYERS = ("demo-ann", "demo-ben", "demo-chen")
PASSWORD = PUBLISHED
"""The password of all demo accounts. The server refuses to expose a demo house."""
FACILITY = "Pitbook demo house"
TABLES = {
    "massachusetts": "massachusetts-sic-bo",
    "maryland": "maryland-sic-bo",
    "singapore": "singapore-mbs-sic-bo-v6",
    "dice-works": "dice-works",
    "dice-ology": "dice-ology",
    "craps": "craps+dice-works",
    "craps-automatic": "craps",
}
"""The demo tables and the book of each."""
AUTOMATIC_TABLES = ("singapore", "dice-ology", "craps-automatic")
"""The demo tables that are automatic, so that one person can play at once."""
POLICY = Policy(registration=True, factor_roles=(), lock_minutes=0)
"""One click signs in: no second factors, no locked screens. The server refuses to expose such a house."""
FLOAT_AMOUNT = 5_000_000
PLAYER_CHIPS = 100_000


def is_empty(house: House) -> bool:
    """Return whether nobody has ever used this house."""
    return not house.tables() and not house.people.accounts


def known_accounts(house: House, auth: AuthStore) -> list[str]:
    """Return the demo accounts that still have the published password."""
    hashes = {
        account.name: hashed
        for account in house.people.accounts.values()
        if account.name.startswith(PREFIX) and (hashed := auth.password_of(account.name)) is not None
    }
    passwords = Passwords()
    known = {hashed for hashed in set(hashes.values()) if passwords.verify(PASSWORD, hashed).matches}
    return [name for name, hashed in hashes.items() if hashed in known]


def create_demo(house: House) -> list[str]:
    """Fill an empty house; return the names of the accounts, all with the same password."""
    books = {table: load(book) for table, book in TABLES.items()}
    _add_people(house, books)
    for table, rules in books.items():
        _open_table(house, table, rules)
    return [account.name for account in house.people.accounts.values()]


def keep_one_click(house: House) -> None:
    """Set the policy of a demo house from before there were second factors, so that one click still signs in."""
    boss = house.people.find(MANAGER_NAME)
    if boss is not None and boss.is_manager:
        wanted = replace(house.people.policy, factor_roles=POLICY.factor_roles, lock_minutes=POLICY.lock_minutes)
        house.manage(Person(boss.name, MANAGER), p.SetPolicy(wanted))


def _check(answer: Answer) -> None:
    if answer.refused is not None:
        raise RuntimeError(f"the demo house cannot be made: {answer.says}")


def _add_people(house: House, books: Mapping[str, Rulebook]) -> None:
    """Add the manager, an auditor, players, and people for each role of each book at its table."""
    _check(house.manage(SERVER, p.AddPerson(MANAGER_NAME, "Demo manager", (Grant(MANAGER),))))
    boss = Person(MANAGER_NAME, MANAGER)
    _check(house.manage(boss, p.SetPolicy(POLICY)))
    _check(house.manage(boss, p.AddPerson(AUDITOR_NAME, "Demo auditor", (Grant(AUDITOR),))))
    for name in PLAYERS:
        display_name = name.removeprefix("demo-").capitalize()
        _check(house.manage(boss, p.AddPerson(name, display_name, (Grant(PLAYER),))))
    roles: dict[str, list[Grant]] = {}
    for table, rules in books.items():
        for role in rules.roles:
            if is_staff(rules, role):
                roles.setdefault(role, []).append(Grant(role, table))
    for role, grants in roles.items():
        for place in (1, 2):  # two of each: many acts need a second person
            display_name = f"{role.replace('-', ' ').capitalize()} {place}"
            _check(house.manage(boss, p.AddPerson(staff_name(role, place), display_name, tuple(grants))))


def staff_name(role: str, place: int = 1) -> str:
    """Return the name of the demo person in a role."""
    return f"demo-{role}" if place == 1 else f"demo-{role}-{place}"


def _open_table(house: House, name: str, rules: Rulebook) -> None:
    automatic = c.Automatic() if name in AUTOMATIC_TABLES else None
    setup = c.Setup(
        book=rules.id,
        digest=rules.digest,
        facility=FACILITY,
        currency=rules.identity.currency,
        shaker=_shaker(rules),
        limits=_limits(rules),
        automatic=automatic,
        number=[*TABLES].index(name) + 1,
    )
    manager = Person(MANAGER_NAME, MANAGER)
    _check(house.ask(name, manager, c.OpenTable(setup)))
    crew = {role: Person(staff_name(role), role) for role in rules.roles if is_staff(rules, role)}
    top = max(crew.values(), key=lambda one: rank(rules, one.role))
    second = Person(staff_name(top.role, 2), top.role)
    _check(house.ask(name, manager, c.StartDay(house.now().date().isoformat())))
    _check(house.ask(name, top, c.StartShift("day")))
    _check(house.ask(name, top, c.Fill(FLOAT_AMOUNT, second)))
    if automatic is None:
        _make_ready(house, name, rules, crew, top)
    if automatic is None:
        _sell_chips(house, name, PLAYER_CHIPS)
    elif not _has_play_money(house, name):
        _sell_chips(house, name, automatic.play_stack)


def _sell_chips(house: House, table: str, amount: int) -> None:
    for player in PLAYERS:
        _check(house.ask(table, Person(player, PLAYER), c.BuyIn(amount)))


def _has_play_money(house: House, table: str) -> bool:
    """Return whether the players filled up at another table with the same play money."""
    account = accounts.player(PLAYERS[0], house.table(table).money)
    return house.store.balances([account])[account] > 0


def _shaker(rules: Rulebook) -> c.Shaker:
    """Return the manual shaker if the book has one."""
    shakers = [thing.shaker for thing in rules.equipment.values() if thing.kind == "shaker"]
    return "automated" if shakers and "manual" not in shakers else "manual"


def _limits(rules: Rulebook) -> dict[str, c.Limit]:
    """Return limits from 1 to 500, or narrower where the text requires it."""
    unit = 10**rules.decimals
    wide = c.Limit(unit, 500 * unit)
    found = {"*": wide}
    for wager in rules.wagers.values():
        text = text_limit(rules, wager)
        if wide.stake_min < text.stake_min or wide.stake_max > text.stake_max:
            found[wager.id] = c.Limit(max(unit, text.stake_min), min(500 * unit, text.stake_max))
    return found


def _make_ready(house: House, name: str, rules: Rulebook, crew: dict[str, Person], top: Person) -> None:
    """Do everything that the book requires before a table takes bets."""
    table = house.table(name)
    if rules.identity.game == "sic-bo":
        keepers = [role for thing in rules.equipment.values() if thing.shaker == table.shaker for role in thing.keeper]
        lowest = min(crew, key=lambda role: rank(rules, role))
        _check(house.ask(name, crew[keepers[0] if keepers else lowest], c.TakeOver()))
        _check(house.ask(name, top, c.PutDice(f"demo set {len(house.dice.sets) + 1}")))
    look_over = next((step.who for step in rules.procedure.opening if step.id == INSPECT_EQUIPMENT), [top.role])
    looks = crew[look_over[0]]
    for thing, points in checklists(table).items():
        _check(house.ask(name, looks, c.CheckEquipment(thing, (True,) * len(points))))
    for inspection, rule in rules.inspections.items():
        if rule.shaker in (None, table.shaker):
            who = next(one for one in crew.values() if may_act(rules, one.role, rule.who, or_above=rule.or_above))
            dice = tuple(range(1, rules.dice + 1))
            lit = illuminate(rules, Roll.of(*dice)) if rule.how == "enter three values" else ()
            entered = dice if rule.how == "enter three values" else ()
            _check(house.ask(name, who, c.Inspect(inspection, entered, lit, rule.times)))
