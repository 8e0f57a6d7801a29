"""From a book to what the API says of it, encoded once for everybody who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.dice import throws
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.rulebooks.wagers import Spec
from pitbook.server.books import wire_books as wire
from pitbook.server.books.library import books, opened
from pitbook.server.books.pictures import picture_of
from pitbook.server.books.wire_wagers import Figure, Label, Limits, PayTable, WagerEntry, WagerList, Window
from pitbook.server.books.wording import rows_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pydantic import BaseModel

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.server.books.library import Chosen
    from pitbook.server.books.wording import Language


def figure(value: Fraction | int) -> Figure:
    """A fraction for the wire.

    >>> from fractions import Fraction
    >>> figure(Fraction(1, 36))
    Figure(exact='1/36', value=0.027777777777777776)
    """
    return Figure(str(value), float(value))


def book_list() -> bytes:
    """All books of the house."""
    return msgspec.json.encode(wire.BookList([_line(chosen) for chosen in books()]))


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
        identity=_one(rules.identity, wire.Identity),
        odds=_one(rules.odds, wire.OddsRule),
        groups=_all(rules.groups, wire.Group),
        wagers=[wager_entry(rules, wager, language) for wager in rules.wagers.values()],
        withheld=dict(rules.withheld),
        options=_all(rules.options, wire.Option, rules.options_chosen),
        options_chosen=dict(rules.options_chosen),
        readings=_all(rules.readings, wire.Reading, rules.readings_chosen),
        procedure=_one(rules.procedure, wire.Procedure),
        equipment=_all(rules.equipment, wire.Equipment),
        inspections=_all(rules.inspections, wire.Inspection),
        irregularities=_all(rules.irregularities, wire.Irregularity),
        roles=_all(rules.roles, wire.Role),
        ranks=_one(rules.ranks, wire.Ranks),
        layout=_one(rules.layout, wire.Layout),
        clauses=_all(rules.clauses, wire.Clause),
    )
    return msgspec.json.encode(page)


def wager_list(chosen: Chosen, ids: Sequence[str], language: Language) -> bytes:
    """Some wagers of a book."""
    rules = opened(chosen)
    entries = [wager_entry(rules, rules.wager(wager_id), language) for wager_id in ids]
    return msgspec.json.encode(WagerList(rules.id, rules.digest, entries))


def wager_entry(rules: Rulebook, wager: Wager, language: Language) -> WagerEntry:
    """One wager."""
    return WagerEntry(
        wager=wager.id,
        family=wager.family,
        selection=wager.selection,
        group=wager.group,
        name=_one(wager.name, Label),
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
        window=_one(wager.window, Window) if wager.window else None,
        limits=_one(wager.limits, Limits) if wager.limits else None,
        after_win=wager.after_win,
        readings=rules.readings_of(wager),
        clauses=clauses_of(wager),
    )


def clauses_of(wager: Wager) -> list[str]:
    """The clauses that define a wager and set its pays."""
    tables = wager.row_clauses.values()
    return list(dict.fromkeys([*wager.clauses, *(clause for rows in tables for clause in rows.values())]))


_KINDS: dict[str, Any] = {kind.__name__: kind.__name__.lower() for kind in Spec.__args__}


def _one(part: BaseModel, kind: type[Any], **more: str) -> Any:
    return msgspec.convert({**part.model_dump(), **more}, kind)


def _all(parts: Mapping[str, Any], kind: type[Any], chosen: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {name: _one(part, kind, **({"chosen": chosen[name]} if chosen else {})) for name, part in parts.items()}
