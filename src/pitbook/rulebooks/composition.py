"""A base game and side bets on one hand: several books as one.

The first book is the base: its hand, its rounding, its people and its procedure hold for all. Side bets keep their own
clauses, which are cited with their book's id.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, unknown
from pitbook.rulebooks.text import Layout
from pitbook.rulebooks.wagers import Own, Pattern, Phases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Block
    from pitbook.rulebooks.wagers import HandRule, Spec, Wager

JOINED_BY = "+"


def options_by_book(books: Mapping[str, Sequence[str]], options: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return each book's options, out of names that one book alone has, or that are written BOOK.NAME."""
    found: dict[str, dict[str, str]] = {book: {} for book in books}
    for name, value in options.items():
        book, dot, own = name.partition(".")
        if dot and book in books:
            found[book][own] = value
            continue
        having = [book for book, known in books.items() if name in known]
        if not having:
            raise unknown("option", name, [one for known in books.values() for one in known], JOINED_BY.join(books))
        if len(having) > 1:
            raise InputError(f"{' and '.join(having)} have an option {name!r}; write {having[0]}.{name}")
        found[having[0]][name] = value
    return found


def compose(books: Sequence[Rulebook]) -> Rulebook:
    """Return a base book with side-bet books beside it, as one book on one hand."""
    base, *sides = books
    wagers, every, withheld = dict(base.wagers), dict(base.every), dict(base.withheld)
    named: dict[str, Any] = {
        part: dict(getattr(base, part))
        for part in (
            "groups",
            "readings",
            "readings_chosen",
            "options",
            "options_chosen",
            "roles",
            "equipment",
            "clauses",
        )
    }
    wording, blocks = list(base.odds.wording), list(base.layout.blocks)
    for side in sides:
        _check_pair(base, side, every)
        added = {wager_id: _beside(wager, side.id, base.hand) for wager_id, wager in side.every.items()}
        every |= added
        wagers |= {wager_id: added[wager_id] for wager_id in side.wagers}
        withheld |= side.withheld
        for part, entries in named.items():
            of_side = getattr(side, part)
            if part == "clauses":
                of_side = {f"{side.id} {clause}": entry for clause, entry in of_side.items()}
            named[part] = {**of_side, **entries}
        wording += [word for word in side.odds.wording if word not in wording]
        blocks += [_block_beside(block, side.id) for block in side.layout.blocks]
    ids = [book.id for book in books]
    return replace(
        base,
        file=JOINED_BY.join(book.file for book in books),
        digest=hashlib.sha256(" ".join(book.digest for book in books).encode()).hexdigest(),
        identity=base.identity.model_copy(
            update={"id": JOINED_BY.join(ids), "title": " + ".join(book.identity.title for book in books)}
        ),
        odds=base.odds.model_copy(update={"wording": wording}),
        wagers=wagers,
        every=every,
        withheld=withheld,
        layout=Layout.model_construct(blocks=blocks),
        own_limits=frozenset().union(*(book.own_limits for book in books)),
        **named,
    )


def _check_pair(base: Rulebook, side: Rulebook, every: Mapping[str, Wager]) -> None:
    for what in ("game", "dice", "currency"):
        ours, theirs = getattr(base.identity, what), getattr(side.identity, what)
        if ours != theirs:
            raise InputError(f"{side.id} cannot stand beside {base.id}: its {what} is {theirs}, not {ours}")
    if side.favour is not base.favour:
        raise InputError(f"{side.id} cannot stand beside {base.id}: it rounds in the {side.favour}'s favour")
    twice = [wager_id for wager_id in side.every if wager_id in every]
    if twice:
        raise InputError(f"{side.id} cannot stand beside {base.id}: both have {', '.join(twice[:5])}")


def _beside(wager: Wager, book: str, hand: HandRule) -> Wager:
    """Return a side bet's wager on the base game's hand, its clauses cited with its book."""

    def cited(clauses: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{book} {clause}" for clause in clauses)

    def part(text: Any) -> Any:
        return text and text.model_copy(update={"clause": list(cited(text.clause))})

    return replace(
        wager,
        spec=_on_hand(wager.spec, hand),
        clauses=cited(wager.clauses),
        row_clauses={
            table: {row: f"{book} {clause}" for row, clause in rows.items()}
            for table, rows in wager.row_clauses.items()
        },
        window=part(wager.window),
        limits=part(wager.limits),
        envy=part(wager.envy),
        take_down=part(wager.take_down),
        calls=part(wager.calls),
        tied=part(wager.tied),
        commission=part(wager.commission),
        after_win_clauses=cited(wager.after_win_clauses),
    )


def _on_hand(spec: Spec, hand: HandRule) -> Spec:
    if isinstance(spec, Phases) and spec.hand != hand:
        raise InputError("a bet of phases is made for one hand: state it in the base book")
    return spec if isinstance(spec, Pattern | Own) else replace(spec, hand=hand)


def _block_beside(block: Block, book: str) -> Block:
    return block.model_copy(update={"id": f"{book}-{block.id}", "clause": [f"{book} {one}" for one in block.clause]})
