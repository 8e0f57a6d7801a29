"""Find the wagers, pay tables and odds that a request names, and collect every error with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pitbook.errors import InputError, quoted, suggestion
from pitbook.money import Odds
from pitbook.rulebooks.wagers import LOSE_ROW, Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.http.errors import RequestErrors

ALL = "*"
Tables = dict[str, str]
"""The pay table chosen for a wager, by wager id."""
Tries = dict[str, dict[str, str]]
"""Other odds for a wager's rows, by wager id and row."""


def named_wagers(rules: Rulebook, words: Sequence[str], wrongs: RequestErrors, place: str = "query.wager") -> list[str]:
    """The wagers meant by ids, families and groups; all of them without a word."""
    ids: list[str] = []
    for word in words:
        ids += _wagers(rules, word, wrongs, place)
    return list(dict.fromkeys(ids)) if words else list(rules.wagers)


def _wagers(rules: Rulebook, word: str, wrongs: RequestErrors, place: str) -> list[str]:
    if word in rules.wagers:
        return [word]
    alike = [wager.id for wager in rules.wagers.values() if word in (wager.family, wager.group)]
    if not alike:
        try:
            rules.wager(word)
        except InputError as mistake:
            wrongs.note(place, mistake)
    return alike


def _pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    """Pay tables as an address names them: `PT2` for all wagers that have it, or `all-lows:PT2`."""
    return [(name, table) if colon else (ALL, word) for word in words for name, colon, table in [word.rpartition(":")]]


def chosen_paytables(rules: Rulebook, given: Mapping[str, str] | Sequence[str] | None, wrongs: RequestErrors) -> Tables:
    """The pay table of each wager that one was named for."""
    chosen: Tables = {}
    by_name = isinstance(given, Mapping)
    for name, table in given.items() if isinstance(given, Mapping) else _pairs(given or ()):
        place = f"body.paytables.{name[:80]}" if by_name else "query.paytable"
        if name == ALL:
            having = [wager.id for wager in rules.wagers.values() if table in wager.paytables]
            if not having:
                known = sorted({str(other) for wager in rules.wagers.values() for other in wager.paytables if other})
                there_are = f"there are {', '.join(known)}" if known else "its wagers have one each, without a name"
                wrongs.note(place, f"no wager of {rules.id} has a pay table {quoted(table)}; {there_are}")
            chosen |= dict.fromkeys(having, table)
            continue
        for wager_id in _wagers(rules, name, wrongs, place):
            try:
                chosen[wager_id] = str(rules.paytable(rules.wagers[wager_id], table))
            except InputError as mistake:
                wrongs.note(place, mistake)
                break
    return chosen


def tried_odds(rules: Rulebook, pays: Mapping[str, str | dict[str, str]], wrongs: RequestErrors) -> Tries:
    """The odds to be tried for each wager; what is said of a wager itself goes before what is said of its family."""
    tries: Tries = {}
    for name in sorted(pays, key=lambda name: name in rules.wagers):
        place = f"body.pays.{name[:80]}"
        for wager_id in _wagers(rules, name, wrongs, place):
            noted = len(wrongs.found)
            rows = _rows(rules.wagers[wager_id], pays[name], place, wrongs)
            if len(wrongs.found) > noted:
                break  # its whole family has the same mistake
            tries.setdefault(wager_id, {}).update(rows)
    return tries


def _rows(wager: Wager, given: str | dict[str, str], place: str, wrongs: RequestErrors) -> dict[str, str]:
    payable = [row for row in wager.rows if row != LOSE_ROW or isinstance(wager.spec, Count)]
    if isinstance(given, str):
        if len(payable) > 1:
            wrongs.note(place, f"{wager.id} has several rows; give odds by row: {', '.join(payable)}")
            return {}
        given = {payable[0]: given}
        places = {payable[0]: place}
    else:
        places = {row: f"{place}.{row[:80]}" for row in given}
    for row, odds in given.items():
        if row not in payable:
            wrongs.note(places[row], f"{wager.id} has no row {quoted(row)} that pays; {suggestion(row, payable)}")
            continue
        try:
            Odds.parse(odds)
        except InputError as mistake:
            wrongs.note(places[row], mistake)
    return dict(given)
