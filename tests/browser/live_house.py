"""A house with live tables of any book, opened by its manager and prepared by its crew over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page, expect

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.rulebooks.model import Rulebook
from pitbook.table.limits import text_limit
from pitbook.table.people import is_staff, rank
from tests.browser.houses import House
from tests.browser.people import ApiUser
from tests.browser.rounds import until

FLOAT = 5_000_000
CREW = {"croupier": ("demo-dealer", "demo-dealer-2"), "pit-chief": ("demo-floorperson", "demo-floorperson-2")}
"""The people in roles that no packaged book has; every other role has two people in the demo house."""


def crew_of(role: str) -> tuple[str, str]:
    return CREW.get(role, (f"demo-{role}", f"demo-{role}-2"))


def done(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201, 202), answer.text
    return answer.json()


def open_live_table(address: str, table: str, rules: Rulebook, chips: dict[str, int], **more: Any) -> None:
    """Open a table, assign its crew, prepare the equipment and sell chips to players."""
    manager = ApiUser(address, "demo-manager")
    done(manager.command("manager", {"type": "OpenTable", "setup": _setup(rules) | more}, table))
    staff = sorted((role for role in rules.roles if is_staff(rules, role)), key=lambda role: rank(rules, role))
    for role in staff:
        for name in crew_of(role):
            done(manager.client.post(f"/api/v1/people/{name}/roles", json={"role": role, "table": table}))
    people = {role: ApiUser(address, crew_of(role)[0]) for role in staff}

    def act(role: str, kind: str, **fields: Any) -> Any:
        return done(people[role].command(role, {"type": kind, **fields}, table))

    top, lowest = staff[-1], staff[0]
    act(top, "StartShift", shift="day")
    second = ApiUser(address, crew_of(top)[1])
    waits = act(top, "Fill", amount=FLOAT, second={"name": crew_of(top)[1], "role": top})["approval"]
    done(second.client.post(f"/api/v1/approvals/{waits}/approve", json={}))
    done(manager.command("manager", {"type": "StartDay", "day": "story"}, table))
    if rules.identity.game == "sic-bo":
        act(lowest, "TakeOver")
        act(top, "PutDice", set=f"{table} set")
    _make_checks(rules, act, top)
    for player, amount in chips.items():
        act(lowest, "BuyIn", amount=amount, player=player)
    for one in (manager, second, *people.values()):
        one.client.close()


# ------------------------------------------------------------ tables that run automatically

BETTING = REST = 200
"""Seconds of a countdown and of the pause after a throw, by the clock of the house. Tests move that clock."""
View = Callable[[], dict[str, Any]]
"""Return the view of a table."""
_automatic = count(1)


def open_automatic_table(address: str) -> str:
    """Opens one more table like Singapore's that runs automatically; its name."""
    return open_automatic_tables(address, 1)[0]


def open_automatic_tables(address: str, number: int, like: str = "singapore") -> list[str]:
    """Open several at once, like a table of the demo house, which looks for new tables only every two seconds."""
    tables = [f"automatic-{next(_automatic)}" for _ in range(number)]
    manager = ApiUser(address, "demo-manager")
    setup = manager.client.get(f"/api/v1/tables/{like}").json()["rules"]["setup"]
    setup["automatic"] |= {"betting_seconds": BETTING, "rest_seconds": REST}
    setup["number"] = None
    for table in tables:
        done(manager.command("manager", {"type": "OpenTable", "setup": setup}, table))
    manager.client.close()
    return tables


def wait_for_betting(page: Page) -> None:
    """Wait until betting is open without bets: the countdown starts only at the first bet."""
    expect(page.locator(".announcement-why")).to_be_visible()


def end_betting(house: House, page: Page) -> None:
    """Let the countdown run out once the table has every bet that the page shows."""
    expect(page.locator(".countdown")).to_be_visible()
    element = page.locator(".rail-staked")
    if element.count():
        until(lambda: _staked(page) == int(re.sub(r"\D", "", element.inner_text()) or 0), "the bets at the table")
    house.advance_clock(BETTING)


def _staked(page: Page) -> int:
    """Return what the table holds of the player: the page shows a bet before the table has answered."""
    address = urlsplit(page.url)
    seen = page.request.get(f"{address.scheme}://{address.netloc}/api/v1{address.path}").json()
    return sum(bet["amount"] for bet in seen["mine"]["bets"])


def reopen_betting(house: House, page: Page) -> None:
    """End the pause after a throw that someone has seen."""
    house.advance_clock(REST)
    expect(page.locator(".announcement-why")).to_be_visible()


def throw_dice(house: House, view: View) -> None:
    """Let a countdown run out, and wait until the round is settled."""
    number = view()["round"]
    until(lambda: view()["automatic"]["until"], "the countdown")
    house.advance_clock(BETTING)
    until(lambda: view()["round"] > number, "the dice")


def open_betting(house: House, view: View) -> None:
    """End the pause after a throw, if there is one, and wait until bets are open."""
    if not view()["betting"]:
        house.advance_clock(REST)
    until(lambda: view()["betting"], "bets that are open")


def _shaker(rules: Rulebook) -> str:
    shakers = [thing.shaker for thing in rules.equipment.values() if thing.kind == "shaker"]
    return "automated" if shakers and "manual" not in shakers else "manual"


def _setup(rules: Rulebook) -> dict[str, Any]:
    unit = 10**rules.decimals
    limits = {"*": {"stake_min": unit, "stake_max": 500 * unit}}
    for wager in rules.wagers.values():
        text = text_limit(rules, wager)
        least, most = max(unit, text.stake_min), min(500 * unit, text.stake_max)
        if (least, most) != (unit, 500 * unit):
            limits[wager.id] = {"stake_min": least, "stake_max": most}
    return {
        "book": rules.id,
        "digest": rules.digest,
        "facility": "Story house",
        "currency": rules.identity.currency,
        "shaker": _shaker(rules),
        "limits": limits,
    }


def _make_checks(rules: Rulebook, act: Any, top: str) -> None:
    """Make the checks and inspections that the book requires before betting."""
    shaker = _shaker(rules)
    for thing, found in rules.equipment.items():
        if found.checklist and found.shaker in (None, shaker):
            points = [point for point in found.requires if point.shaker in (None, shaker)]
            act(top, "CheckEquipment", equipment=thing, points=[True] * len(points))
    for name, fields in rules.inspections.items():
        if fields.shaker not in (None, shaker):
            continue
        values = fields.how == "enter three values"
        lit = list(illuminate(rules, Roll.of(1, 2, 3))) if values else []
        act(
            fields.who[0], "Inspect", inspection=name, entered=[1, 2, 3] if values else [], lit=lit, proper=fields.times
        )
