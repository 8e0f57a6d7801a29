"""Acts that wait for a second person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody, PathParameter

from pitbook.people.state import Approval
from pitbook.server.commands.approvals import approve, refuse, waiting, withdraw
from pitbook.server.people.display_names import names_of
from pitbook.server.people.identity import DEAL, PLAY, READ, RequestCaller
from pitbook.server.presenters.people import approval_told, may_answer
from pitbook.server.schemas.people import ApprovalDone, ApprovalInfo, Approvals, ProposalInfo, Second, SecondRefuses
from pitbook.server.services import HouseServices
from pitbook.server.tables.proposals import proposals_of
from pitbook.server.worker_pool import WINDOW

TAGS = ["people"]
Number = Annotated[str, PathParameter(max_length=64, description="the approval's id")]


@get("/api/v1/approvals", tags=TAGS, summary="What waits for a second person")
async def list_approvals(services: HouseServices, caller: RequestCaller) -> Approvals:
    """What the asker may approve, and what they have asked for; managers and auditors see all of the house.

    A player sees what staff want to do with their chips.
    """
    caller.signed_in()
    caller.need_scope(DEAL, READ, PLAY)
    now, everything = services.authenticator.now(), caller.manages or caller.audits

    def told(found: Iterable[Approval]) -> list[ApprovalInfo]:
        seen = (one for one in found if everything or one.asker == caller.name or may_answer(one, caller))
        return [approval_told(one, caller, now) for one in seen]

    state = services.people.state
    waiting_now, over = told(state.approvals.values()), told(reversed(state.finished))
    named = (name for one in (*waiting_now, *over) for name in (one.asker, one.by, one.player))
    return Approvals(waiting_now, over, names_of(state, named))


@get("/api/v1/proposals", tags=TAGS, summary="What waits at the tables for a second person")
async def list_proposals(services: HouseServices, caller: RequestCaller) -> list[ProposalInfo]:
    """Corrections of dice and rounds to be void, at the tables where the asker works; managers and auditors see all."""
    caller.signed_in()
    caller.need_scope(DEAL, READ)
    return await WINDOW.work(proposals_of, services.house, services.people.state, caller)


@post("/api/v1/approvals/{number:str}/approve", status_code=200, tags=TAGS, summary="Approve")
async def approve_act(
    number: Number, data: JSONBody[Second], services: HouseServices, caller: RequestCaller
) -> ApprovalDone:
    """By somebody else than who asked. The act is carried out at once, as theirs and with this second person in it.

    The player whose chips it moves may approve, too: that is their consent.
    """
    caller.signed_in()
    caller.need_scope(DEAL, PLAY)
    answer = await approve(services, caller, number, data.role)
    return ApprovalDone(number, answer.sequence, answer.events)


@post("/api/v1/approvals/{number:str}/refuse", status_code=200, tags=TAGS, summary="Do not approve")
async def refuse_act(
    number: Number, data: JSONBody[SecondRefuses], services: HouseServices, caller: RequestCaller
) -> ApprovalInfo:
    """By somebody else than who asked, or the player whose chips it would move. It is over."""
    caller.signed_in()
    caller.need_scope(DEAL, PLAY)
    await refuse(services, caller, number, data.words, data.role)
    return approval_told(waiting(services, number), caller, services.authenticator.now())


@post("/api/v1/approvals/{number:str}/withdraw", status_code=200, tags=TAGS, summary="Withdraw")
async def withdraw_act(number: Number, services: HouseServices, caller: RequestCaller) -> ApprovalInfo:
    """By who asked."""
    caller.signed_in()
    caller.need_scope(DEAL)
    await withdraw(services, caller, number)
    return approval_told(waiting(services, number), caller, services.authenticator.now())


handlers = [list_approvals, list_proposals, approve_act, refuse_act, withdraw_act]
