"""From settings to services: the journal is opened, and everything that works on it is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.house.house import House
from pitbook.house.stores import SCHEMES, open_store
from pitbook.journal.troubles import Broken, Unavailable
from pitbook.mistakes import Mistake
from pitbook.server.backoffice import OFFICE
from pitbook.server.metrics import Metrics
from pitbook.server.services import Services
from pitbook.server.sources import masked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.settings import Settings


def open_services(settings: Settings) -> Services:
    """Everything that handlers need. What keeps it from opening is a `Mistake` in one sentence."""
    store = _opened(settings)
    try:
        metrics = Metrics()

        def on_commit(entries: Mapping[str, tuple[Entry, ...]]) -> None:
            metrics.committed(sum(map(len, entries.values())))

        house = House(store, on_commit=on_commit)
    except BaseException:
        store.close()
        raise
    services = Services(settings, house, metrics=metrics)
    services.on_close.append(house.close)
    services.on_close.append(OFFICE.close)
    return services


def _opened(settings: Settings) -> Store:
    place = settings.journal_place
    try:
        if not settings.journal:
            settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_store(place)
    except OSError as error:
        raise Mistake(f"cannot make the folder {settings.data}: {error.strerror}; name a journal with --db") from None
    except Unavailable as trouble:
        told = " ".join(str(trouble).split())
        raise Mistake(told.replace(place, masked(place)) if place.startswith(SCHEMES) else told) from trouble
    except Broken as broken:
        raise Mistake(f"the record is damaged: {broken}") from broken
