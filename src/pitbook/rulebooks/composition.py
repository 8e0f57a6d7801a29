"""A base game and side bets on one hand: several books as one.

The first book is the base: its hand, its rounding, its ranks and its order apply to all. Side books keep their clauses,
which are cited with their book's id. What every book does in its own way (lammers, tips, booked bets) stays a
separate step for that book's areas.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pitbook.errors import InputError, quoted, unknown_name
from pitbook.rulebooks.text import BookText, Layout
from pitbook.rulebooks.wagers import Own, Pattern, Phases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Block, Equipment, Forbids, Irregularity, Procedure, Step, Text
    from pitbook.rulebooks.wagers import HandRule, Spec, Wager

JOINED_BY = "+"
APART = ("confirm bet", "place tip", "mark", "remove lammers", "re-bet")
"""Acts that concern one book's areas: each book keeps its own step."""
ORDER = ("take bets", "confirm bet", "place tip", "roll", "mark", "collect losers", "pay winners", "remove lammers")
"""Positions of a side book's own steps among those of the base book."""

_PARENTHESES = re.compile(r"\s*[(（][^()（）]*[)）]$")
T = TypeVar("T", bound="Text")


def parts_of(book: str) -> list[str]:
    """Return the ids of the books that an id joins; one that names a single book is that book.

    >>> parts_of("craps+dice-works")
    ['craps', 'dice-works']
    """
    return book.split(JOINED_BY)


def digest_of(digests: Iterable[str]) -> str:
    """Return the digest of several books together, in their order."""
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()


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
            raise unknown_name(
                "option", name, [one for known in books.values() for one in known], JOINED_BY.join(books)
            )
        if len(having) > 1:
            raise InputError(
                "rulebooks.option-of-several",
                books=" and ".join(having),
                option=quoted(name),
                first=having[0],
                name=name,
            )
        found[having[0]][name] = value
    return found


def choices_by_book(
    raws: Mapping[str, Mapping[str, Any]], readings: Mapping[str, str], options: Mapping[str, str]
) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Return the readings and options of each book, out of those of all together; the books are given as data."""
    known = {book: [*raw.get("option", {}), *(["groups"] if raw.get("group") else [])] for book, raw in raws.items()}
    chosen = options_by_book(known, options)
    read = options_by_book({book: list(raw.get("reading", {})) for book, raw in raws.items()}, readings)
    return {book: (read[book], chosen[book]) for book in raws}


def compose(books: Sequence[Rulebook]) -> Rulebook:
    """Return a base book with side-bet books beside it, as one book on one hand."""
    base, *sides = books
    wagers, every, withheld = dict(base.wagers), dict(base.every), dict(base.withheld)
    excluded = dict(base.excluded)
    named: dict[str, Any] = {
        part: dict(getattr(base, part))
        for part in ("groups", "readings", "readings_chosen", "options", "options_chosen", "roles", "clauses")
    }
    equipment, irregularities = dict(base.equipment), dict(base.irregularities)
    wording, blocks = list(base.odds.wording), list(base.layout.blocks)
    for side in sides:
        _check_pair(base, side, every)
        added = {wager_id: _side_wager(wager, side.id, base.hand) for wager_id, wager in side.every.items()}
        every |= added
        wagers |= {wager_id: added[wager_id] for wager_id in side.wagers}
        withheld |= side.withheld
        excluded |= {wager: [f"{side.id} {clause}" for clause in found] for wager, found in side.excluded.items()}
        for part, entries in named.items():
            of_side = getattr(side, part)
            if part == "clauses":
                of_side = {f"{side.id} {clause}": entry for clause, entry in of_side.items()}
            named[part] = {**of_side, **entries}
        equipment |= dict(_side_equipment(side, equipment))
        irregularities |= dict(_irregularities_beside(side, irregularities))
        wording += [word for word in side.odds.wording if word not in wording]
        blocks += [_block_beside(block, side.id) for block in side.layout.blocks]
    ids = [book.id for book in books]
    procedure, own_steps = _joined_procedure(base, sides)
    return replace(
        base,
        file=JOINED_BY.join(book.file for book in books),
        digest=digest_of(book.digest for book in books),
        identity=base.identity.model_copy(
            update={
                "id": JOINED_BY.join(ids),
                "title": _title([book.identity.title for book in books]),
                "short": _title([book.identity.short or book.identity.title for book in books]),
            }
        ),
        odds=base.odds.model_copy(update={"wording": wording}),
        wagers=wagers,
        every=every,
        withheld=withheld,
        excluded=excluded,
        equipment=equipment,
        irregularities=irregularities,
        procedure=procedure,
        layout=Layout.model_construct(blocks=blocks),
        own_limits=frozenset().union(*(book.own_limits for book in books)),
        wager_book={wager: side.id for side in sides for wager in side.every},
        step_book=own_steps,
        side_forbids={side.id: _forbids_beside(side.forbids, side.id) for side in sides},
        **named,
    )


def _title(titles: Sequence[BookText]) -> BookText:
    """Return the title of several books; those beside the base are without the part in parentheses."""

    def joined(base: str, *beside: str) -> str:
        return " + ".join([base, *(_PARENTHESES.sub("", title) for title in beside)])

    return BookText(joined(*(title.en for title in titles)), joined(*(title.zh for title in titles)))


def _check_pair(base: Rulebook, side: Rulebook, every: Mapping[str, Wager]) -> None:
    for what in ("game", "dice", "currency"):
        ours, theirs = getattr(base.identity, what), getattr(side.identity, what)
        if ours != theirs:
            raise InputError(
                "rulebooks.joined-differs", side=side.id, base=base.id, what=what, theirs=theirs, ours=ours
            )
    if side.favour is not base.favour:
        raise InputError("rulebooks.joined-favour", side=side.id, base=base.id, favour=side.favour)
    twice = [wager_id for wager_id in side.every if wager_id in every]
    if twice:
        raise InputError("rulebooks.joined-twice", side=side.id, base=base.id, names=", ".join(twice[:5]))


# ---------------------------------------------------------------- a side book's parts, cited with its id


def _cite(clauses: Iterable[str], book: str) -> list[str]:
    return [f"{book} {clause}" for clause in clauses]


def _text_beside(text: T, book: str, **changes: Any) -> T:
    """Return a part of a side book with its clauses cited."""
    for key in ("clause", "who_clause", "keeper_clause"):
        if getattr(text, key, None):
            changes[key] = _cite(getattr(text, key), book)
    return text.model_copy(update=changes)


def _side_wager(wager: Wager, book: str, hand: HandRule) -> Wager:
    """Return a side bet's wager on the base game's hand, its clauses cited with its book."""

    def part(text: Any) -> Any:
        return text and _text_beside(text, book)

    return replace(
        wager,
        spec=_on_hand(wager.spec, hand),
        clauses=tuple(_cite(wager.clauses, book)),
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
        after_win_clauses=tuple(_cite(wager.after_win_clauses, book)),
    )


def _on_hand(spec: Spec, hand: HandRule) -> Spec:
    if isinstance(spec, Phases) and spec.hand != hand:
        raise InputError("rulebooks.phases")
    return spec if isinstance(spec, Pattern | Own) else replace(spec, hand=hand)


def _block_beside(block: Block, book: str) -> Block:
    return _text_beside(block, book, id=f"{book}-{block.id}")


def _side_equipment(side: Rulebook, there: Mapping[str, Equipment]) -> Iterable[tuple[str, Equipment]]:
    """Yield a side book's equipment; the dice are the base game's, and a name that is taken gets the book's id."""
    for name, thing in side.equipment.items():
        if thing.kind == "dice" and any(other.kind == "dice" for other in there.values()):
            continue
        requires = [_text_beside(one, side.id) for one in thing.requires]
        yield f"{side.id}-{name}" if name in there else name, _text_beside(thing, side.id, requires=requires)


