"""A table of a running server, driven over HTTP with the methods of `pitbook.testing.TableDriver`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from pitbook.testing import SHOWN

DICE = (1, 2, 3)
STEPS_MAX = 20


@dataclass(frozen=True)
class HttpTable:
    """A table and how its staff see it and give it commands."""

    page: Callable[[], dict[str, Any]]
    """Return the table as its staff see it."""
    ask: Callable[[str, dict[str, Any]], httpx.Response]
    """Give a command in a role."""

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page()["view"]
        return found

    def due(self) -> str | None:
        """Return the id of the step that is due."""
        found: str | None = self.view["due"]
        return found

    def take(self, step: str, role: str = "dealer", **fields: Any) -> None:
        """Take a step by its id."""
        answer = self.ask(role, {"type": "TakeStep", "step": step, **fields})
        assert answer.status_code == 200, (step, answer.text)

    def take_step(self, dice: tuple[int, ...] = DICE) -> None:
        """Take the step that is due, as the first of the staff who may."""
        view = self.view
        step = next(one for one in view["procedure"] if one["id"] == view["due"])
        fields: dict[str, Any] = {"dice": dice} if step["act"] in SHOWN else {}
        fields |= {"shakes": 3} if step["act"] == "shake" else {}
        role = next((one for one in step["who"] if one not in ("player", "shooter")), "dealer")
        self.take(step["id"], role, **fields)

    def take_steps(self, dice: tuple[int, ...] = DICE, until: str | None = None) -> None:
        """Take the steps that are due, to the end of the round or up to a step by its id, in this round or the next."""
        number = self.view["round"]
        for _ in range(STEPS_MAX):
            view = self.view
            if view["due"] == until if until else view["round"] != number:
                return
            self.take_step(dice)
        raise AssertionError(f"{until or 'the end of the round'} never came")

    def play_round(self, *dice: int) -> int:
        """Play the round to its end, however far it has come; return its number."""
        number: int = self.view["round"]
        self.take_steps(dice or DICE)
        return number
