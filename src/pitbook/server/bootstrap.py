"""Build the services from the settings: open the journal and everything that works on it."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pitbook.auth.stores import open_auth_store
from pitbook.errors import InputError
from pitbook.house.books import HouseBooks
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.clocks import Clock
from pitbook.journal.errors import Broken, Unavailable
from pitbook.journal.keys import read_or_create_key
from pitbook.journal.running_checkpoint import RunningCheckpoint
from pitbook.server.backoffice.backups import Backups
from pitbook.server.books.house_books import add_own_books
from pitbook.server.clock_reference import ClockReference
from pitbook.server.first_start import first_start, process_name, record_stop
from pitbook.server.liveness import RENEW_SECONDS, Liveness
from pitbook.server.ownership.service import Ownership
from pitbook.server.services import Services
from pitbook.server.setting_sources import mask_password
from pitbook.server.worker_pool import WORKER_POOL
from pitbook.storage.places import is_postgres

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.auth.passwords import Passwords
    from pitbook.auth.store import AuthStore
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.server.settings import Settings


def open_services(settings: Settings, *, passwords: Passwords | None = None) -> Services:
    """Return everything that handlers need; raise an `InputError` if it cannot be opened."""
    books = HouseBooks()
    add_own_books(books.editions, settings.books)
    with ExitStack() as undo:
        store = _open_store(settings)
        undo.callback(store.close)
        auth = open_auth_store(settings.journal_place, alone=True)
        undo.callback(auth.close)
        services = _connect(settings, store, auth, books, passwords)
        undo.pop_all()
    return services


def _connect(
    settings: Settings, store: Store, auth: AuthStore, books: HouseBooks, passwords: Passwords | None
) -> Services:
    def on_commit(entries: Mapping[str, tuple[Entry, ...]]) -> None:
        services.committed(entries)

    clock = Clock(store, bound=settings.clock_jump, reference=ClockReference(auth))
    house = House(store, clock=clock, jump_seconds=settings.clock_jump, on_commit=on_commit, books=books)
    checkpoint = _open_checkpoint(settings, store)
    backups = None
    if settings.backups is not None:
        every, keep = settings.backup_seconds, settings.backup_keep
        backups = Backups(store, auth, settings.backups, seconds=every, keep=keep, now=house.now)
    liveness = ownership = None
    if is_postgres(settings.journal_place):
        renew_seconds = min(RENEW_SECONDS, settings.owner_lease / 6)
        liveness = Liveness(auth.leases, process_name(), renew_seconds=renew_seconds)
        ownership = Ownership(settings, house, auth.leases, liveness)
    services = Services(
        settings,
        house,
        auth,
        passwords=passwords,
        liveness=liveness,
        ownership=ownership,
        checkpoint=checkpoint,
        backups=backups,
    )
    services.on_start.extend((first_start, _start_components))
    services.on_stop.extend(
        (_stop_components, lambda own: own.backoffice.auditing.close(), lambda own: own.simulations.close())
    )
    services.on_close.extend((auth.close, house.close, WORKER_POOL.close))
    services.on_close.extend(one.close for one in (checkpoint, backups) if one is not None)
    services.on_close.append(services.backoffice.close)
    return services


def _open_checkpoint(settings: Settings, store: Store) -> RunningCheckpoint | None:
    if not settings.checkpoint_seconds:
        return None
    key = read_or_create_key(settings.signing_key_path)
    files = settings.checkpoint_files
    files[0].parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the data folder, with a journal in PostgreSQL
    return RunningCheckpoint(store, files, key, settings.checkpoint_seconds)


async def _start_components(services: Services) -> None:
    """Start streams and sign-in, and last the electronic tumbler; the demo house exists by now."""
    services.house.check_clock()
    services.authenticator.start()
    services.hub.start()
    if services.ownership is not None:
        await services.ownership.start()
    await services.driver.start()
    services.backoffice.monitor.start()
    if services.backups is not None:
        services.backups.start()
    services.webhooks.start()


async def _stop_components(services: Services) -> None:
    await services.driver.close()
    await asyncio.to_thread(services.webhooks.close)
    if services.ownership is not None:
        await services.ownership.release()
    await services.hub.close()
    await services.authenticator.close()
    await record_stop(services)
    if services.ownership is not None:
        await services.ownership.close()


def _open_store(settings: Settings) -> Store:
    place = settings.journal_place
    try:
        if not settings.journal:
            settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_store(place)
    except OSError as error:
        raise InputError("server.data-folder", folder=settings.data, reason=error.strerror) from None
    except Unavailable as error:
        message = " ".join(str(error).split())
        message = message.replace(place, mask_password(place)) if is_postgres(place) else message
        raise InputError("common.text", text=message) from error
    except Broken as error:
        raise InputError("journal.damaged", reason=error) from error
