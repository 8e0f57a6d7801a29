"""Webhooks: only managers add and remove them; the server records alarms once."""

from __future__ import annotations

import msgspec
import pytest

from pitbook.people import commands as c
from pitbook.people import events as e
from pitbook.people.decide.webhooks import ALARMS_MAX, WEBHOOKS_MAX
from pitbook.people.refusals import Reason
from pitbook.people.values import Webhook
from tests.people.people_in_memory import ANN, DAN, MAX, SERVER, make_people

URL = "https://cage.example/hook"


def test_a_manager_adds_a_webhook_and_removes_it() -> None:
    house = make_people()
    added = house.does(MAX, c.AddWebhook("w1", URL, ("settlements", "alarms", "alarms")))
    assert added == (e.WebhookAdded(Webhook("w1", URL, ("alarms", "settlements"), house.at)),)
    assert house.does(MAX, c.ChangeWebhookSecret("w1")) == (e.WebhookSecretChanged("w1", URL),)
    assert list(house.people.webhooks) == ["w1"]
    assert house.does(MAX, c.RemoveWebhook("w1")) == (e.WebhookRemoved("w1", URL),)
    assert house.people.webhooks == {}


@pytest.mark.parametrize("person", [ANN, DAN, SERVER])
def test_nobody_else_changes_webhooks(person: object) -> None:
    house = make_people()
    house.does(MAX, c.AddWebhook("w1", URL, ("alarms",)))
    changes = (c.PauseWebhook("w1"), c.ResumeWebhook("w1"), c.RemoveWebhook("w1"), c.ChangeWebhookSecret("w1"))
    for command in (c.AddWebhook("w2", URL, ("alarms",)), *changes):
        house.refused(person, command, Reason.WRONG_ROLE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "topics"), [(URL, ()), (URL, ("alarms", "secrets")), ("", ("alarms",)), ("https://a\nb", ("alarms",))]
)
def test_a_webhook_needs_an_address_and_known_topics(url: str, topics: tuple[str, ...]) -> None:
    make_people().refused(MAX, c.AddWebhook("w1", url, topics), Reason.BAD_TEXT)


def test_there_are_only_so_many_webhooks_each_with_an_id_of_its_own() -> None:
    house = make_people()
    for number in range(WEBHOOKS_MAX):
        house.does(MAX, c.AddWebhook(f"w{number}", URL, ("alarms",)))
    house.refused(MAX, c.AddWebhook("w0", URL, ("alarms",)), Reason.NOTHING_TO_DO)
    house.refused(MAX, c.AddWebhook("more", URL, ("alarms",)), Reason.TOO_MANY)
    unknown = (c.PauseWebhook("other"), c.ResumeWebhook("other"), c.RemoveWebhook("other"))
    for command in (*unknown, c.ChangeWebhookSecret("other")):
        house.refused(MAX, command, Reason.NOTHING_TO_DO)


def test_a_webhook_is_paused_until_it_is_resumed() -> None:
    house = make_people()
    (added,) = house.does(MAX, c.AddWebhook("w1", URL, ("alarms",)))
    assert b"paused" not in msgspec.json.encode(added), "what is recorded of a new webhook is as before"
    house.refused(MAX, c.ResumeWebhook("w1"), Reason.NOTHING_TO_DO)
    assert house.does(MAX, c.PauseWebhook("w1")) == (e.WebhookPaused("w1", URL),)
    assert house.people.webhooks["w1"].paused
    house.refused(MAX, c.PauseWebhook("w1"), Reason.NOTHING_TO_DO)
    assert house.does(MAX, c.ResumeWebhook("w1")) == (e.WebhookResumed("w1", URL),)
    assert not house.people.webhooks["w1"].paused


def test_an_alarm_is_recorded_once_until_it_has_ended() -> None:
    house = make_people()
    raised = c.RecordAlarm("f1", "fairness", "t1", "dice set 1")
    assert house.does(SERVER, raised) == (e.AlarmRaised("f1", "fairness", "t1", "dice set 1"),)
    house.refused(SERVER, raised, Reason.NOTHING_TO_DO)
    assert house.does(SERVER, c.RecordAlarmEnd("f1")) == (e.AlarmEnded("f1", "fairness", "t1"),)
    house.refused(SERVER, c.RecordAlarmEnd("f1"), Reason.NOTHING_TO_DO)
    house.does(SERVER, raised)


def test_a_flood_of_alarms_does_not_flood_the_record() -> None:
    house = make_people()
    for number in range(ALARMS_MAX):
        house.does(SERVER, c.RecordAlarm(f"f{number}", "fairness", None, "x"))
    house.refused(SERVER, c.RecordAlarm("more", "fairness", None, "x"), Reason.NOTHING_TO_DO)
