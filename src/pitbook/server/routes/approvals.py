"""Approvals by a second person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter

from pitbook.people.state import Approval
from pitbook.server.commands.approvals import approve, find_approval, refuse, withdraw
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import DEAL, PLAY, READ, RequestCaller
from pitbook.server.presenters.people import approval_info, may_answer
from pitbook.server.schemas.people import ApprovalDone, ApprovalInfo, Approvals, ProposalInfo, Second, SecondRefuses
from pitbook.server.services import HouseServices
from pitbook.server.tables.proposals import find_proposals
from pitbook.server.worker_pool import TABLE_QUERIES

TAGS = ["people"]
Number = Annotated[str, PathParameter(max_length=64, description="the approval's id")]


@get("/api/v1/approvals", tags=TAGS, summary="What waits for a second person")
async def list_approvals(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Approvals:
    """List approvals that the caller may give or has asked for, then finished ones; managers and auditors see all.

    Players see what staff want to do with their chips.
    """
    caller.require_account()
    caller.require_scope(DEAL, READ, PLAY)
    now, everything = services.authenticator.now(), caller.is_manager or caller.is_auditor

    def visible(found: Iterable[Approval]) -> list[ApprovalInfo]:
        seen = (one for one in found if everything or one.asker == caller.name or may_answer(one, caller))
        return [approval_info(one, caller, now) for one in seen]

    state = services.people.state
    open_now, over = visible(state.approvals.values()), visible(reversed(state.finished))
    page_ids = {one.id for one in take_page([*open_now, *over], lambda one: one.id, after, limit)}
    waiting_now, over = ([one for one in found if one.id in page_ids] for found in (open_now, over))
    named = (name for one in (*waiting_now, *over) for name in (one.asker, one.by, one.player))
    return Approvals(waiting_now, over, display_names(state, named))


@get("/api/v1/proposals", tags=TAGS, summary="What waits at the tables for a second person")
async def list_proposals(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> list[ProposalInfo]:
    """List proposed corrections and voids at the tables where the caller works; managers and auditors see all."""
    caller.require_account()
    caller.require_scope(DEAL, READ)
    found = await TABLE_QUERIES.work(find_proposals, services.house, services.people.state, caller)
    return take_page(found, lambda one: f"{one.table} {one.round} {one.kind}", after, limit)


@post("/api/v1/approvals/{number:str}/approve", status_code=200, tags=TAGS, summary="Approve")
async def approve_request(
    number: Number, data: JSONBody[Second], services: HouseServices, caller: RequestCaller
) -> ApprovalDone:
    """Approve as a second person: the command is executed at once, in the asker's name.

    The player whose chips it moves may approve, too, which is their consent.
    """
    caller.require_account()
    caller.require_scope(DEAL, PLAY)
    answer = await approve(services, caller, number, data.role)
    return ApprovalDone(number, answer.sequence, answer.events)


@post("/api/v1/approvals/{number:str}/refuse", status_code=200, tags=TAGS, summary="Do not approve")
async def refuse_request(
    number: Number, data: JSONBody[SecondRefuses], services: HouseServices, caller: RequestCaller
) -> ApprovalInfo:
    """Refuse as a second person, or as the player whose chips it would move."""
    caller.require_account()
    caller.require_scope(DEAL, PLAY)
    await refuse(services, caller, number, data.words, data.role)
    return approval_info(find_approval(services, number), caller, services.authenticator.now())


@post("/api/v1/approvals/{number:str}/withdraw", status_code=200, tags=TAGS, summary="Withdraw")
async def withdraw_request(number: Number, services: HouseServices, caller: RequestCaller) -> ApprovalInfo:
    """Withdraw one's own request."""
    caller.require_account()
    caller.require_scope(DEAL)
    await withdraw(services, caller, number)
    return approval_info(find_approval(services, number), caller, services.authenticator.now())


handlers = [list_approvals, list_proposals, approve_request, refuse_request, withdraw_request]
