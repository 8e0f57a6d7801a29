"""Describe when a wager's rows are reached, with the messages in `rows.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.messages import compose
from pitbook.rulebooks import conditions as c
from pitbook.rulebooks.wagers import LOSE_ROW, RETURN_ROW, WIN_ROW, Collect, Count, Own, Pattern, Phases, Repeat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.messages import Language
    from pitbook.rulebooks.conditions import Condition
    from pitbook.rulebooks.wagers import Spec

_COMPARISONS = {"=": "exactly", ">=": "least", "<=": "most", ">": "more", "<": "fewer"}
_PHASES = ("phase.come-out", "phase.the-point", "phase.point-on")
_OWN_PHASES = ("phase.next-roll", "phase.own-number", "phase.moved")


def describe_rows(spec: Spec, language: Language) -> dict[str, str]:
    """Return when each row of a wager is reached.

    >>> from pitbook.rulebooks.conditions import parse_condition
    >>> small = Pattern((("win", parse_condition("total 4..10 and not triple", 3)),))
    >>> describe_rows(small, "en")
    {'win': 'the total is 4 to 10, and no triple', 'lose': 'anything else'}
    >>> describe_rows(small, "zh-Hant")["win"]
    '總點數為 4 至 10，且非圍骰'
    """
    return _Writer(language).rows(spec)


class _Writer:
    """Writes descriptions in a language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def text(self, id: str, /, **params: Any) -> str:  # noqa: A002
        return compose(f"rows.{id}", **params).text(self.language)

    def rows(self, spec: Spec) -> dict[str, str]:
        match spec:
            case Pattern():
                texts = {row: self.condition(condition) for row, condition in spec.rows}
                return {**texts, LOSE_ROW: self.text("other")}
            case Collect():
                return self.collected(spec)
            case Repeat():
                numbers, before = self.listed("or", sorted(spec.numbers)), self.text(f"before.{spec.loses_on}")
                wins = self.text("repeat", numbers=numbers, times=spec.times, before=before)
                return {WIN_ROW: wins, LOSE_ROW: self.text(f"first.{spec.loses_on}")}
            case Count():
                return self.counts(spec.rows, spec.counts, spec.ends_on, open_ended=True)
            case Phases():
                return {row: self.phases(spec, row) for row in spec.rows}
            case Own():  # the server reads no book with a game in Python
                return {row: row for row in spec.game.rows}

    def collected(self, spec: Collect) -> dict[str, str]:
        points = spec.collected == "points made"
        if spec.rows:
            counted = "different points made" if points else "numbers"
            return self.counts(spec.rows, counted, spec.loses_on, open_ended=False)
        before = self.text(f"before.{spec.loses_on}")
        if spec.conditions or points:
            wins = self.text(f"all.{'points made' if points else 'numbers'}", count=len(spec.numbers), before=before)
        else:
            wins = self.text("collect", numbers=self.listed("and", sorted(spec.numbers)), before=before)
        return {WIN_ROW: wins, LOSE_ROW: self.text(f"first.{spec.loses_on}")}

    def counts(self, rows: tuple[str, ...], counted: str, ends_on: str, *, open_ended: bool) -> dict[str, str]:
        spans: dict[str, list[int]] = {}
        for count, row in enumerate(rows):
            spans.setdefault(row, []).append(count)
        texts = {}
        for row, counts in spans.items():
            low, high = counts[0], counts[-1]
            more = open_ended and high == len(rows) - 1
            span = low if more or low == high else self.text("counted.span", low=low, high=high)
            how = "more" if more else "one" if span == 1 else "several"
            texts[row] = self.text(f"counted.{counted}", span=span, how=how, at=self.text(f"at.{ends_on}"))
        return texts

    def phases(self, spec: Phases, row: str) -> str:
        """Return when a row of a bet on the hand is reached, phase by phase."""
        if row == RETURN_ROW:
            return self.text("off")
        found = {point: one for point, rows in spec.phases for name, one in rows if name == row}
        texts = {point: self.condition(one) for point, one in found.items()}
        if set(found) == set(spec.every_point) and len(set(texts.values())) == 1:
            return next(iter(texts.values()))
        # A bet with its own point is decided by the next roll, or moves to its number.
        first, the_point, point_on = _OWN_PHASES if spec.own_point else _PHASES
        parts = []
        if None in texts:
            parts.append(self.text(first, condition=texts.pop(None)))
        if len(texts) > 1 and all(found[point] == c.TotalBetween(point, point) for point in texts if point):
            parts.append(self.text(the_point))
        elif len(set(texts.values())) == 1 and len(texts) > 1:
            parts.append(self.text(point_on, condition=next(iter(texts.values()))))
        else:
            parts += [self.text("phase.point", point=point, condition=one) for point, one in texts.items()]
        described, *others = parts
        for phase in others:
            described = self.text("phase.next", before=described, phase=phase)
        return described

    def condition(self, condition: Condition) -> str:
        match condition:
            case c.Pair() | c.Not(c.Pair()):
                return self.text("dice.pair" if isinstance(condition, c.Pair) else "dice.no-pair")
            case c.Triple() | c.Not(c.Triple()):
                return self.text("dice.triple" if isinstance(condition, c.Triple) else "dice.no-triple")
            case c.TotalBetween(low, high) if low == high:
                return self.text("dice.total", total=low)
            case c.TotalBetween(low, high) if high == low + 1:
                return self.text("dice.total-two", low=low, high=high)
            case c.TotalBetween(low, high):
                return self.text("dice.total-span", low=low, high=high)
            case c.TotalParity(odd):
                return self.text("dice.odd" if odd else "dice.even")
            case c.FaceCount(face, comparison, dice):
                return self.text("dice.face", face=face, how=_COMPARISONS[comparison], dice=dice)
            case c.Shows(faces):
                return self.text("dice.shows", faces=self.listed("and", faces))
            case c.Exactly(faces):
                return self.text("dice.exactly", faces=self.listed("and", sorted(faces)))
            case c.ThreeOf(faces):
                return self.text("dice.three-of", faces=self.listed("and", faces))
            case c.AnyOf(throws):
                return self.text(
                    "dice.any-of", throws=self.listed("or", ("-".join(map(str, faces)) for faces in throws))
                )
            case c.Not(inner):
                return self.text("dice.not", condition=self.condition(inner))
            case c.Both(left, right):
                return self.text("dice.both", left=self.operand(left, c.Either), right=self.operand(right, c.Either))
            case c.Either(left, right):
                return self.text("dice.either", left=self.operand(left, c.Both), right=self.operand(right, c.Both))
        raise AssertionError(f"a condition without words: {condition!r}")

    def operand(self, condition: Condition, bracketed: type) -> str:
        """Return one side of `and` or `or`, in brackets where it is the other of the two."""
        text = self.condition(condition)
        return self.text("dice.operand", condition=text) if isinstance(condition, bracketed) else text

    def listed(self, word: str, items: Iterable[object]) -> str:
        *first, last = map(str, items)
        return self.text(f"list.{word}", first=first, last=last) if first else last
