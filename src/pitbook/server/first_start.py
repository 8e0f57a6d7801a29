"""Work before a server opens and after it closes: demo data, keys, start and stop records."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import secrets
import time
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING

from pitbook.errors import InputError
from pitbook.house.answers import answer_of
from pitbook.journal.entries import HOUSE
from pitbook.messages import Message, compose
from pitbook.people.commands import RecordServerStart, RecordServerStop
from pitbook.server.demo import (
    DEMO,
    MANAGER_NAME,
    OLD_DEMO,
    ONE_CLICK,
    PASSWORD,
    create_demo,
    is_empty,
    keep_one_click,
    known_accounts,
)
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.setup_link import first_manager_greeting, link_address, sign_in_link
from pitbook.server.setting_sources import mask_password
from pitbook.server.settings import is_reachable
from pitbook.server.shared_identity import check_identity, save_identity
from pitbook.storage.places import is_postgres
from pitbook.tumbler.seals import LostKey, SealingKeys

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pitbook.server.services import Services

log = logging.getLogger(__name__)

START_SECONDS = 30.0
"""The longest that one process may take to create a house."""


async def first_start(services: Services) -> None:
    """Create a demo house in an empty journal, create missing keys, and greet the manager with a link."""
    wanted = services.settings.demo and await asyncio.to_thread(is_empty, services.house)
    demo_hash = await services.authenticator.hashing.hash_password(PASSWORD) if wanted else ""
    await asyncio.to_thread(_prepare, services, demo_hash)
    auth, house = services.auth, services.house
    if auth.setting(DEMO) is not None and house.people.find(MANAGER_NAME) is not None:
        link = await asyncio.to_thread(sign_in_link, house, auth, MANAGER_NAME)
        services.greetings.append(lambda address: f"sign in  {link_address(address, link)}  (once, as the manager)")
        services.greetings.append(lambda _address: f'demo     any name like demo-ann, password "{PASSWORD}"')
    else:
        greeting = await asyncio.to_thread(first_manager_greeting, house, auth, services.settings)
        if greeting is not None:
            services.greetings.append(greeting)


def _check_demo_accounts(services: Services) -> None:
    """Refuse to let others reach a house whose accounts still have the published demo password."""
    settings = services.settings
    if settings.force_insecure or not is_reachable(settings):
        return
    known = known_accounts(services.house, services.auth)
    if known:
        raise InputError("server.demo-accounts", count=len(known), name=known[0])


def _prepare(services: Services, demo_password: str) -> None:
    services.house.check_tables()
    _compare_with_checkpoint(services)
    with _start_lock(services):
        _create_house(services, demo_password)
        _check_demo_accounts(services)
        _record_start(services)  # last: a start that is refused is not recorded


def _compare_with_checkpoint(services: Services) -> None:
    """Disable tables that have lost signed entries; raise an error if the house's own record has."""
    checkpoint, settings, house = services.checkpoint, services.settings, services.house
    if checkpoint is None:
        return
    lost = checkpoint.examine(house.disabled)
    file, place = settings.checkpoint_files[0], mask_password(settings.journal_place)
    accept = Message("errors.server.accept-loss", {"journal": place})
    if lost and not house.store.names():
        empty = Message("errors.server.empty-journal", {"journal": place, "count": len(lost)})
        raise InputError("server.new-house", reason=empty, file=file)
    if any(loss.table == HOUSE for loss in lost):
        raise InputError("server.other-record", file=file, reason="; ".join(map(str, lost)), accept=accept)
    for loss in lost:
        lost_entries = compose("alarms.detail.lost-entries", loss=loss, file=file, accept=accept)
        house.disable(loss.table, "lost", lost_entries)
    checkpoint.start()


@contextmanager
def _start_lock(services: Services) -> Iterator[None]:
    """Let one process at a time create the house; the others then find it."""
    if not is_postgres(services.settings.journal_place):  # a file has one process at a time anyway
        yield
        return
    leases, holder = services.auth.leases, f"start {secrets.token_hex(8)}"
    until = time.monotonic() + 2 * START_SECONDS
    while (lease := leases.acquire("first start", holder, START_SECONDS)) is None:
        if time.monotonic() > until:
            raise InputError("server.house-being-made")
        time.sleep(0.1)
    try:
        yield
    finally:
        leases.release(lease)


def _create_house(services: Services, demo_password: str) -> None:
    settings, house, auth = services.settings, services.house, services.auth
    _ensure_key(settings.sealing_key_path)
    if settings.demo and is_empty(house):
        names = create_demo(house)
        now = services.authenticator.now()
        for name in names:
            auth.set_password(name, demo_password, now)
        auth.save_setting(DEMO, ONE_CLICK)
        log.info("created a demo house with %d people", len(names))
    elif auth.setting(DEMO) == OLD_DEMO:
        keep_one_click(house)
        auth.save_setting(DEMO, ONE_CLICK)


def _ensure_key(path: Path) -> None:
    """Create the sealing key if there is none; one that is damaged or readable by others stops the start."""
    try:
        SealingKeys.load(path)
    except LostKey:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        SealingKeys.make(path)
        log.info("created a new sealing key: %s", path)


def _record_start(services: Services) -> None:
    """Record the start; after a crash of all processes, apply the books' rules on power failure.

    The crash of one process while others serve the same database is no power failure. Nor is an orderly stop in the
    middle of a round: the round continues.
    """
    house = services.house
    if services.liveness is None:  # a file, which no other process serves
        clean = not house.people.running
    else:
        services.liveness.start()
        clean = not services.liveness.all_others_died()
        try:
            if services.liveness.has_others():
                check_identity(services.auth, services.settings)
        except InputError:
            services.liveness.stop()
            raise
        save_identity(services.auth, services.settings)
    house.manage(THE_SERVER, RecordServerStart(process_name(), version("pitbook"), clean))
    if not clean:
        for table, done in house.after_restart().items():
            log.warning("table %s was interrupted: %s", table, done)


def process_name() -> str:
    """Return a name for this process in the record."""
    return f"{platform.node()[:40]} {os.getpid()}"


async def record_stop(services: Services) -> None:
    """Record that the server stopped in order."""
    future = services.house.submit_people(THE_SERVER, RecordServerStop(process_name()))
    answer = answer_of(await asyncio.wrap_future(future))
    if answer.refused:
        log.warning("the stop was not recorded: %s", answer.says)
    elif services.liveness is not None:
        await asyncio.to_thread(services.liveness.stop)
