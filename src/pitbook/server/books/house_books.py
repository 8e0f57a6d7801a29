"""The house's own books: every .toml file of one folder, read when the server starts."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pitbook.errors import InputError, InputErrors
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.rulebooks.editions import keep_file
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.translations import is_translation, keep_beside

if TYPE_CHECKING:
    from pathlib import Path

    from pitbook.rulebooks.model import Rulebook

log = logging.getLogger(__name__)


def own_books(folder: Path | None) -> list[Path]:
    """The files, by name: of several books with one id the last is the newest, and tables find the older ones too.

    A file with the id of a packaged book is an edition of it, for tables that were opened under that text.
    """
    if folder is None:
        return []
    return sorted(one for one in folder.glob("*.toml") if one.is_file() and not is_translation(one))


def take_in(folder: Path | None) -> list[Rulebook]:
    """Puts the house's own books on the shelf. All that is wrong with all of them is told at once."""
    wrong: list[str] = []
    books = []
    for path in own_books(folder):
        try:
            book = keep_file(path)
        except InvalidBook as broken:
            wrong += map(str, broken.problems)
        except InputError as mistake:
            wrong.append(str(mistake))
        else:
            if book.id in PACKAGED:
                log.info("%s: an edition of %s, for tables that were opened under it", path, book.id)
            books.append(book)
            for problem in keep_beside(path):  # a translation binds nothing: it keeps no house from opening
                log.warning("%s", problem)
    if wrong:
        raise InputErrors(wrong)
    return books
