"""Connections that are cut off without a word: no wait is endless, and nothing is written twice."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from pitbook.auth.errors import Unavailable as NobodyLetIn
from pitbook.auth.stores import open_auth_store
from pitbook.journal import fault_injection
from pitbook.journal.errors import Unavailable
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.runner import Runner
from pitbook.ledger.accounts import player
from pitbook.storage import postgres
from tests.journal import bank
from tests.proxy import Proxy, before
from tests.waiting import HANG, until

ANN = player("ann", "USD")
QUICK = 0.5


@pytest.fixture
def proxy(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """A proxy before the database, and short limits."""
    monkeypatch.setattr(postgres.Connection, "answer_seconds", QUICK)
    monkeypatch.setattr(postgres, "ANSWER_SECONDS", QUICK)
    monkeypatch.setattr(postgres, "IDLE_MILLISECONDS", 300)
    with before(postgres_url) as made:
        yield made


@pytest.fixture
def store(proxy: Proxy) -> Iterator[PostgresStore]:
    opened = PostgresStore(proxy.url)
    yield opened
    opened.close()


@pytest.fixture
def runner(store: PostgresStore) -> Iterator[Runner[bank.Table]]:
    with Runner(store, bank.DOMAIN) as running:
        running.submit(bank.buy("t1", "ann", 5, "before")).result(HANG)
        yield running


def repeated(runner: Runner[bank.Table], key: str) -> bool:
    """Send a command again until it is answered; whether it had been done before."""

    def answered() -> list[bool]:
        try:
            return [runner.submit(bank.buy("t1", "ann", 5, key)).result(HANG).repeated]
        except Unavailable:  # the lock of the transaction that was cut off is held until the server ends it
            return []

    return until(answered)[0]


@pytest.mark.thorough
@pytest.mark.parametrize("answers_only", [False, True])
def test_a_commit_that_is_not_answered_fails_in_time_and_is_done_once(
    proxy: Proxy, store: PostgresStore, runner: Runner[bank.Table], answers_only: bool
) -> None:
    fault_injection.arm("before-commit", lambda _: proxy.freeze(answers_only=answers_only))
    with pytest.raises(Unavailable, match="does not answer"):
        runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG)
    assert runner.failure is not None
    fault_injection.disarm()
    assert repeated(runner, "during") is answers_only, "the server may have committed without a reply"
    assert repeated(runner, "during")
    assert runner.failure is None
    assert store.balances([ANN]) == {ANN: 10}


def test_idle_connections_that_were_cut_off_are_found_by_their_check(
    proxy: Proxy, store: PostgresStore, runner: Runner[bank.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    store.balances([ANN])
    monkeypatch.setattr(postgres, "CHECK_SECONDS", 0.05)
    proxy.freeze()
    until(lambda: time.monotonic() - last_use(store) > 0.05)
    assert store.balances([ANN]) == {ANN: 5}
    assert not runner.submit(bank.buy("t1", "ann", 5, "after")).result(HANG).repeated


def last_use(store: PostgresStore) -> float:
    """When a connection for writing or reading was last given back."""
    pools = (store._readers._pool, store._writers._pool)
    return max(connection.used_at for pool in pools for connection in pool._pool)


@pytest.mark.thorough
def test_a_commit_that_is_overdue_is_trouble_before_it_fails(
    proxy: Proxy, runner: Runner[bank.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.journal.runner.OVERDUE_SECONDS", 0.05)
    monkeypatch.setattr(postgres.Connection, "answer_seconds", 5.0)
    fault_injection.arm("before-commit", lambda _: proxy.freeze())
    request = runner.submit(bank.buy("t1", "ann", 5, "during"))
    assert until(lambda: runner.failure) == "a commit is overdue"
    with pytest.raises(Unavailable):
        request.result(HANG)


def test_trouble_ends_when_writing_is_possible_again_though_nobody_commits(
    proxy: Proxy, runner: Runner[bank.Table]
) -> None:
    fault_injection.arm("before-commit", lambda _: proxy.freeze())
    with pytest.raises(Unavailable):
        runner.submit(bank.buy("t1", "ann", 5, "during")).result(HANG)
    runner.check_recovery()
    assert runner.failure is None


def test_nobody_waits_beyond_the_end_that_a_stop_sets(
    proxy: Proxy, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres.Connection, "answer_seconds", HANG)
    store.head("t1")
    with store.transaction() as unit:
        unit.lock("t1")
    proxy.freeze()
    store.set_deadline(time.monotonic() + 0.2)
    with pytest.raises(Unavailable):
        store.head("t1")
    with pytest.raises(Unavailable):
        store.head("t1")
    with pytest.raises(Unavailable), store.transaction() as unit:
        unit.lock("t1")


def test_passwords_and_sessions_are_looked_up_over_a_new_connection(proxy: Proxy) -> None:
    with open_auth_store(proxy.url) as access:
        access.save_setting("a", "before")
        proxy.freeze()
        with pytest.raises(NobodyLetIn, match="does not answer"):
            access.setting("a")
        assert access.setting("a") == "before"
