"""Dealing at the demo tables over HTTP: the steps of a round, each sent with the step that was displayed."""

from __future__ import annotations

from typing import Any

from tests.server.whole.clients import Visitor, done

SETTLE = ("announce-dice", "enter-dice", "collect", "pay", "clear")
ORDER = {
    "massachusetts": ("close", "shake-manual", "uncover", *SETTLE),
    "maryland": ("shake-manual", "close", "uncover", *SETTLE),
}
"""What the dealer does, in each text's own order; the device lights up on its own."""


def fields_of(step: str, dice: tuple[int, ...]) -> dict[str, Any]:
    """Return the fields of a step."""
    if step in ("announce-dice", "enter-dice", "roll"):
        return {"dice": list(dice)}
    return {"shakes": 3} if step == "shake-manual" else {}


def deal(dealer: Visitor, table: str, steps: tuple[str, ...], dice: tuple[int, ...] = (1, 2, 3)) -> list[str]:
    """Take steps in order; return the kinds of all resulting events."""
    kinds: list[str] = []
    for step in steps:
        seen = dealer.table(table)
        assert seen["staff"]["due"]["id"] == step, "the server names the step that is due"
        expected = {"round": seen["view"]["round"], "step": seen["view"]["step"]}
        kinds += done(dealer.step(table, step, expected=expected, **fields_of(step, dice)))["events"]
    return kinds


def whole_round(dealer: Visitor, table: str, dice: tuple[int, ...]) -> list[str]:
    """Deal a round from its close or shake to its end."""
    return deal(dealer, table, ORDER[table], dice)


def see_roll_through(dealer: Visitor, table: str, second: Visitor | None = None) -> list[str]:
    """Take every step after a roll of craps; dealer envy is confirmed by a second person."""
    kinds: list[str] = []
    while (due := dealer.table(table)["staff"]["due"])["id"] != "roll":
        if due["act"] == "pay winners" and second is not None:
            box = {"name": second.name, "role": "box-person"}
            parked = done(dealer.step(table, due["id"], confirmed_by=box), 202)
            kinds += done(second.approve(parked["approval"]))["events"]
        else:
            kinds += done(dealer.step(table, due["id"]))["events"]
    return kinds
