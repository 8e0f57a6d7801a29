"""Several books on one hand: the data of a base book and of side-bet books as that of one book.

The hand, the rounding and the ranks are the base book's. Side books keep their clauses, which are cited with their id.
"""

from __future__ import annotations

from copy import deepcopy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.audit.patches import Data

JOINED_BY = "+"

STAGES = (
    "take bets", "confirm bet", "place tip", "roll", "mark", "collect losers", "pay winners", "remove lammers",
    "re-bet",
)  # fmt: skip
"""The acts of a roll in their order."""

SEPARATE_ACTS = ("confirm bet", "place tip", "mark", "remove lammers", "re-bet")
"""Acts that every book takes for its own areas."""

CLAUSE_KEYS = ("clause", "who_clause", "pays_clause", "unit_clause", "after_win_clause", "clause_of")
"""Keys whose values are numbers of clauses."""


def composed_digest(digests: Iterable[str]) -> str:
    """Return the digest of books on one hand."""
    return sha256(" ".join(digests).encode()).hexdigest()


def choices_by_book(known: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the readings or options of each book: a name that only one has, or one that is written BOOK.NAME."""
    found: dict[str, dict[str, str]] = {book: {} for book in known}
    for name, choice in chosen.items():
        book, _, own = name.partition(".")
        if own and book in known:
            found[book][own] = choice
            continue
        having = [book for book, names in known.items() if name in names]
        if len(having) != 1:
            text = "several-choices" if having else "no-choice-of-book"
            raise CheckFailed(text, about="book", book=JOINED_BY.join(known), name=name)
        found[having[0]][name] = choice
    return found


def compose(books: Sequence[Data]) -> Data:
    """Return the data of a base book with that of side books beside it, each under its own readings and options."""
    base = _own(deepcopy(books[0]))
    for other in books[1:]:
        _add(base, _cite(_own(deepcopy(other)), other["book"]["id"]))
    base["book"] = {**base["book"], "id": JOINED_BY.join(book["book"]["id"] for book in books)}
    return base


def _own(data: Data) -> Data:
    """Note in every wager and step of which book it is."""
    for part in (*data["wager"].values(), *data["procedure"]["round"]):
        part["book"] = data["book"]["id"]
    return data


def _cite(value: Any, book: str, *, clause: bool = False) -> Any:
    """Return data whose clauses are cited with their book."""
    if isinstance(value, dict):
        return {key: _cite(one, book, clause=clause or key in CLAUSE_KEYS) for key, one in value.items()}
    if isinstance(value, list):
        return [_cite(one, book, clause=clause) for one in value]
    return f"{book} {value}" if clause and isinstance(value, str) else value


def _add(base: Data, side: Data) -> None:
    name = side["book"]["id"]
    for what in ("game", "dice", "currency"):
        ours, theirs = base["book"][what], side["book"][what]
        ensure(ours == theirs, "dealt-beside", "book", name=name, book=base["book"]["id"], what=what, theirs=theirs)
    twice = sorted({*side["wager"]} & {*base["wager"]})
    ensure(not twice, "wager-twice", "book", name=name, twice=twice)
    base["wager"] |= side["wager"]
    base["clauses"] |= {f"{name} {clause}": entry for clause, entry in side["clauses"].items()}
    base["odds"]["wording"] += [word for word in side["odds"]["wording"] if word not in base["odds"]["wording"]]
    for section, key in (("offer", "leaves_out"), ("excludes", "wagers")):
        base.setdefault(section, {}).setdefault(key, []).extend(side.get(section, {}).get(key, []))
    base["layout"]["blocks"] += side["layout"]["blocks"]
    _add_equipment(base.setdefault("equipment", {}), side.get("equipment", {}), name)
    for section in ("group", "role", "reading", "option"):
        base[section] = {**side.get(section, {}), **base.get(section, {})}
    _add_irregularities(base.setdefault("irregularity", {}), side.get("irregularity", {}))
    _add_steps(base["procedure"]["round"], side["procedure"]["round"], name, base["book"]["id"])


def _add_equipment(ours: dict[str, Any], theirs: dict[str, Any], book: str) -> None:
    """Add items, under the name of their book if their own is taken; the dice are those of the base book."""
    dice = any(item["kind"] == "dice" for item in ours.values())
    for name, item in theirs.items():
        if item["kind"] != "dice" or not dice:
            ours[f"{book}-{name}" if name in ours else name] = item


def _add_irregularities(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Add irregularities; one that is there already stays as it is, and whoever one of the books names may call it."""
    for name, rule in theirs.items():
        if name in ours:
            _join(ours[name], rule, "called_by", "clause")
        else:
            ours[name] = rule


def _add_steps(ours: list[Data], theirs: list[Data], book: str, base: str) -> None:
    """Merge acts that are the base book's, too; add the others, each at its stage of the roll."""
    shared = {step["act"]: step for step in ours if step["book"] == base and step["act"] not in SEPARATE_ACTS}
    own = {step["id"]: f"{book}-{step['id']}" for step in theirs}
    own |= {step["id"]: shared[step["act"]]["id"] for step in theirs if step["act"] in shared}
    for step in theirs:
        step["after"] = [own[name] for name in step.get("after", ())]
        if step["act"] in shared:
            _join(shared[step["act"]], step, "who", "directed_by", "clause")
            continue
        step["id"] = own[step["id"]]
        stage = STAGES.index(step["act"])
        place = next((i for i, other in enumerate(ours) if STAGES.index(other["act"]) > stage), len(ours))
        ours.insert(place, step)


def _join(ours: Data, theirs: Data, *keys: str) -> None:
    """Add what another book names to these lists: people who may act, and clauses."""
    for key in keys:
        both = [*_listed(ours.get(key)), *_listed(theirs.get(key))]
        if both:
            ours[key] = list(dict.fromkeys(both))


def _listed(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)
