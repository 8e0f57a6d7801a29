"""Messages of one webhook: in order, each until it is accepted, with pauses that grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.auth.moving import move_credentials
from pitbook.auth.stores import open_auth_store
from pitbook.journal.entries import HOUSE
from pitbook.server.webhooks import delivery as module
from pitbook.server.webhooks import pending
from pitbook.server.webhooks.delivery import Delivery
from pitbook.server.webhooks.messages import KINDS, message_id
from pitbook.server.webhooks.pending import count_pending
from pitbook.server.webhooks.progress import FORMER_SECONDS, Progress, WebhookStore
from tests.server.webhooks.conftest import Office


def deliveries(office: Office) -> list[dict[str, Any]]:
    return [msgspec.json.decode(body) for body in office.post.taken]


def recorded(office: Office, after: int = 0) -> list[int]:
    return [one.sequence for one in office.house.store.entries("t1", after) if one.kind in KINDS["settlements"]]


def test_what_was_recorded_before_is_not_sent_and_everything_after_it_is(office: Office) -> None:
    office.play()
    before = office.house.store.head("t1").sequence
    delivery = office.delivery(office.webhook("settlements"))
    delivery.deliver()
    assert office.post.tried == []
    office.play()
    delivery.deliver()
    assert [one["sequence"] for one in deliveries(office)] == recorded(office, before)
    assert {one["type"] for one in deliveries(office)} == {"settlements"}
    assert deliveries(office)[-1]["kind"] == "RoundEnded"


def test_a_refused_message_is_sent_again_after_growing_pauses_and_none_overtakes_it(office: Office) -> None:
    delivery = office.delivery(office.webhook("settlements"))
    office.play()
    office.post.refuses = "it answered 500"
    for pause in (1, 2, 4, 8):
        tries = len(office.post.tried)
        delivery.deliver()
        assert len(office.post.tried) == tries + 1, "one attempt"
        delivery.deliver()
        office.wait(pause - 0.001)
        delivery.deliver()
        assert len(office.post.tried) == tries + 1, "no attempt before its time"
        office.wait(0.001)
    assert len(set(office.post.tried)) == 1, "always the same message, under the same id"
    progress = office.store.progress("w1")
    assert progress is not None
    assert (progress.failures, progress.error, progress.since) == (4, "it answered 500", "2026-03-01T12:00:00+00:00")
    assert progress.failing
    office.post.refuses = ""
    delivery.deliver()
    assert [one["sequence"] for one in deliveries(office)] == recorded(office)
    progress = office.store.progress("w1")
    assert progress is not None
    assert (progress.failures, progress.error, progress.since) == (0, "", None)
    assert office.outcomes == ["failed"] * 4 + ["delivered"] * len(recorded(office))


def test_another_process_goes_on_where_this_one_stopped(office: Office) -> None:
    webhook = office.webhook("settlements")
    office.play()
    first = office.delivery(webhook)
    sent = 0

    def twice() -> bool:
        nonlocal sent
        sent += 1
        return sent <= 2

    Delivery(webhook, office.house.store, office.store, office.post, lambda: office.now, twice).deliver()
    assert len(office.post.taken) == 2
    office.delivery(webhook).deliver()
    assert [one["sequence"] for one in deliveries(office)] == recorded(office)
    first.deliver()  # it knows nothing of the other: what it sends again is the same, in order
    assert office.post.tried[len(recorded(office)) :] == office.post.tried[: len(recorded(office))]


def test_records_are_delivered_by_time_and_each_in_its_own_order(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 2)
    from pitbook.testing import JournalTable

    other = JournalTable(office.house, "massachusetts-sic-bo", "t2")
    delivery = office.delivery(office.webhook("settlements"))
    for _ in range(3):
        office.play()
        other.play_round(4, 5, 6)
    delivery.deliver()
    times = [one["at"] for one in deliveries(office)]
    assert times == sorted(times)
    assert {one["table"] for one in deliveries(office)} == {"t1", "t2"}
    for table in ("t1", "t2"):
        sequences = [one["sequence"] for one in deliveries(office) if one["table"] == table]
        assert sequences == sorted(set(sequences))


def test_a_topic_among_many_entries_of_others_is_found(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.people import commands as c
    from pitbook.people.values import Grant
    from pitbook.table.people import Person

    monkeypatch.setattr(module, "CHUNK", 2)
    server = Person("server", "server")
    delivery = office.delivery(office.webhook("alarms"))
    office.house.manage(server, c.AddPerson("max", "Max", (Grant("manager"),)))
    for _ in range(3):
        office.play()
    office.house.manage(server, c.RecordAlarm("f1", "fairness", "t1", "dice set 1"))
    delivery.deliver()
    (only,) = deliveries(office)
    assert (only["type"], only["table"], only["event"]["words"]) == ("alarms", HOUSE, "dice set 1")


def test_a_record_that_was_restored_goes_on_at_its_end(office: Office) -> None:
    webhook = office.webhook("settlements")
    office.store.save_progress("w1", Progress({"t1": 1_000_000, "gone": 5}))
    delivery = office.delivery(webhook)
    delivery.deliver()
    office.play()
    delivery.deliver()
    assert [one["sequence"] for one in deliveries(office)] == recorded(office)


def test_a_lost_position_starts_at_the_end_and_a_lost_secret_sends_nothing(office: Office) -> None:
    webhook = office.webhook("settlements")
    office.play()
    office.store.delete("w1")
    delivery = office.delivery(webhook)
    delivery.deliver()
    assert office.post.tried == []
    office.play()
    delivery.deliver()
    assert office.post.tried == []
    progress = office.store.progress("w1")
    assert progress is not None
    assert "secret is missing" in progress.error
    office.store.make_secret("w1", lambda: office.now)
    office.wait(1)
    delivery.deliver()
    assert len(deliveries(office)) == len(recorded(office)) // 2


def test_a_former_secret_signs_for_a_day(office: Office) -> None:
    office.webhook("settlements")
    first = office.store.secrets("w1", office.now)
    second = office.store.make_secret("w1", lambda: office.now)
    assert office.store.secrets("w1", office.now) == [second, *first]
    office.wait(FORMER_SECONDS)
    assert office.store.secrets("w1", office.now) == [second]


def test_the_id_of_a_message_is_its_entrys_alone(office: Office) -> None:
    office.play()
    ids = [message_id(one) for one in office.house.store.entries("t1")]
    assert len(set(ids)) == len(ids)


def test_a_house_that_moves_takes_secrets_and_positions_along(office: Office, tmp_path: Path) -> None:
    office.webhook("settlements")
    with open_auth_store(str(tmp_path / "moved.db")) as moved:
        move_credentials(office.auth.database, moved.database)
        there = WebhookStore(moved, tmp_path / "sealing.key")
        assert there.progress("w1") == office.store.progress("w1")
        assert there.secrets("w1", office.now) == office.store.secrets("w1", office.now)


def test_the_latest_messages_are_remembered_each_once_with_its_last_outcome(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RECENT_MAX", 4)
    webhook = office.webhook("settlements")
    delivery = office.delivery(webhook)
    office.play()
    office.post.refuses = "it answered 500"
    for _ in range(3):
        delivery.deliver()
        office.wait(600)
    (failed,) = kept(office).recent
    assert (failed.tries, failed.status, failed.reason, failed.error) == (3, 500, "refused", "it answered 500")
    assert kept(office).reason == "refused"
    assert count_pending(webhook, kept(office), office.house.store) == len(recorded(office))
    office.post.refuses = ""
    delivery.deliver()
    assert [(one.sequence, one.tries) for one in reversed(kept(office).recent)] == [
        (sequence, 4 if place == 0 else 1) for place, sequence in enumerate(recorded(office))
    ]
    assert {(one.status, one.reason, one.error) for one in kept(office).recent} == {(200, None, "")}
    assert kept(office).reason is None
    office.play()
    delivery.deliver()
    assert [one.sequence for one in reversed(kept(office).recent)] == recorded(office)[-4:]
    assert count_pending(webhook, kept(office), office.house.store) == 0


def test_what_is_not_sent_is_passed_over_for_good(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 5)
    webhook = office.webhook("alarms")
    delivery = office.delivery(webhook)
    office.play()
    delivery.deliver()
    assert kept(office).position["t1"] == office.house.store.head("t1").sequence
    assert count_pending(webhook, kept(office), office.house.store) == 0


def test_no_more_than_some_waiting_messages_are_counted(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    webhook = office.webhook("settlements")
    office.play()
    waiting = len(recorded(office))
    monkeypatch.setattr(pending, "CHUNK", 1)
    assert count_pending(webhook, kept(office), office.house.store) == waiting
    monkeypatch.setattr(pending, "PENDING_MAX", waiting - 1)
    assert count_pending(webhook, kept(office), office.house.store) == waiting - 1


def kept(office: Office) -> Progress:
    found = office.store.progress("w1")
    assert found is not None
    return found
