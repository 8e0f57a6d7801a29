"""Describe when a wager's rows are reached, in English or in the Chinese of the layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.rulebooks import conditions as c
from pitbook.rulebooks.wagers import LOSE_ROW, RETURN_ROW, WIN_ROW, Collect, Count, Own, Pattern, Phases, Repeat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.rulebooks.conditions import Condition
    from pitbook.rulebooks.text import Seven
    from pitbook.rulebooks.wagers import Spec

Language = Literal["en", "zh"]

_SIGNS = {
    "en": {"=": "exactly", ">=": "at least", "<=": "at most", ">": "more than", "<": "fewer than"},
    "zh": {"=": "恰好", ">=": "至少", "<=": "最多", ">": "多於", "<": "少於"},
}
_SEVENS: dict[str, dict[Seven, str]] = {
    "en": {"any seven": "a seven", "seven-out": "the seven-out"},
    "zh": {"any seven": "擲出 7 ", "seven-out": "七點出局"},
}
_COUNTED = {
    "points made": ("point made", "points made", "中點"),
    "pass line wins": ("pass line win", "pass line wins", "過線贏"),
    "rolls": ("roll", "rolls", "擲骰"),
}


def describe_rows(spec: Spec, language: Language) -> dict[str, str]:
    """Return when each row of a wager is reached.

    >>> from pitbook.rulebooks.conditions import parse_condition
    >>> small = Pattern((("win", parse_condition("total 4..10 and not triple", 3)),))
    >>> describe_rows(small, "en")
    {'win': 'the total is 4 to 10, and no triple', 'lose': 'anything else'}
    >>> describe_rows(small, "zh")["win"]
    '總點數為 4 至 10，且非圍骰'
    """
    en = language == "en"
    match spec:
        case Pattern():
            texts = {row: _describe(condition, language) for row, condition in spec.rows}
            return {**texts, LOSE_ROW: "anything else" if en else "其他結果"}
        case Collect() if spec.rows or spec.conditions or spec.collected != "each roll":
            return _describe_collected(spec, language)
        case Collect():
            seven = _SEVENS[language][spec.loses_on]
            numbers = sorted(spec.numbers)
            wins = (
                f"each of the totals {_and(numbers)} before {seven}"
                if en
                else f"{seven}之前，總點數 {_list(numbers)} 全部出現"
            )
            return {WIN_ROW: wins, LOSE_ROW: _seven_first(seven, en=en)}
        case Repeat():
            seven = _SEVENS[language][spec.loses_on]
            numbers, times = sorted(spec.numbers), spec.times
            often = "once" if times == 1 else "twice" if times == 2 else f"{times} times"
            wins = (
                f"a total of {_or(numbers)} {often} before {seven}"
                if en
                else f"{seven}之前，總點數 {_list(numbers)} 共出現 {times} 次"
            )
            return {WIN_ROW: wins, LOSE_ROW: _seven_first(seven, en=en)}
        case Count():
            seven = _SEVENS[language][spec.ends_on]
            return _describe_counts(spec.rows, seven, _COUNTED[spec.counts], language, open_ended=True)
        case Phases():
            return {row: _describe_phases(spec, row, language) for row in spec.rows}
        case Own():  # the server reads no book with a game in Python
            return {row: row for row in spec.game.rows}


def _describe_collected(spec: Collect, language: Language) -> dict[str, str]:
    seven = _SEVENS[language][spec.loses_on]
    if spec.collected == "points made":
        what = ("different point made", "different points made", "不同中點")
    else:
        what = ("of its numbers", "of its numbers", "所列數目")
    if spec.rows:
        return _describe_counts(spec.rows, seven, what, language, open_ended=False)
    en = language == "en"
    wins = f"all {len(spec.numbers)} {what[1]} before {seven}" if en else f"{seven}之前，{what[2]}全部出現"
    return {WIN_ROW: wins, LOSE_ROW: _seven_first(seven, en=en)}


def _describe_phases(spec: Phases, row: str, language: Language) -> str:
    """Return when a row of a bet on the hand is reached, phase by phase."""
    en = language == "en"
    if row == RETURN_ROW:
        return "its bet is decided while it is off" if en else "所附注碼在本注暫停時已決"
    found = {point: one for point, rows in spec.phases for name, one in rows if name == row}
    texts = {point: _describe(one, language) for point, one in found.items()}
    if set(found) == set(spec.every_point) and len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    parts = []
    if None in texts:
        come_out = texts.pop(None)
        parts.append(f"on the come-out roll: {come_out}" if en else f"出場擲：{come_out}")
    if len(texts) > 1 and all(found[point] == c.TotalBetween(point, point) for point in texts if point):
        parts.append("with a point on: the point" if en else "有目標點時：目標點")
    elif len(set(texts.values())) == 1 and len(texts) > 1:
        one = next(iter(texts.values()))
        parts.append(f"with a point on: {one}" if en else f"有目標點時：{one}")
    else:
        parts += [f"on a point of {p}: {one}" if en else f"目標點 {p}：{one}" for p, one in texts.items()]
    return ("; " if en else "；").join(parts)


def _describe_counts(
    rows: tuple[str, ...], seven: str, what: tuple[str, str, str], language: Language, *, open_ended: bool
) -> dict[str, str]:
    single, several, chinese = what
    spans: dict[str, list[int]] = {}
    for count, row in enumerate(rows):
        spans.setdefault(row, []).append(count)
    texts = {}
    for row, counts in spans.items():
        low, high, top = counts[0], counts[-1], open_ended and counts[-1] == len(rows) - 1
        if language == "en":
            span = f"{low} or more" if top else f"{low}" if low == high else f"{low} to {high}"
            texts[row] = f"{span} {single if span == '1' else several} when {seven} comes"
        else:
            span = f"{low} 次或以上" if top else f"{low} 次" if low == high else f"{low} 至 {high} 次"
            texts[row] = f"{seven}時，{chinese} {span}"
    return texts


def _seven_first(seven: str, *, en: bool) -> str:
    return f"{seven} comes first" if en else f"先{seven.strip()}"


def _describe(condition: Condition, language: Language) -> str:
    return _english(condition) if language == "en" else _chinese(condition)


def _english(condition: Condition) -> str:
    match condition:
        case c.Triple():
            return "a triple"
        case c.Pair():
            return "a pair"
        case c.Not(c.Pair()):
            return "no pair"
        case c.TotalBetween(low, high):
            return f"the total is {low}" if low == high else f"the total is {low} to {high}"
        case c.TotalParity(odd):
            return f"the total is {'odd' if odd else 'even'}"
        case c.FaceCount(face, sign, dice):
            return f"{face} on {_SIGNS['en'][sign]} {dice} {'die' if dice == 1 else 'dice'}"
        case c.Shows(faces):
            return f"the dice show {_and(faces)}"
        case c.Exactly(faces):
            return f"the dice show exactly {_and(sorted(faces))}"
        case c.ThreeOf(faces):
            return f"three different numbers out of {_and(faces)}"
        case c.AnyOf(throws):
            return f"the dice show {_join(('-'.join(map(str, faces)) for faces in throws), 'or')}"
        case c.Not(c.Triple()):
            return "no triple"
        case c.Not(inner):
            return f"not ({_english(inner)})"
        case c.Both(left, right):
            return f"{_describe_operand(left, 'en', c.Either)}, and {_describe_operand(right, 'en', c.Either)}"
        case c.Either(left, right):
            return f"{_describe_operand(left, 'en', c.Both)}, or {_describe_operand(right, 'en', c.Both)}"
    raise AssertionError(f"a condition without words: {condition!r}")


def _chinese(condition: Condition) -> str:
    match condition:
        case c.Triple():
            return "圍骰"
        case c.Pair():
            return "一對"
        case c.Not(c.Pair()):
            return "非一對"
        case c.TotalBetween(low, high):
            return f"總點數為 {low}" if low == high else f"總點數為 {low} 至 {high}"
        case c.TotalParity(odd):
            return f"總點數為{'單' if odd else '雙'}數"
        case c.FaceCount(face, sign, dice):
            return f"{_SIGNS['zh'][sign]} {dice} 粒骰子擲出 {face}"
        case c.Shows(faces):
            return f"同時擲出 {_list(faces)}"
        case c.Exactly(faces):
            return f"骰子恰為 {_list(sorted(faces))}"
        case c.ThreeOf(faces):
            return f"{_list(faces)} 之中三個不同點數"
        case c.AnyOf(throws):
            return f"骰子為 {'、'.join('-'.join(map(str, faces)) for faces in throws)}"
        case c.Not(c.Triple()):
            return "非圍骰"
        case c.Not(inner):
            return f"並非（{_chinese(inner)}）"
        case c.Both(left, right):
            return f"{_describe_operand(left, 'zh', c.Either)}，且{_describe_operand(right, 'zh', c.Either)}"
        case c.Either(left, right):
            return f"{_describe_operand(left, 'zh', c.Both)}，或{_describe_operand(right, 'zh', c.Both)}"
    raise AssertionError(f"a condition without words: {condition!r}")


def _describe_operand(condition: Condition, language: Language, bracketed: type) -> str:
    """Return one side of `and` or `or`, in brackets where it is the other of the two."""
    texts = _describe(condition, language)
    if not isinstance(condition, bracketed):
        return texts
    return f"({texts})" if language == "en" else f"（{texts}）"


def _and(numbers: Iterable[int]) -> str:
    return _join(numbers, "and")


def _or(numbers: Iterable[int]) -> str:
    return _join(numbers, "or")


def _join(numbers: Iterable[object], word: str) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} {word} {last}" if first else last


def _list(numbers: Iterable[int]) -> str:
    return "、".join(map(str, numbers))
