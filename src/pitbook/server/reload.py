"""Reload on SIGHUP: certificate, books and settings. Anything unusable is logged, and the old value is kept."""

from __future__ import annotations

import logging
import ssl
from typing import TYPE_CHECKING

from pitbook.errors import InputError
from pitbook.server.books.house_books import add_own_books

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.rulebooks.editions import Editions
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

RELOADABLE = frozenset({"books", "tls_certificate", "tls_key", "log_level"})
"""The settings that a running server follows; others apply from the next start on."""


class Reloader:
    """The parts of a running server that can be read again."""

    def __init__(
        self,
        settings: Settings,
        read: Callable[[], Settings],
        editions: Editions,
        tls: ssl.SSLContext | None,
        on_books: Callable[[Settings], None] = lambda _new: None,
    ) -> None:
        """Read nothing yet; `on_books` is called after books were read again."""
        self._started_with = settings
        self._read = read
        self._editions = editions
        self._tls = tls
        self._on_books = on_books

    def reload(self) -> None:
        """Read everything again, and log what applies from now on."""
        try:
            new = self._read()
        except InputError as error:
            log.error("not reloaded: the settings are invalid: %s", error)
            return
        self._report_changes(new)
        done = [name for name, step in (("certificate", self._certificate), ("books", self._books)) if step(new)]
        logging.getLogger().setLevel(new.log_level.upper())
        log.warning("reloaded: %s", ", ".join(["settings", *done]))

    def _report_changes(self, new: Settings) -> None:
        fields = set(type(new).model_fields) - RELOADABLE
        changed = sorted(name for name in fields if getattr(new, name) != getattr(self._started_with, name))
        if changed:
            log.warning("these settings changed and apply from the next start: %s", ", ".join(changed))

    def _certificate(self, new: Settings) -> bool:
        if self._tls is None or new.tls_certificate is None or new.tls_key is None:
            return False
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(new.tls_certificate, new.tls_key)
            self._tls.load_cert_chain(new.tls_certificate, new.tls_key)
        except (ssl.SSLError, OSError) as error:
            log.error("the new certificate cannot be used; the old one stays in use: %s", error)
            return False
        return True

    def _books(self, new: Settings) -> bool:
        if new.books is None:
            return False
        try:
            add_own_books(self._editions, new.books)
        except InputError as error:
            log.error("some books in %s cannot be used; the old ones stay in use: %s", new.books, error)
            return False
        self._on_books(new)
        return True
