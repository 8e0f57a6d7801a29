"""Webhooks: where settlements, alarms and approvals are sent."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter
from msgspec.structs import replace

from pitbook.errors import InputError, quoted
from pitbook.people import commands as c
from pitbook.people.values import Webhook
from pitbook.server.addresses import parse_address
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import RequestCaller
from pitbook.server.schemas.webhooks import (
    DeliveryList,
    DeliveryOutcome,
    NewWebhook,
    WebhookInfo,
    WebhookList,
    WebhookSecret,
)
from pitbook.server.services import HouseServices, Services
from pitbook.server.webhooks.messages import KINDS, WebhookMessage
from pitbook.server.webhooks.pending import count_pending
from pitbook.server.webhooks.progress import Progress
from pitbook.server.webhooks.service import TestInProgress
from pitbook.server.webhooks.signatures import secret_text
from pitbook.server.webhooks.targets import is_allowed, parse_target

TAGS = ["webhooks"]
WebhookId = Annotated[str, PathParameter(max_length=40, description="The webhook's id.")]
TOPIC_DESCRIPTIONS = {
    "alarms": "An alarm was raised, or has ended",
    "approvals": "An approval was asked for, answered or used",
    "settlements": "Bets were settled, or a settlement was undone",
}
EXAMPLE = {"url": "https://cage.example/pitbook", "topics": ["settlements", "approvals"]}


@get("/api/v1/webhooks", tags=TAGS, summary="Where events are sent")
async def list_webhooks(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> WebhookList:
    """List the webhooks and the state of their deliveries, for managers and auditors."""
    caller.require_oversight()
    page = await asyncio.to_thread(_list, services)
    return replace(page, webhooks=take_page(page.webhooks, lambda one: one.id, after, limit))


def _list(services: Services) -> WebhookList:
    return WebhookList([_info(services, one) for one in services.people.state.webhooks.values()])


def _info(services: Services, webhook: Webhook) -> WebhookInfo:
    store = services.house.store
    heads = {name: head.sequence for name, head in store.heads().items()}
    known = services.webhooks.store.progress(webhook.id) or Progress(heads)
    behind = {name: head - known.position.get(name, 0) for name, head in heads.items()}
    return WebhookInfo(
        id=webhook.id,
        url=webhook.url,
        topics=webhook.topics,
        since=webhook.since,
        delivered=known.delivered,
        last=known.last,
        failures=known.failures,
        failing_since=known.since,
        error=known.error,
        reason=known.reason,
        paused=webhook.paused,
        pending=count_pending(webhook, known, store),
        behind={name: count for name, count in behind.items() if count > 0},
    )


@post(
    "/api/v1/webhooks",
    tags=TAGS,
    summary="Send events to an address",
    opt={
        "examples": {"request": EXAMPLE},
        "webhooks": {topic: (WebhookMessage, TOPIC_DESCRIPTIONS[topic]) for topic in KINDS},
    },
)
async def add_webhook(data: JSONBody[NewWebhook], services: HouseServices, caller: RequestCaller) -> WebhookSecret:
    """Post settlements, alarms or approvals to an address from now on: signed, at least once, in the record's order.

    For managers. The answer has the secret with which messages are signed; it is shown once.
    """
    manager = caller.require_manager()
    _check_address(services, data.url)
    webhook_id = secrets.token_hex(6)
    secret = await asyncio.to_thread(services.webhooks.prepare, webhook_id)
    try:
        command = c.AddWebhook(webhook_id, data.url, data.topics)
        await services.authenticator.records.execute(manager, command)
    except Problem:
        await asyncio.to_thread(services.webhooks.store.delete, webhook_id)
        raise
    return WebhookSecret(webhook_id, data.url, secret_text(secret))


@delete("/api/v1/webhooks/{webhook_id:str}", status_code=204, tags=TAGS, summary="Send nothing more")
async def remove_webhook(webhook_id: WebhookId, services: HouseServices, caller: RequestCaller) -> None:
    """Remove a webhook; what was not delivered is not sent any more. For managers."""
    manager = caller.require_manager()
    _find(services, webhook_id)
    await services.authenticator.records.execute(manager, c.RemoveWebhook(webhook_id))
    await asyncio.to_thread(services.webhooks.store.delete, webhook_id)


@post("/api/v1/webhooks/{webhook_id:str}/pause", status_code=204, tags=TAGS, summary="Let messages wait")
async def pause_webhook(webhook_id: WebhookId, services: HouseServices, caller: RequestCaller) -> None:
    """Send nothing until the webhook is resumed; messages wait, and none is lost. For managers."""
    manager = caller.require_manager()
    _find(services, webhook_id)
    await services.authenticator.records.execute(manager, c.PauseWebhook(webhook_id))


@post("/api/v1/webhooks/{webhook_id:str}/resume", status_code=204, tags=TAGS, summary="Send messages again")
async def resume_webhook(webhook_id: WebhookId, services: HouseServices, caller: RequestCaller) -> None:
    """Continue a paused webhook, in order, beginning with the messages that have waited. For managers."""
    manager = caller.require_manager()
    _find(services, webhook_id)
    await services.authenticator.records.execute(manager, c.ResumeWebhook(webhook_id))


@post("/api/v1/webhooks/{webhook_id:str}/test", status_code=200, tags=TAGS, summary="Send a test")
async def test_webhook(webhook_id: WebhookId, services: HouseServices, caller: RequestCaller) -> DeliveryOutcome:
    """Post a signed message of the type `test` now, once, and return the response. For managers.

    It represents no entry: its `event` and `transfers` are empty. It is sent to a paused webhook, too.
    """
    manager = caller.require_manager()
    webhook = _find(services, webhook_id)
    try:
        return await asyncio.to_thread(services.webhooks.send_test, webhook, manager.name)
    except TestInProgress:
        raise Problem("conflict", detail("webhook-test")) from None


@get("/api/v1/webhooks/{webhook_id:str}/deliveries", tags=TAGS, summary="The latest messages")
async def list_deliveries(
    webhook_id: WebhookId,
    services: HouseServices,
    caller: RequestCaller,
    after: Cursor = None,
    limit: PageSize = PAGE_MAX,
) -> DeliveryList:
    """List the latest messages to a webhook with their responses, for managers and auditors."""
    caller.require_oversight()
    _find(services, webhook_id)
    known = await asyncio.to_thread(services.webhooks.store.progress, webhook_id)
    found = () if known is None else known.recent
    return DeliveryList(take_page(found, lambda one: one.id, after, limit))


@post("/api/v1/webhooks/{webhook_id:str}/secret", status_code=200, tags=TAGS, summary="A new secret")
async def change_secret(webhook_id: WebhookId, services: HouseServices, caller: RequestCaller) -> WebhookSecret:
    """Give a webhook a new secret. For a day messages are signed with the former one, too. For managers."""
    manager = caller.require_manager()
    webhook = _find(services, webhook_id)
    await services.authenticator.records.execute(manager, c.ChangeWebhookSecret(webhook_id))
    secret = await asyncio.to_thread(services.webhooks.store.make_secret, webhook_id, services.house.now)
    return WebhookSecret(webhook_id, webhook.url, secret_text(secret))


def _find(services: Services, webhook_id: str) -> Webhook:
    found: Webhook | None = services.people.state.webhooks.get(webhook_id)
    if found is None:
        raise Problem("not-found", detail("no-webhook", webhook=quoted(webhook_id)))
    return found


def _check_address(services: Services, url: str) -> None:
    """Raise a problem for an address that nothing would ever be sent to."""
    try:
        target = parse_target(url)
    except InputError as error:
        raise Problem("unprocessable", error.message) from None
    if parse_address(target.host) is not None and not is_allowed(target.host, services.settings.webhook_networks):
        raise Problem("unprocessable", detail("webhook-network", host=target.host))


handlers = [
    list_webhooks,
    add_webhook,
    remove_webhook,
    pause_webhook,
    resume_webhook,
    test_webhook,
    list_deliveries,
    change_secret,
]
