"""A demo house: one table for each packaged book, people for every role, ready to play at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.auth.passwords import PUBLISHED, Passwords
from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.people import commands as p
from pitbook.people.values import Grant, Policy
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.table import commands as c
from pitbook.table.checklists import checklists
from pitbook.table.decide.inspections import LOOK_OVER
from pitbook.table.limits import text_limit
from pitbook.table.people import AUDITOR, MANAGER, PLAYER, Person, is_staff, may_act, rank

if TYPE_CHECKING:
    from pitbook.auth.store import AuthStore
    from pitbook.house.answers import Answer
    from pitbook.house.house import House
    from pitbook.rulebooks.model import Rulebook

DEMO = "demo"
"""The shared setting that marks a demo house."""
PREFIX = "demo-"
"""The prefix of the names of demo accounts."""
SERVER = Person("server", "server")
MANAGER_NAME = "demo-manager"
AUDITOR_NAME = "demo-auditor"
PLAYERS = ("demo-ann", "demo-ben", "demo-chen")
PASSWORD = PUBLISHED
"""The password of all demo accounts. The server refuses to expose a demo house."""
FACILITY = "Pitbook demo house"
AUTOMATIC_BOOKS = ("singapore-mbs-sic-bo-v6", "dice-ology")
"""The books whose demo tables are automatic, so that one person can play at once."""
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
    _add_people(house)
    for book in PACKAGED:
        _open_table(house, book)
    return [account.name for account in house.people.accounts.values()]


def _check(answer: Answer) -> None:
    if answer.refused is not None:
        raise RuntimeError(f"the demo house cannot be made: {answer.says}")


def _add_people(house: House) -> None:
    """Add the manager, an auditor, players, and people for each role of each book at its table."""
    _check(house.manage(SERVER, p.AddPerson(MANAGER_NAME, "Demo manager", (Grant(MANAGER),))))
    boss = Person(MANAGER_NAME, MANAGER)
    _check(house.manage(boss, p.SetPolicy(Policy(registration=True))))
    _check(house.manage(boss, p.AddPerson(AUDITOR_NAME, "Demo auditor", (Grant(AUDITOR),))))
    for name in PLAYERS:
        shown = name.removeprefix("demo-").capitalize()
        _check(house.manage(boss, p.AddPerson(name, shown, (Grant(PLAYER),))))
    roles: dict[str, list[Grant]] = {}
    for book in PACKAGED:
        rules = load(book)
        for role in rules.roles:
            if is_staff(rules, role):
                roles.setdefault(role, []).append(Grant(role, table_name(book)))
    for role, grants in roles.items():
        for place in (1, 2):  # two of each: many acts need a second person
            shown = f"{role.replace('-', ' ').capitalize()} {place}"
            _check(house.manage(boss, p.AddPerson(staff_name(role, place), shown, tuple(grants))))


def staff_name(role: str, place: int = 1) -> str:
    """Return the name of the demo person in a role."""
    return f"demo-{role}" if place == 1 else f"demo-{role}-{place}"


def table_name(book: str) -> str:
    """Return the name of a book's demo table."""
    return book.removesuffix("-v6").removesuffix("-sic-bo").removesuffix("-mbs")


def _open_table(house: House, book: str) -> None:
    rules, name = load(book), table_name(book)
    automatic = c.Automatic() if book in AUTOMATIC_BOOKS else None
    setup = c.Setup(
        book=book,
        digest=rules.digest,
        facility=FACILITY,
        currency=rules.identity.currency,
        shaker=_shaker(rules),
        limits=_limits(rules),
        automatic=automatic,
    )
    _check(house.ask(name, Person(MANAGER_NAME, MANAGER), c.OpenTable(setup)))
    crew = {role: Person(staff_name(role), role) for role in rules.roles if is_staff(rules, role)}
    top = max(crew.values(), key=lambda one: rank(rules, one.role))
    second = Person(staff_name(top.role, 2), top.role)
    _check(house.ask(name, top, c.StartShift("day")))
    _check(house.ask(name, top, c.Fill(FLOAT_AMOUNT, second)))
    _check(house.ask(name, Person(MANAGER_NAME, MANAGER), c.StartDay("demo")))
    if automatic is None:
        _make_ready(house, name, rules, crew, top)
    for player in PLAYERS:
        chips = PLAYER_CHIPS if automatic is None else automatic.play_stack
        _check(house.ask(name, Person(player, PLAYER), c.BuyIn(chips)))


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
    look_over = next((step.who for step in rules.procedure.opening if step.id == LOOK_OVER), [top.role])
    looks = crew[look_over[0]]
    for thing, points in checklists(table).items():
        _check(house.ask(name, looks, c.CheckEquipment(thing, (True,) * len(points))))
    for inspection, asked in rules.inspections.items():
        if asked.shaker in (None, table.shaker):
            who = next(one for one in crew.values() if may_act(rules, one.role, asked.who, or_above=asked.or_above))
            dice = (1, 2, 3)
            lit = illuminate(rules, Roll.of(*dice)) if asked.how == "enter three values" else ()
            entered = dice if asked.how == "enter three values" else ()
            _check(house.ask(name, who, c.Inspect(inspection, entered, lit, asked.times)))