def _irregularities_beside(side: Rulebook, there: Mapping[str, Irregularity]) -> Iterable[tuple[str, Irregularity]]:
    """Yield a side book's irregularities; one that the base has, too, is the base's, with the clauses of both."""
    for name, rule in side.irregularities.items():
        known = there.get(name)
        if known is None:
            yield name, _text_beside(rule, side.id)
            continue
        called_by = [*known.called_by, *(role for role in rule.called_by if role not in known.called_by)]
        clause = [*known.clause, *_cite(rule.clause, side.id)]
        yield name, known.model_copy(update={"called_by": called_by, "clause": clause})


def _forbids_beside(forbids: Forbids, book: str) -> Forbids:
    changes: dict[str, Any] = {key: _cite(value, book) for key, value in forbids if isinstance(value, list)}
    selections = {family: _cite(clauses, book) for family, clauses in forbids.selections.items()}
    return forbids.model_copy(update={**changes, "selections": selections})


# ---------------------------------------------------------------- one procedure


def _joined_procedure(base: Rulebook, sides: Sequence[Rulebook]) -> tuple[Procedure, dict[str, str]]:
    """Return the steps of all books, and which book the steps of its own belong to."""
    steps, own = list(base.procedure.round), {}
    for side in sides:
        place = {step.act: index for index, step in enumerate(steps) if step.act not in APART}
        ids: dict[str, str] = {}
        for step in side.procedure.round:
            if step.act in place:
                steps[place[step.act]] = _merged(steps[place[step.act]], step, side.id)
                ids[step.id] = steps[place[step.act]].id
            else:
                ids[step.id] = f"{side.id}-{step.id}"
        for step in side.procedure.round:
            if step.act not in place:
                after = [ids[name] for name in step.after if name in ids]
                added = _text_beside(step, side.id, id=ids[step.id], after=after)
                own[added.id] = side.id
                steps.insert(_place_of(added, steps), added)
    return base.procedure.model_copy(update={"round": steps}), own


def _merged(ours: Step, theirs: Step, book: str) -> Step:
    """Return a step that several books have: by whomever one of them names, with the clauses of all."""
    who = [*ours.who, *(role for role in theirs.who if role not in ours.who)]
    directed_by = [*ours.directed_by, *(role for role in theirs.directed_by if role not in ours.directed_by)]
    clause = [*ours.clause, *_cite(theirs.clause, book)]
    return ours.model_copy(update={"who": who, "directed_by": directed_by, "clause": clause})


def _place_of(step: Step, steps: Sequence[Step]) -> int:
    """Return the position of a side book's own step: after all that come before it on a table."""
    rank = ORDER.index(step.act) if step.act in ORDER else len(ORDER)
    before = [index for index, other in enumerate(steps) if other.act not in ORDER or ORDER.index(other.act) <= rank]
    return before[-1] + 1 if before else 0
