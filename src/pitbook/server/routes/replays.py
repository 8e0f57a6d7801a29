"""Past rounds played back, for managers, auditors and supervisors."""

from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec.structs import replace

from pitbook.errors import quoted
from pitbook.messages import Language
from pitbook.server.backoffice.journal_pages import mentioned_people
from pitbook.server.backoffice.replays import RoundReplay, build_replay
from pitbook.server.backoffice.rights import supervisor
from pitbook.server.backoffice.services import length_of
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import RequestCaller
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES

ROUND_MAX = 2**53


@get("/api/v1/journal/{table:str}/rounds/{number:int}", tags=["audit"], summary="A round, to be played back")
async def replay_round(
    table: FromPath[str],
    number: FromPath[int],
    services: HouseServices,
    caller: RequestCaller,
    after: Annotated[
        int,
        QueryParameter(ge=0, le=ROUND_MAX, required=False, description="only entries after this one, of a long round"),
    ] = 0,
) -> RoundReplay:
    """Return every entry of a round with its sentences, its money, and what it changed on the layout.

    For managers, auditors and supervisors of the table. Later entries about the round follow at the end.
    """
    caller.require_account()
    known = table.isprintable() and await TABLE_QUERIES.work(services.house.has_table, table)
    if known:
        supervisor(caller, await TABLE_QUERIES.work(services.house.table, table))
    else:
        caller.require_oversight()
    office = services.backoffice
    language = request_context.current().language
    found = await office.work(_read_replay, services, table, number, after, language)
    if found is None:
        raise Problem("not-found", detail("no-round", table=table if known else quoted(table), round=number))
    return found


def _read_replay(services: Services, table: str, number: int, after: int, language: Language) -> RoundReplay | None:
    if not 0 < number <= ROUND_MAX or not length_of(services.house.store, table):
        return None
    found = build_replay(services.house.store, services.backoffice.pager, table, number, after, language)
    if found is None:
        return None
    shooters = (shows.shooter for shows in (found.before, *(frame.shows for frame in found.frames)))
    named = {name for name in shooters if isinstance(name, str)} | mentioned_people(
        frame.entry for frame in found.frames
    )
    return replace(found, names=display_names(services.house.people_seen, named))


handlers = [replay_round]
