"""The books of this house: the packaged ones, and the house's own.

An address names a book only by its id; it never leads to a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pitbook.errors import InputError, quoted, suggestion, unknown_name
from pitbook.rulebooks.catalogue import SHIPPED
from pitbook.rulebooks.composition import digest_of as composed_digest
from pitbook.rulebooks.composition import parts_of
from pitbook.rulebooks.editions import Editions, packaged_digest
from pitbook.rulebooks.errors import InvalidBook
from pitbook.server.http.errors import InvalidRequest, NotFound, RequestErrors, detail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.rulebooks.editions import BookData
    from pitbook.rulebooks.model import Rulebook

RawChoices = Mapping[str, str] | Sequence[str] | None
"""Choices by name as in a body, or as `name:choice` in a query."""
Pairs = tuple[tuple[str, str], ...]
CHOICES_MAX = 64
"""More readings or options than any book has."""
GROUPS_LENGTH_MAX = 400


@dataclass(frozen=True, slots=True)
class ChosenBook:
    """A book by its content, under readings and house options."""

    book: str
    digest: str
    readings: Pairs = ()
    options: Pairs = ()


class Library:
    """The books of a house, found by id and loaded under readings and options."""

    def __init__(self, editions: Editions) -> None:
        self.editions = editions
        self._load = lru_cache(maxsize=48)(self._load_book)

    def own_books(self) -> list[BookData]:
        """Return the data of the house's own books, for another process."""
        return [data for digest in self.editions.offered.values() if (data := self.editions.data_of(digest))]

    def list_books(self) -> list[ChosenBook]:
        """Return every book of the house without choices, the packaged ones first."""
        packaged = [ChosenBook(book, packaged_digest(book)) for book in SHIPPED]
        return packaged + [ChosenBook(book, found) for book, found in self.editions.offered.items()]

    def find_book(self, book: str, wanted: str | None = None) -> ChosenBook:
        """Return a book by its id; with a digest, that very content, as recorded when a table was opened."""
        if len(parts_of(book)) > 1:
            return self._find_together(book, wanted)
        stored = self.editions.offered
        data = self.editions.data_of(wanted) if wanted is not None else None
        if wanted is not None and data is not None and data[0]["book"]["id"] == book:
            return ChosenBook(book, wanted)
        if book not in SHIPPED and book not in stored:
            raise NotFound("common.text", text=unknown_name("book", book, [*SHIPPED, *stored]))
        newest = packaged_digest(book) if book in SHIPPED else stored[book]
        if wanted not in (None, newest):
            raise NotFound("server.no-digest", book=book, digest=quoted(wanted[:80]), newest=newest)
        return ChosenBook(book, newest)

    def _find_together(self, book: str, wanted: str | None) -> ChosenBook:
        """Return several books on one hand: their present editions, or those that a table recorded."""
        newest = composed_digest(self.find_book(part).digest for part in parts_of(book))
        if wanted is None or wanted == newest or self.editions.is_composed(wanted):
            return ChosenBook(book, wanted or newest)
        raise NotFound("server.no-digest", book=book, digest=quoted(wanted[:80]), newest=newest)

    def choose_book(
        self,
        book: str,
        wanted: str | None = None,
        readings: RawChoices = None,
        options: RawChoices = None,
        errors: RequestErrors | None = None,
    ) -> ChosenBook:
        """Return a book under readings and options.

        Errors are added to `errors` and their choices left out; without `errors` they are raised together.
        """
        found = self.find_book(book, wanted)
        collected = errors if errors is not None else RequestErrors()
        if readings or options:
            rules = self.load_book(found)
            read = _check_choices(
                "reading", readings, _parse_choices("reading", readings, collected), _choices(rules.readings), collected
            )
            house = _parse_choices("option", options, collected)
            groups = {"groups": house.pop("groups")} if rules.groups and "groups" in house else {}
            taken = _check_choices("option", options, house, _choices(rules.options), collected)
            found = ChosenBook(found.book, found.digest, _pairs(read), _pairs(taken | groups))
            if groups:
                try:
                    self.load_book(found)
                except InputError as error:
                    collected.add(_place("option", options, "groups"), error)
                    found = ChosenBook(found.book, found.digest, _pairs(read), _pairs(taken))
        if errors is None:
            collected.raise_if_any()
        return found

    def load_book(self, chosen: ChosenBook) -> Rulebook:
        """Return the rulebook of a choice."""
        return self._load(chosen)

    def _load_book(self, chosen: ChosenBook) -> Rulebook:
        try:
            return self.editions.recorded(chosen.book, chosen.digest, dict(chosen.readings), dict(chosen.options))
        except InvalidBook as error:
            # Without the file's name: where a house keeps its books is nobody's business.
            errors = RequestErrors()
            for problem in error.problems:
                errors.add(problem.key, detail("field.book", wrong=problem.problem_text, right=problem.solution_text))
            raise InvalidRequest(errors.found) from None

    def load_base_book(self, chosen: ChosenBook) -> Rulebook | None:
        """Return the regulator's book that a licensee's book extends, under the same choices where it has them."""
        stored = self.editions.data_of(chosen.digest)
        if stored is None or stored[2] is None:
            return None
        base = self.find_book(stored[2]["book"]["id"])
        text = self.load_book(base)
        readings = [
            (name, choice) for name, choice in chosen.readings if choice in _choices(text.readings).get(name, ())
        ]
        options = [(name, choice) for name, choice in chosen.options if choice in _choices(text.options).get(name, ())]
        return self.load_book(ChosenBook(base.book, base.digest, tuple(readings), tuple(options)))


def run_with_books(
    memory: dict[str, Any], books: Sequence[BookData], function: Callable[..., bytes], arguments: tuple[Any, ...]
) -> bytes:
    """In a worker process: call a function with a library that has these books and lasts as long as the process."""
    library: Library = memory.setdefault("library", Library(Editions()))
    for data in books:
        library.editions.add(*data)
    return function(library, *arguments)


def _place(section: str, given: RawChoices, name: str) -> str:
    """Return the place of a choice in a body (`body.readings.name`) or a query (`query.reading`)."""
    return f"body.{section}s.{name[:80]}" if isinstance(given, Mapping) else f"query.{section}"


def _parse_choices(section: str, given: RawChoices, errors: RequestErrors) -> dict[str, str]:
    if not given:
        return {}
    place = _place(section, given, "").rstrip(".")
    if len(given) > CHOICES_MAX:
        errors.add(place, detail("field.too-many-choices", given=len(given), most=CHOICES_MAX))
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    paired = {}
    for word in given:
        name, colon, choice = word.partition(":")
        if colon and name and choice:
            paired[name] = choice[:GROUPS_LENGTH_MAX]
        else:
            errors.add(place, detail("field.name-and-choice", given=quoted(word)))
    return paired


def _check_choices(
    section: str,
    given: RawChoices,
    wanted: Mapping[str, str],
    known: Mapping[str, Iterable[str]],
    errors: RequestErrors,
) -> dict[str, str]:
    taken = {}
    for name, choice in wanted.items():
        if name not in known:
            errors.add(_place(section, given, name), unknown_name(section, name, known))
        elif choice not in known[name]:
            nearest = suggestion(choice, known[name])
            message = detail("field.no-choice", name=name, choice=quoted(choice), nearest=nearest)
            errors.add(_place(section, given, name), message)
        else:
            taken[name] = choice
    return taken


def _choices(entries: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(getattr(entry, "choices", ())) for name, entry in entries.items()}


def _pairs(chosen: Mapping[str, str]) -> Pairs:
    return tuple(sorted(chosen.items()))
