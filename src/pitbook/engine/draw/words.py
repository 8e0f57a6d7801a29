"""The words of a diagram: English, or the Chinese of the layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.money import Wording
from pitbook.rulebooks.wagers import Count

if TYPE_CHECKING:
    from pitbook.money import Odds
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Label
    from pitbook.rulebooks.wagers import Spec
    from pitbook.wager.hand import Hand

Language = Literal["en", "zh"]


class English:
    """English, as in the books."""

    last_number = "the last number"
    the_point = "the point"
    missing_number = "a missing number"
    its_number = "one of its numbers"
    other = "any other"
    a_point = "a point"
    any_state = "any state"
    stays = "stays"
    the_throw = "the throw"
    working = "working"
    off = "off"
    nothing_marked = "nothing marked"
    point_on = ", point on"

    def name(self, label: Label) -> str:
        """Return a wager by its name."""
        return label.en

    def first_paytable(self, name: str | None, count: int) -> str:
        """Return which pays are shown."""
        return f"pays by {name}, the first of {count} pay tables"

    def summary(self, states: int) -> str:
        """Return the note on a summary."""
        return f"a summary of {self.states(states)}"

    def states(self, count: int) -> str:
        """Return how many states a node represents."""
        return f"{count:,} states"

    def ways(self, ways: str, of: int) -> str:
        """Return in how many of the throws: "6 of 36"."""
        return f"{ways} of {of}"

    def marked(self, count: int) -> str:
        """Return how many numbers have been."""
        return f"{count} marked"

    def times(self, count: int, wanted: int) -> str:
        """Return how often a number has come."""
        return f"{count} of {wanted}"

    def counted(self, spec: Count, count: int, *, more: bool = False) -> str:
        """Return how many points were made, or pass lines won."""
        noun = {"points made": "point", "pass line wins": "win", "rolls": "roll"}[spec.counts]
        return f"{count}{'+' if more else ''} {noun if count == 1 else f'{noun}s'}"

    def hand(self, hand: Hand) -> str:
        """Return the shooter's hand, after the wager's progress."""
        return f", {hand}"

    def end(self, rules: Rulebook, spec: Spec, row: str, odds: Odds) -> str:
        """Return the row in which a wager ends, and what it pays."""
        pays = rules.printed(odds)
        name = self.counted(spec, int(row)) if isinstance(spec, Count) and row.isdecimal() else row
        return name if name == pays else f"{name}: {pays}"


class Chinese(English):
    """Chinese, as at a table in Macau."""

    last_number = "最後一個數目"
    the_point = "目標點"
    missing_number = "尚欠的數目"
    its_number = "其中一個數目"
    other = "其他點數"
    a_point = "定出目標點"
    any_state = "任何狀態"
    stays = "維持不變"
    the_throw = "擲骰"
    working = "生效"
    off = "暫停"
    nothing_marked = "尚未標記"
    point_on = "，已有目標點"

    def name(self, label: Label) -> str:
        return label.zh

    def first_paytable(self, name: str | None, count: int) -> str:
        return f"賠率按 {name}，{count} 個賠率表之首"

    def summary(self, states: int) -> str:
        return f"{self.states(states)}的摘要"

    def states(self, count: int) -> str:
        return f"{count:,} 個狀態"

    def ways(self, ways: str, of: int) -> str:
        return f"{of} 中 {ways}"

    def marked(self, count: int) -> str:
        return f"已標記 {count} 個"

    def times(self, count: int, wanted: int) -> str:
        return f"{wanted} 次中 {count} 次"

    def counted(self, spec: Count, count: int, *, more: bool = False) -> str:
        noun = {"points made": "中點", "pass line wins": "過線贏", "rolls": "擲骰"}[spec.counts]
        return f"{noun} {count} 次{'或以上' if more else ''}"

    def hand(self, hand: Hand) -> str:
        return "，出場擲" if hand.point is None else f"，目標點 {hand.point}"

    def end(self, rules: Rulebook, spec: Spec, row: str, odds: Odds) -> str:
        result = {"win": "贏", "push": "和局", "lose": "輸"}[odds.result]
        name = self.counted(spec, int(row)) if isinstance(spec, Count) and row.isdecimal() else result
        if not odds.wins:
            return name if name == result else f"{name}：{result}"
        wording, pays = odds.worded(rules.odds.wording)
        return f"{name}：{pays.denominator}{_VERBS[wording]}{pays.numerator:,}"


_VERBS = {Wording.TO: "賠", Wording.FOR: "得", Wording.WIN: "贏"}
"""With "for" (得) the stake is among it."""

WORDS: dict[Language, English] = {"en": English(), "zh": Chinese()}
