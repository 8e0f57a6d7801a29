"""The channel between two processes: only who has the house's key is heard, and only by the process that was meant."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.house.codec import request_bytes
from pitbook.house.house import House
from pitbook.journal.decisions import Outcome
from pitbook.journal.sqlite import SqliteStore
from pitbook.server.liveness import Liveness
from pitbook.server.ownership import frames, listener
from pitbook.server.ownership.frames import MAGIC, Alive, ChannelKeys, Declined, Forwarded, Request
from pitbook.server.ownership.listener import Listener
from pitbook.server.ownership.owners import Owners
from pitbook.server.ownership.peers import Outgoing, Peers, address_from, recorded_address
from pitbook.server.settings import Settings
from pitbook.table import commands as c
from pitbook.table.people import Consent, Person
from pitbook.tumbler.seals import SealingKeys
from tests.waiting import until_async

KEYS = SealingKeys([secrets.token_bytes(32), secrets.token_bytes(32)])
NEW, OLD = KEYS.channel_keys.items()
STRANGE = next(iter(SealingKeys([secrets.token_bytes(32)]).channel_keys.items()))
ME = "process here 1"
LENGTH_MAX = 10_000
BET = Request("t1", Person("ann", "player"), c.PlaceBets((c.BetRequest("small", 100),)), None, True, frozenset(), None)


@pytest.fixture
def keys() -> ChannelKeys:
    found = ChannelKeys(lambda: KEYS.channel_keys)
    found.known = KEYS.channel_keys
    return found


@asynccontextmanager
async def listening(tmp_path: Path, keys: ChannelKeys) -> AsyncIterator[tuple[Listener, int]]:
    """An owner of no table, and the port at which it listens."""
    place = str(tmp_path / "journal.db")
    with House(SqliteStore(Path(place))) as house, open_auth_store(place) as access:
        owners = Owners(access.leases, Liveness(access.leases, "here"), list, seconds=6)
        made = Listener(house, owners, keys, ME, LENGTH_MAX)
        place_ = socket.create_server(("127.0.0.1", 0))
        await made.open(place_)
        try:
            yield made, place_.getsockname()[1]
        finally:
            made.close()
            await until_async(lambda: not made.channels, "the end of all channels")


async def called(port: int, key: tuple[str, bytes] = NEW, process: str = ME) -> Outgoing:
    """A channel that was opened with a key, to a process."""
    loop = asyncio.get_running_loop()
    channel = Outgoing(loop, process, key, LENGTH_MAX)
    await loop.create_connection(lambda: channel, "127.0.0.1", port)
    return channel


@pytest.mark.parametrize("key", [NEW, OLD])
def test_a_process_with_a_key_of_the_house_is_answered(
    tmp_path: Path, keys: ChannelKeys, key: tuple[str, bytes]
) -> None:
    async def ask() -> None:
        async with listening(tmp_path, keys) as (owner, port):
            channel = await called(port, key)
            await until_async(lambda: channel.ready, "a sign of life")
            assert channel.writes
            outcomes: list[Outcome | None] = []
            channel.forward(lambda number: Forwarded(number, BET, "k", 0, 1.0), outcomes.append)
            await until_async(lambda: outcomes, "an answer")
            assert outcomes == [None], "it owns no table, so it decides nothing"
            channel.forward(lambda number: Forwarded(number, BET, "k", 0, 1.0), outcomes.append)
            owner.close()
            await until_async(lambda: len(outcomes) == 2, "the end of the channel")
            assert outcomes == [None, None]

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("key", "process"), [(STRANGE, ME), ((NEW[0], STRANGE[1]), ME), (NEW, "process of another house")]
)
def test_a_process_without_a_key_or_with_a_wrong_target_is_ignored(
    tmp_path: Path, keys: ChannelKeys, key: tuple[str, bytes], process: str
) -> None:
    async def ask() -> None:
        async with listening(tmp_path, keys) as (owner, port):
            channel = await called(port, key, process)
            await channel.closed
            assert not channel.ready
            await until_async(lambda: not owner.channels, "the end on the other side")

    asyncio.run(ask())


def repeated(sent: bytes) -> bytes:
    return sent + sent


def changed(sent: bytes) -> bytes:
    return sent[:-1] + bytes([sent[-1] ^ 1])


def lengthened(sent: bytes) -> bytes:
    return (1_000).to_bytes(4, "big") + sent[4:]


@pytest.mark.parametrize("spoil", [repeated, changed, lengthened])
def test_a_message_that_was_changed_or_repeated_ends_the_channel(
    tmp_path: Path, keys: ChannelKeys, spoil: Callable[[bytes], bytes]
) -> None:
    async def ask() -> bytes:
        async with listening(tmp_path, keys) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with closing(writer):
                nonce = secrets.token_bytes(frames.NONCE_BYTES)
                writer.write(MAGIC + NEW[0].encode() + nonce)
                own = await reader.readexactly(frames.NONCE_BYTES)
                to, _ = frames.channel_secrets(NEW[1], ME, nonce + own)
                content = msgspec.msgpack.encode(Alive())
                frame = len(content).to_bytes(4, "big") + frames._mac(to, 0, content) + content
                writer.write(spoil(frame))
                return await reader.read()

    text = asyncio.run(ask())
    assert len(text) < 100, "a sign of life at most"


def test_an_invalid_greeting_ends_the_connection(tmp_path: Path, keys: ChannelKeys) -> None:
    async def ask() -> bytes:
        async with listening(tmp_path, keys) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with closing(writer):
                writer.write(b"POST /api/v1/tables/massachusetts/bets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                return await reader.read()

    assert asyncio.run(ask()) == b""


def test_strangers_who_say_nothing_are_sent_away(
    tmp_path: Path, keys: ChannelKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "UNAUTHENTICATED_MAX", 2)

    async def ask() -> None:
        async with listening(tmp_path, keys) as (owner, port):
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            await until_async(lambda: len(owner.channels) == 2, "both")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await reader.read() == b"", "there is no room for a third"
            for incoming in list(owner.channels):
                incoming._expect_ready()
            for quiet, _ in silent:
                assert await quiet.read() == b""
            for _, one in [*silent, (reader, writer)]:
                one.close()

    asyncio.run(ask())


def test_a_channel_is_kept_open_with_an_older_key_until_both_have_the_new_one(tmp_path: Path) -> None:
    ours, theirs = ChannelKeys(lambda: KEYS.channel_keys), ChannelKeys(lambda: dict([OLD]))

    async def ask() -> None:
        await theirs.read()
        async with listening(tmp_path, theirs) as (owner, port):
            lost: list[None] = []
            peers = Peers(ours, LENGTH_MAX, on_lost=lambda: lost.append(None))
            peers.follow({ME: recorded_address("127.0.0.1", port), "process elsewhere 2": "elsewhere 127.0.0.1 1"})
            assert peers.unreachable == [ME], "the loopback of another machine does not lead to it"
            await until_async(lambda: peers.is_reachable(ME), "a channel")
            assert peers.unreachable == []
            for channel in list(owner.channels):
                channel.close()
            await until_async(lambda: lost, "the loss to be told")
            await until_async(lambda: peers.is_reachable(ME), "another channel")
            await peers.close()
            assert not peers.is_reachable(ME)

    asyncio.run(ask())


def test_a_process_that_cannot_write_gives_back_what_it_was_sent(keys: ChannelKeys) -> None:
    async def ask() -> None:
        channel = Outgoing(asyncio.get_running_loop(), ME, NEW, LENGTH_MAX)
        outcomes: list[Outcome | None] = []
        channel.forward(lambda number: Forwarded(number, BET, "k", 0, 1.0), outcomes.append)
        channel.on_message(Alive(writes=False))
        assert outcomes == [None]
        assert not channel.writes
        channel.on_message(Declined(0))
        assert outcomes == [None], "each command gets one outcome"

    asyncio.run(ask())


@pytest.mark.parametrize("place", ["127.0.0.1:8100", "10.1.2.3:0", "[fd00::1]:8100", ""])
def test_an_internal_address_is_private(place: str) -> None:
    assert Settings(internal_address=place).internal_address == place


@pytest.mark.parametrize("place", ["0.0.0.0:8100", "8.8.8.8:8100", "10.0.0.1", "db.internal:8100", "10.0.0.1:99999"])
def test_an_internal_address_that_is_not_private_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match=r"private network|IP address and a port"):
        Settings(internal_address=place)


def test_a_recorded_address_leads_back() -> None:
    assert address_from(recorded_address("127.0.0.1", 8100)) == ("127.0.0.1", 8100)
    assert address_from("a machine 10.0.0.5 8100") == ("10.0.0.5", 8100)
    assert address_from("another machine 127.0.0.1 8100") is None
    assert address_from("process here 1 0123abcd") is None


def test_a_request_means_the_same_at_the_other_side() -> None:
    full = Request(
        "t1",
        Person("dan", "dealer"),
        c.TakeStep("enter-dice", dice=(1, 2, 3), directed_by=Person("flo", "floorperson")),
        (3, 4),
        False,
        frozenset({"flo"}),
        Consent("pin", Person("ann", "player")),
    )
    for request in (full, BET):
        sent = frames._encode(Forwarded(1, request, "k", 7, 0.5))
        assert (again := frames._decode(sent)) == Forwarded(1, request, "k", 7, 0.5)
        assert request_bytes(again.request.person, again.request.command) == request_bytes(
            request.person, request.command
        )
