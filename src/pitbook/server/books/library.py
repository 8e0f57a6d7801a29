"""The books of this house: those that come with the software, and those that were put on the shelf.

An address only ever names a book by its id. What is not in the library is not looked for in any file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, quoted, suggestion, unknown
from pitbook.rulebooks import editions
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.patches import Raw
from pitbook.server.http.errors import InvalidRequest, NotFound, RequestErrors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.rulebooks.model import Rulebook

Given = Mapping[str, str] | Sequence[str] | None
"""Names and choices as a body has them, or as the words of a query: `name:choice`."""
Kept = tuple[Raw, str, Raw | None]
"""A kept book's data, its file's name, and the data of the book it extends."""
Pairs = tuple[tuple[str, str], ...]
MOST_CHOICES = 64
"""More readings or options than any book has."""
MOST_GROUPS_TEXT = 400


@dataclass(frozen=True, slots=True)
class Chosen:
    """A book by its content, under readings and house options."""

    book: str
    digest: str
    readings: Pairs = ()
    options: Pairs = ()

    @property
    def kept(self) -> Kept | None:
        """The data of a book from the shelf, for a process whose shelf is empty; None of a packaged one."""
        return editions.kept_data(self.digest)


def books() -> list[Chosen]:
    """Every book of the house as it stands: the packaged ones first."""
    packaged = [Chosen(book, editions.packaged_digest(book)) for book in PACKAGED]
    return packaged + [Chosen(book, found) for book, found in editions.kept().items()]


def find(book: str, wanted: str | None = None) -> Chosen:
    """A book by its id; with a digest that very content, as a table's opening recorded it."""
    kept = editions.kept()
    data = editions.kept_data(wanted) if wanted is not None else None
    if wanted is not None and data is not None and data[0]["book"]["id"] == book:
        return Chosen(book, wanted)
    if book not in PACKAGED and book not in kept:
        raise NotFound(str(unknown("book", book, [*PACKAGED, *kept])))
    newest = editions.packaged_digest(book) if book in PACKAGED else kept[book]
    if wanted not in (None, newest):
        raise NotFound(f"this house has no {book} with the digest {wanted[:80]!r}; its own has {newest}")
    return Chosen(book, newest)


def choose(
    book: str,
    wanted: str | None = None,
    readings: Given = None,
    options: Given = None,
    wrongs: RequestErrors | None = None,
) -> Chosen:
    """A book under readings and options, each given as a mapping or as words like `name:choice`.

    With `wrongs` the mistakes are noted there and left out; else they are raised, all at once.
    """
    found = find(book, wanted)
    noted = wrongs if wrongs is not None else RequestErrors()
    if readings or options:
        rules = opened(found)
        read = _known("reading", readings, _paired("reading", readings, noted), _choices(rules.readings), noted)
        house = _paired("option", options, noted)
        groups = {"groups": house.pop("groups")} if rules.groups and "groups" in house else {}
        taken = _known("option", options, house, _choices(rules.options), noted)
        found = Chosen(found.book, found.digest, _pairs(read), _pairs(taken | groups))
        if groups:
            try:
                opened(found)
            except InputError as mistake:
                noted.note(_place("option", options, "groups"), mistake)
                found = Chosen(found.book, found.digest, _pairs(read), _pairs(taken))
    if wrongs is None:
        noted.tell()
    return found


@lru_cache(maxsize=48)
def opened(chosen: Chosen) -> Rulebook:
    """The book itself."""
    try:
        return editions.recorded(chosen.book, chosen.digest, dict(chosen.readings), dict(chosen.options))
    except InvalidBook as broken:
        # Without the file's name: where a house keeps its books is nobody's business.
        wrongs = RequestErrors()
        for problem in broken.problems:
            wrongs.note(problem.key, f"{problem.wrong}; {problem.right}")
        raise InvalidRequest(wrongs.found) from None


def base_of(chosen: Chosen) -> Rulebook | None:
    """The regulator's book that a licensee's own one extends, under the same choices as far as it has them."""
    kept = chosen.kept
    if kept is None or kept[2] is None:
        return None
    base = find(kept[2]["book"]["id"])
    text = opened(base)
    readings = [(name, choice) for name, choice in chosen.readings if choice in _choices(text.readings).get(name, ())]
    options = [(name, choice) for name, choice in chosen.options if choice in _choices(text.options).get(name, ())]
    return opened(Chosen(base.book, base.digest, tuple(readings), tuple(options)))


def at_desk(kept: Sequence[Kept], function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
    """In the back office: puts the house's own books on that shelf too, then works."""
    for raw, file, base in kept:
        editions.keep(raw, file, base)
    return function(*arguments)


def _place(section: str, given: Given, name: str) -> str:
    """A body has `readings` by name; a query has every `reading` as a word."""
    return f"body.{section}s.{name[:80]}" if isinstance(given, Mapping) else f"query.{section}"


def _paired(section: str, given: Given, wrongs: RequestErrors) -> dict[str, str]:
    if not given:
        return {}
    place = _place(section, given, "").rstrip(".")
    if len(given) > MOST_CHOICES:
        wrongs.note(place, f"{len(given)} of them; no book has more than {MOST_CHOICES}")
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    paired = {}
    for word in given:
        name, colon, choice = word.partition(":")
        if colon and name and choice:
            paired[name] = choice[:MOST_GROUPS_TEXT]
        else:
            wrongs.note(place, f"{quoted(word)} is not of the form name:choice")
    return paired


def _known(
    section: str, given: Given, wanted: Mapping[str, str], known: Mapping[str, Iterable[str]], wrongs: RequestErrors
) -> dict[str, str]:
    taken = {}
    for name, choice in wanted.items():
        if name not in known:
            told = f"there is no {section} {quoted(name)}; {suggestion(name, known)}"
            wrongs.note(_place(section, given, name), told)
        elif choice not in known[name]:
            told = f"{name} has no choice {quoted(choice)}; {suggestion(choice, known[name])}"
            wrongs.note(_place(section, given, name), told)
        else:
            taken[name] = choice
    return taken


def _choices(entries: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(getattr(entry, "choices", ())) for name, entry in entries.items()}


def _pairs(chosen: Mapping[str, str]) -> Pairs:
    return tuple(sorted(chosen.items()))
