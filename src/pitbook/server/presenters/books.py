"""Present a book for the API, encoded once for everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.dice import throws
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.rulebooks.wagers import Spec
from pitbook.server.books.library import books, opened
from pitbook.server.books.pictures import picture_of
from pitbook.server.books.wording import rows_in_words
from pitbook.server.schemas import books as wire
from pitbook.server.schemas.wagers import Figure, PayTable, WagerEntry, WagerList, encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Text
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.books.library import Chosen
    from pitbook.server.books.wording import Language


ChosenT = TypeVar("ChosenT", wire.ChosenOption, wire.ChosenReading)


def figure(value: Fraction | int) -> Figure:
    """A fraction for the wire.

    >>> from fractions import Fraction
    >>> figure(Fraction(1, 36))
    Figure(exact='1/36', value=0.027777777777777776)
    """
    return Figure(str(value), float(value))


def book_list() -> bytes:
    """All books of the house."""
    return encode(wire.BookList([_line(chosen) for chosen in books()]))


def _line(chosen: Chosen) -> wire.BookLine:
    rules = opened(chosen)
    identity = rules.identity
    return wire.BookLine(
        book=rules.id,
        title=identity.title,
        authority=identity.authority,
        inferred=identity.inferred,
        version=identity.version,
        in_force_since=identity.in_force_since,
        game=identity.game,
        dice=identity.dice,
        currency=identity.currency,
        wagers=len(rules.wagers),
        clauses=len(rules.clauses),
        digest=rules.digest,
        about=identity.about,
        packaged=rules.id in PACKAGED,
    )


def book_page(chosen: Chosen, language: Language) -> bytes:
    """A whole book."""
    rules = opened(chosen)
    page = wire.BookPage(
        book=rules.id,
        digest=rules.digest,
        lang=language,
        decimals=rules.decimals,
        throws=throws(rules.dice),
        identity=rules.identity,
        odds=rules.odds,
        groups=dict(rules.groups),
        wagers=[wager_entry(rules, wager, language) for wager in rules.wagers.values()],
        withheld=dict(rules.withheld),
        options=_with_chosen(rules.options, rules.options_chosen, wire.ChosenOption),
        options_chosen=dict(rules.options_chosen),
        readings=_with_chosen(rules.readings, rules.readings_chosen, wire.ChosenReading),
        procedure=rules.procedure,
        equipment=dict(rules.equipment),
        inspections=dict(rules.inspections),
        irregularities=dict(rules.irregularities),
        roles=dict(rules.roles),
        ranks=rules.ranks,
        layout=rules.layout,
        clauses=dict(rules.clauses),
    )
    return encode(page)


def wager_list(chosen: Chosen, ids: Sequence[str], language: Language) -> bytes:
    """Some wagers of a book."""
    rules = opened(chosen)
    entries = [wager_entry(rules, rules.wager(wager_id), language) for wager_id in ids]
    return encode(WagerList(rules.id, rules.digest, entries))


def wager_entry(rules: Rulebook, wager: Wager, language: Language) -> WagerEntry:
    """One wager."""
    return WagerEntry(
        wager=wager.id,
        family=wager.family,
        selection=wager.selection,
        group=wager.group,
        name=wager.name,
        picture=picture_of(wager.spec),
        decided=_KINDS[type(wager.spec).__name__],
        one_roll=wager.one_roll,
        rows=list(wager.rows),
        wins=rows_in_words(wager.spec, language),
        paytables=[
            PayTable(
                paytable=table,
                pays={row: rules.printed(odds) for row, odds in rows.items()},
                gains={row: figure(odds.gain) for row, odds in rows.items()},
                clauses=dict(wager.row_clauses[table]),
            )
            for table, rows in wager.pays.items()
        ],
        dealers_get=wager.envy_pays,
        dealers_unit=wager.envy.unit if wager.envy else None,
        window=wager.window,
        limits=wager.limits,
        after_win=wager.after_win,
        readings=rules.readings_of(wager),
        clauses=clauses_of(wager),
    )


def clauses_of(wager: Wager) -> list[str]:
    """The clauses that define a wager and set its pays."""
    tables = wager.row_clauses.values()
    return list(dict.fromkeys([*wager.clauses, *(clause for rows in tables for clause in rows.values())]))


_KINDS: dict[str, Any] = {kind.__name__: kind.__name__.lower() for kind in Spec.__args__}


def _with_chosen(parts: Mapping[str, Text], chosen: Mapping[str, str], kind: type[ChosenT]) -> dict[str, ChosenT]:
    return {name: kind(**dict(part), chosen=chosen[name]) for name, part in parts.items()}
