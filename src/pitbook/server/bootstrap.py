"""Build the services from the settings: open the journal and everything that works on it."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING

from pitbook.auth.stores import open_access
from pitbook.errors import InputError
from pitbook.house.house import House
from pitbook.house.stores import SCHEMES, open_store
from pitbook.journal.clocks import Clock
from pitbook.journal.errors import Broken, Unavailable
from pitbook.journal.keys import read_or_make_key
from pitbook.journal.running_checkpoint import RunningCheckpoint
from pitbook.server.backoffice.services import oversee
from pitbook.server.books.house_books import take_in
from pitbook.server.clock_reference import ClockReference
from pitbook.server.first_start import first_start, last_words, process_name
from pitbook.server.http.metrics import Metrics
from pitbook.server.liveness import Liveness
from pitbook.server.people.authentication import Authenticator
from pitbook.server.people.directory import Directory
from pitbook.server.people.rate_limits import Rates
from pitbook.server.presenters.tables import views
from pitbook.server.services import Services
from pitbook.server.setting_sources import masked
from pitbook.server.streams.hub import Hub, Limits
from pitbook.server.tables.driver import Driver
from pitbook.server.worker_pool import OFFICE
from pitbook.tumbler.seals import SealingKeys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.auth.passwords import Passwords
    from pitbook.auth.store import AuthStore
    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.journal.runner import OnCommit
    from pitbook.server.settings import Settings


OWNER_ONLY = 0o600
"""The record names people, their money and their addresses: nobody else on the machine reads it."""


def open_services(settings: Settings, *, passwords: Passwords | None = None) -> Services:
    """Everything that handlers need. What keeps it from opening is an `InputError` in one sentence."""
    take_in(settings.books)
    with ExitStack() as undo:
        store = _opened(settings)
        undo.callback(store.close)
        access = open_access(settings.journal_place, alone=True)
        undo.callback(access.close)
        services = _furnished(settings, store, access, passwords)
        undo.pop_all()
    return services


def _furnished(settings: Settings, store: Store, access: AuthStore, passwords: Passwords | None) -> Services:
    metrics = Metrics()
    followers: list[OnCommit] = [lambda entries: metrics.committed(sum(map(len, entries.values())))]

    def on_commit(entries: Mapping[str, tuple[Entry, ...]]) -> None:
        for follow in followers:
            follow(entries)

    clock = Clock(store, bound=settings.clock_jump, reference=ClockReference(access))
    house = House(store, clock=clock, jump_seconds=settings.clock_jump, on_commit=on_commit)
    directory, rates = Directory(house), Rates(settings)
    desk = Authenticator(settings, house, access, directory, rates, clock=house.now, passwords=passwords)
    limits = Limits(
        watchers_max=settings.watchers_max,
        per_address_max=settings.watchers_per_address,
        heartbeat_seconds=settings.heartbeat,
    )
    hub = Hub(store, views(house), limits, viewer_of=desk.viewer_of)
    keys = partial(SealingKeys.load, settings.sealing_key_path)
    driver = Driver(house, access, keys, clock=house.now, drawn=metrics.drawn)
    hub.on_heard.append(lambda table: driver.changed((table,)))
    checkpoint = _checkpoint(settings, store)
    if checkpoint is not None:
        followers.append(checkpoint.committed)
    directory.on_change.append(desk.ended)
    desk.on_end.append(hub.revalidate)
    followers += [directory.committed, hub.committed, driver.changed]
    metrics.watch(hub)
    services = Services(
        settings,
        house,
        access=access,
        people=directory,
        hub=hub,
        driver=driver,
        desk=desk,
        rates=rates,
        clock=house.now,
        metrics=metrics,
        liveness=Liveness(access.leases, process_name()) if settings.journal_place.startswith(SCHEMES) else None,
        checkpoint=checkpoint,
    )
    services.on_start.extend((first_start, _open_doors))
    services.on_stop.append(_close_doors)
    services.on_close.extend((access.close, house.close, OFFICE.close))
    if checkpoint is not None:
        services.on_close.append(checkpoint.close)
    followers.append(oversee(services).committed)
    return services


def _checkpoint(settings: Settings, store: Store) -> RunningCheckpoint | None:
    if not settings.checkpoint_seconds:
        return None
    key = read_or_make_key(settings.signing_key_path)
    files = settings.checkpoint_files
    files[0].parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the data folder, with a journal in PostgreSQL
    return RunningCheckpoint(store, files, key, settings.checkpoint_seconds)


async def _open_doors(services: Services) -> None:
    """After the first start's furniture is in: streams, people, and last the electronic tumbler."""
    services.house.check_clock()
    services.desk.start()
    services.hub.start()
    await services.driver.start()


async def _close_doors(services: Services) -> None:
    await services.driver.close()
    await services.hub.close()
    await services.desk.close()
    await last_words(services)


def _opened(settings: Settings) -> Store:
    place = settings.journal_place
    try:
        if not settings.journal:
            settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not place.startswith(SCHEMES):
            with suppress(OSError):  # it is there, or opening it tells what is wrong
                os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        return open_store(place)
    except OSError as error:
        raise InputError(
            f"cannot make the folder {settings.data}: {error.strerror}; name a journal with --db"
        ) from None
    except Unavailable as trouble:
        told = " ".join(str(trouble).split())
        raise InputError(told.replace(place, masked(place)) if place.startswith(SCHEMES) else told) from trouble
    except Broken as broken:
        raise InputError(f"the record is damaged: {broken}") from broken
