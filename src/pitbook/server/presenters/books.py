"""Present books for the API as encoded JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.dice import throws
from pitbook.rulebooks.catalogue import SHIPPED
from pitbook.rulebooks.wagers import Spec
from pitbook.server.books.pictures import build_picture
from pitbook.server.books.scripts import SentLanguage, message_language
from pitbook.server.books.wording import describe_rows
from pitbook.server.schemas import books as wire
from pitbook.server.schemas.wagers import Figure, PayTable, WagerEntry, WagerList, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Text
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.books.library import ChosenBook, Library


ChosenT = TypeVar("ChosenT", wire.ChosenOption, wire.ChosenReading)


def figure(value: Fraction | int) -> Figure:
    """Return a number as its exact text and its value.

    >>> from fractions import Fraction
    >>> figure(Fraction(1, 36))
    Figure(exact='1/36', value=0.027777777777777776)
    """
    return Figure(str(value), float(value))


def book_list(library: Library, chosen: Iterable[ChosenBook]) -> bytes:
    """Return some or all books of the house."""
    return encode(wire.BookList([_book_line(library.load_book(one)) for one in chosen]))


def _book_line(rules: Rulebook) -> wire.BookLine:
    identity = rules.identity
    return wire.BookLine(
        book=rules.id,
        title=identity.title.label,
        short=(identity.short or identity.title).label,
        authority=identity.authority.label,
        inferred=identity.inferred,
        version=identity.version,
        in_force_since=identity.in_force_since,
        game=identity.game,
        dice=identity.dice,
        currency=identity.currency,
        wagers=len(rules.wagers),
        clauses=len(rules.clauses),
        digest=rules.digest,
        about=identity.about.label,
        packaged=rules.id in SHIPPED,
    )


def book_page(rules: Rulebook, language: SentLanguage) -> bytes:
    """Return a whole book."""
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
        withheld={wager: reason.text(message_language(language)) for wager, reason in rules.withheld.items()},
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


def wager_list(rules: Rulebook, ids: Sequence[str], language: SentLanguage) -> bytes:
    """Return some wagers of a book."""
    entries = [wager_entry(rules, rules.wager(wager_id), language) for wager_id in ids]
    return encode(WagerList(rules.id, rules.digest, entries))


def wager_entry(rules: Rulebook, wager: Wager, language: SentLanguage) -> WagerEntry:
    return WagerEntry(
        wager=wager.id,
        family=wager.family,
        selection=wager.selection,
        group=wager.group,
        name=wager.name,
        picture=build_picture(wager.spec, rules.dice),
        decided=_KINDS[type(wager.spec).__name__],
        one_roll=wager.one_roll,
        rows=list(wager.rows),
        wins=describe_rows(wager.spec, message_language(language)),
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
        parent=wager.tied.parent if wager.tied else None,
        commission=wager.commission,
        after_win=wager.after_win,
        readings=rules.readings_of(wager),
        clauses=wager_clauses(wager),
    )


def wager_clauses(wager: Wager) -> list[str]:
    """Return the clauses that define a wager and set its pays."""
    tables = wager.row_clauses.values()
    return list(dict.fromkeys([*wager.clauses, *(clause for rows in tables for clause in rows.values())]))


_KINDS: dict[str, Any] = {kind.__name__: kind.__name__.lower() for kind in Spec.__args__}


def _with_chosen(parts: Mapping[str, Text], chosen: Mapping[str, str], kind: type[ChosenT]) -> dict[str, ChosenT]:
    return {name: kind(**dict(part), chosen=chosen[name]) for name, part in parts.items()}
