"""The house's own books: the .toml files of one folder, loaded when the server starts."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pitbook.errors import InputError, InputErrors
from pitbook.rulebooks.catalogue import SHIPPED
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.translations import is_translation, read_beside

if TYPE_CHECKING:
    from pathlib import Path

    from pitbook.rulebooks.editions import Editions
    from pitbook.rulebooks.model import Rulebook

log = logging.getLogger(__name__)


def list_book_files(folder: Path | None) -> list[Path]:
    """Return the house's book files by name.

    Of several books with one id the last file is the newest; tables find the older ones by their digest. A file with
    the id of a packaged book is an edition of it, for tables that were opened under that text.
    """
    if folder is None:
        return []
    return sorted(one for one in folder.glob("*.toml") if one.is_file() and not is_translation(one))


def add_own_books(editions: Editions, folder: Path | None) -> list[Rulebook]:
    """Add the house's own books to its editions; raise all errors of all files at once."""
    errors: list[str] = []
    books = []
    for path in list_book_files(folder):
        try:
            book = editions.add_file(path)
        except InvalidBook as error:
            errors += map(str, error.problems)
        except InputError as error:
            errors.append(str(error))
        else:
            if book.id in SHIPPED:
                log.info("%s: an edition of %s, for tables that were opened under it", path, book.id)
            books.append(book)
            for problem in read_beside(path, book.id)[1]:  # a bad translation must not stop the server
                log.warning("%s", problem)
    if errors:
        raise InputErrors(errors)
    return books
