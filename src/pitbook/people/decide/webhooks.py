"""Webhooks: managers add, pause and remove them, and the server records the alarms that they deliver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.people import events as e
from pitbook.people.names import SHOWN_MAX, is_line, shorten
from pitbook.people.refusals import Reason
from pitbook.people.values import Webhook

if TYPE_CHECKING:
    from pitbook.people import commands as c
    from pitbook.people.decide.draft import Draft

WEBHOOKS_MAX = 10
ALARMS_MAX = 500
"""The most alarms that are recorded at the same time."""
URL_MAX = 1_000
ALARM_MAX = 500
TOPICS = ("alarms", "approvals", "settlements")


def add(draft: Draft, command: c.AddWebhook) -> None:
    draft.manager()
    topics = tuple(sorted(set(command.topics)))
    if not topics or not set(topics) <= set(TOPICS) or not is_line(command.url, URL_MAX, empty=False):
        draft.refuse(Reason.BAD_TEXT, "people.webhook")
    if command.id in draft.people.webhooks:
        draft.refuse(Reason.NOTHING_TO_DO, "people.webhook-known", url=draft.people.webhooks[command.id].url)
    if len(draft.people.webhooks) >= WEBHOOKS_MAX:
        draft.refuse(Reason.TOO_MANY, "people.webhooks", most=WEBHOOKS_MAX)
    draft.emit(e.WebhookAdded(Webhook(shorten(command.id), command.url, topics, draft.at)))


def remove(draft: Draft, command: c.RemoveWebhook) -> None:
    draft.manager()
    webhook = _find(draft, command.id)
    draft.emit(e.WebhookRemoved(webhook.id, webhook.url))


def pause(draft: Draft, command: c.PauseWebhook) -> None:
    draft.manager()
    webhook = _find(draft, command.id)
    if webhook.paused:
        draft.refuse(Reason.NOTHING_TO_DO, "people.webhook-paused")
    draft.emit(e.WebhookPaused(webhook.id, webhook.url))


def resume(draft: Draft, command: c.ResumeWebhook) -> None:
    draft.manager()
    webhook = _find(draft, command.id)
    if not webhook.paused:
        draft.refuse(Reason.NOTHING_TO_DO, "people.webhook-not-paused")
    draft.emit(e.WebhookResumed(webhook.id, webhook.url))


def change_secret(draft: Draft, command: c.ChangeWebhookSecret) -> None:
    draft.manager()
    webhook = _find(draft, command.id)
    draft.emit(e.WebhookSecretChanged(webhook.id, webhook.url))


def raise_alarm(draft: Draft, command: c.RecordAlarm) -> None:
    draft.server()
    if command.id in draft.people.alarms or len(draft.people.alarms) >= ALARMS_MAX:
        draft.refuse(Reason.NOTHING_TO_DO, "people.alarm-known")
    table = None if command.table is None else shorten(command.table, SHOWN_MAX)
    kind, words = shorten(command.kind, SHOWN_MAX), shorten(command.words, ALARM_MAX)
    draft.emit(e.AlarmRaised(shorten(command.id), kind, table, words))


def end_alarm(draft: Draft, command: c.RecordAlarmEnd) -> None:
    draft.server()
    alarm = draft.people.alarms.get(command.id)
    if alarm is None:
        draft.refuse(Reason.NOTHING_TO_DO, "people.alarm-over")
    draft.emit(e.AlarmEnded(command.id, alarm.kind, alarm.table))


def _find(draft: Draft, webhook_id: str) -> Webhook:
    found = draft.people.webhooks.get(webhook_id)
    if found is None:
        draft.refuse(Reason.NOTHING_TO_DO, "people.no-webhook")
    return found
