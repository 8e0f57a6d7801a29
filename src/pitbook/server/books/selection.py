"""Find the wagers, pay tables and odds that a request names, and collect every error with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pitbook.errors import InputError, quoted, suggestion
from pitbook.money import Odds
from pitbook.rulebooks.wagers import FIXED_ROWS, has_ladder
from pitbook.server.http.errors import detail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.http.errors import RequestErrors

ALL = "*"
PaytableChoices = dict[str, str]
"""The pay table chosen for a wager, by wager id."""
TrialOdds = dict[str, dict[str, str]]
"""Other odds for a wager's rows, by wager id and row."""


def find_wagers(rules: Rulebook, words: Sequence[str], errors: RequestErrors, place: str = "query.wager") -> list[str]:
    """Return the wagers meant by ids, families and groups; all of them if none is named."""
    ids: list[str] = []
    for word in words:
        ids += _matching_wagers(rules, word, errors, place)
    return list(dict.fromkeys(ids)) if words else list(rules.wagers)


def _matching_wagers(rules: Rulebook, word: str, errors: RequestErrors, place: str) -> list[str]:
    if word in rules.wagers:
        return [word]
    matches = [wager.id for wager in rules.wagers.values() if word in (wager.family, wager.group)]
    if not matches:
        try:
            rules.wager(word)
        except InputError as error:
            errors.add(place, error)
    return matches


def _parse_paytables(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return pay tables of a query by wager: `PT2` for all wagers that have it, or `all-lows:PT2`."""
    return [(name, table) if colon else (ALL, word) for word in words for name, colon, table in [word.rpartition(":")]]


def find_paytables(
    rules: Rulebook, given: Mapping[str, str] | Sequence[str] | None, errors: RequestErrors
) -> PaytableChoices:
    """Return the pay table of each wager that one was named for."""
    chosen: PaytableChoices = {}
    by_name = isinstance(given, Mapping)
    for name, table in given.items() if isinstance(given, Mapping) else _parse_paytables(given or ()):
        place = f"body.paytables.{name[:80]}" if by_name else "query.paytable"
        if name == ALL:
            having = [wager.id for wager in rules.wagers.values() if table in wager.paytables]
            if not having:
                known = sorted({str(other) for wager in rules.wagers.values() for other in wager.paytables if other})
                there = suggestion(table, known) if known else detail("field.unnamed-pay-tables")
                errors.add(place, detail("field.no-pay-table", book=rules.id, table=quoted(table), there=there))
            chosen |= dict.fromkeys(having, table)
            continue
        for wager_id in _matching_wagers(rules, name, errors, place):
            try:
                chosen[wager_id] = str(rules.paytable(rules.wagers[wager_id], table))
            except InputError as error:
                errors.add(place, error)
                break
    return chosen


def parse_trial_odds(rules: Rulebook, pays: Mapping[str, str | dict[str, str]], errors: RequestErrors) -> TrialOdds:
    """Return the odds to try for each wager; those given for a wager override those of its family."""
    tries: TrialOdds = {}
    for name in sorted(pays, key=lambda name: name in rules.wagers):
        place = f"body.pays.{name[:80]}"
        for wager_id in _matching_wagers(rules, name, errors, place):
            count_before = len(errors.found)
            rows = _parse_rows(rules.wagers[wager_id], pays[name], place, errors)
            if len(errors.found) > count_before:
                break  # its whole family has the same error
            tries.setdefault(wager_id, {}).update(rows)
    return tries


def _parse_rows(wager: Wager, given: str | dict[str, str], place: str, errors: RequestErrors) -> dict[str, str]:
    payable = [row for row in wager.rows if row not in FIXED_ROWS or has_ladder(wager.spec)]
    if isinstance(given, str):
        if len(payable) > 1:
            errors.add(place, detail("field.several-rows", wager=wager.id, rows=payable))
            return {}
        given = {payable[0]: given}
        places = {payable[0]: place}
    else:
        places = {row: f"{place}.{row[:80]}" for row in given}
    for row, odds in given.items():
        if row not in payable:
            nearest = suggestion(row, payable)
            errors.add(places[row], detail("field.no-row", wager=wager.id, row=quoted(row), nearest=nearest))
            continue
        try:
            Odds.parse(odds)
        except InputError as error:
            errors.add(places[row], error)
    return dict(given)
