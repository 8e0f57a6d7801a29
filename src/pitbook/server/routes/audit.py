"""The journal in words, its audit, and signed checkpoints, for auditors and managers."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec.structs import replace

from pitbook.child_processes import Job, ProcessEnded
from pitbook.errors import quoted
from pitbook.journal.checkpoints import Checkpoint, from_json
from pitbook.journal.entries import HOUSE
from pitbook.messages import Message
from pitbook.server.backoffice.audits import AuditState, FindingInfo
from pitbook.server.backoffice.checkpoint_signing import public_key, sign
from pitbook.server.backoffice.journal_pages import EntryFilter, JournalPage, mentioned_people, read_page
from pitbook.server.backoffice.rights import acting_manager_or_auditor, manager_or_auditor
from pitbook.server.backoffice.services import length_of
from pitbook.server.http import request_context
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, link_next, take_page
from pitbook.server.http.problems import Problem, message_text
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import RequestCaller
from pitbook.server.services import HouseServices, Services

SEQUENCE_MAX = 2**53
CHECKPOINT_MAX = 200_000
EARLIER_MAX = 20
TAGS = ["audit"]

TableName = Annotated[str, PathParameter(description="A table's name; `house` for the house's own record.")]
After = Annotated[
    int | None,
    QueryParameter(name="after", ge=0, le=SEQUENCE_MAX, required=False, description="only entries after this one"),
]
Before = Annotated[
    int | None,
    QueryParameter(
        name="before",
        ge=0,
        le=SEQUENCE_MAX,
        required=False,
        description="only entries before it; alone: the last ones before it",
    ),
]


CheckpointText = Annotated[
    str,
    msgspec.Meta(
        max_length=CHECKPOINT_MAX,
        description="the text of a checkpoint that was kept elsewhere: shows what was cut off or rewritten since",
    ),
]
KeyText = Annotated[str, msgspec.Meta(max_length=10_000, description="the signer's public key (PEM)")]


class HeadInfo(msgspec.Struct, frozen=True):
    """The length and last hash of a record."""

    table: str
    """A table's name; `house` for the house's own record."""
    entries: int
    hash: str
    """The hash of the last entry."""
    at: str
    """When the last entry was written."""
    snapshot: int | None
    """The entry of the last snapshot."""


class SignedInfo(msgspec.Struct, frozen=True):
    """The last checkpoint that this server has signed."""

    at: str
    signer: str
    """The id of the key."""
    entries: dict[str, int]
    """The length of each record at that time."""


class Heads(msgspec.Struct, frozen=True):
    """All records of the journal."""

    records: list[HeadInfo]
    entries: int
    trouble: str | None
    """Why the journal cannot write at present."""
    signed: SignedInfo | None = None
    """The last checkpoint since this server started, if any."""


class AuditRequest(RequestBody, frozen=True):
    """Checkpoints to compare the journal with."""

    checkpoint: CheckpointText | None = None
    earlier: Annotated[
        tuple[CheckpointText, ...],
        msgspec.Meta(
            max_length=EARLIER_MAX,
            description="other checkpoints that were kept: they narrow down where a record was rewritten",
        ),
    ] = ()
    public_key: KeyText | None = None


class SigningKey(msgspec.Struct, frozen=True):
    """The key that verifies checkpoints of this house."""

    id: str
    public_key: str
    """PEM."""


@get("/api/v1/journal", tags=TAGS, summary="How far every record has come")
async def list_records(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Heads:
    """Return the length and last hash of every table's record and of the house's own."""
    manager_or_auditor(caller)
    page = await services.backoffice.work(_read_heads, services)
    return replace(page, records=take_page(page.records, lambda one: one.table, after, limit))


def _read_heads(services: Services) -> Heads:
    store = services.house.store
    records = []
    for table, head in store.heads().items():
        last = next(store.entries(table, head.sequence - 1, 1))
        snapshot = store.snapshot(table)
        taken = snapshot.sequence if snapshot else None
        records.append(HeadInfo(table, head.sequence, head.hash.hex(), last.at, taken))
    return Heads(records, sum(one.entries for one in records), services.house.failure, _last_signed(services))


def _last_signed(services: Services) -> SignedInfo | None:
    content = services.backoffice.signed
    if content is None:
        return None
    last = from_json(content)
    return SignedInfo(last.at, last.signer, {one.table: one.count for one in last.tables})


@get("/api/v1/journal/{table:str}", tags=TAGS, summary="A record, page by page and in words")
async def list_entries(
    table: TableName,
    services: HouseServices,
    caller: RequestCaller,
    after: After = None,
    before: Before = None,
    limit: PageSize = 100,
    kind: Annotated[str | None, QueryParameter(max_length=80, required=False, description="only of this kind")] = None,
    actor: Annotated[
        str | None, QueryParameter(max_length=200, required=False, description="only of this person")
    ] = None,
    number: Annotated[
        int | None,
        QueryParameter(
            name="round", ge=1, le=SEQUENCE_MAX, required=False, description="only what concerns this round"
        ),
    ] = None,
    person: Annotated[
        str | None,
        QueryParameter(max_length=200, required=False, description="only what this person did, or what concerns them"),
    ] = None,
    text: Annotated[
        str | None,
        QueryParameter(max_length=200, required=False, description="only entries whose sentences contain it"),
    ] = None,
    since: Annotated[
        datetime | None, QueryParameter(name="from", required=False, description="only entries from this time on")
    ] = None,
    until: Annotated[
        datetime | None, QueryParameter(name="to", required=False, description="only entries before this time")
    ] = None,
) -> JournalPage:
    """Return entries in order, as they are stored and as sentences, with the money that each moved.

    A filtered page reads at most 2,000 entries: it may be empty and still have a `next`. `person` finds what someone
    did and what concerns them, `text` searches the sentences.
    """
    manager_or_auditor(caller)
    if table == HOUSE and number is not None:
        raise Problem("bad-request", detail("house-has-no-rounds"))
    if after is not None and before is not None and before <= after:
        raise Problem("bad-request", detail("before-after"))
    if since is not None and until is not None and _timestamp(until) <= _timestamp(since):
        raise Problem("bad-request", detail("to-from"))
    wanted = EntryFilter(
        *(after, before, limit, kind, actor, number, person),
        text=text or None,
        since=_timestamp(since) if since is not None else None,
        until=_timestamp(until) if until is not None else None,
        language=request_context.current().language,
    )
    page = await services.backoffice.work(_page, services, table, wanted)
    if before is None:
        link_next(page.next)
    return page


def _timestamp(at: datetime) -> str:
    """Return a time as entries store it; without a zone it is UTC."""
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="microseconds")
    except OverflowError:  # before the first year or after the last, once it is UTC
        raise Problem("bad-request", detail("not-in-utc", at=at.isoformat())) from None


def _page(services: Services, table: str, wanted: EntryFilter) -> JournalPage:
    head = length_of(services.house.store, table)
    if not head:
        raise Problem("not-found", detail("no-record", record=quoted(table)))
    page = read_page(services.house.store, services.backoffice.pager, table, wanted, head)
    return replace(page, names=display_names(services.house.people_seen, mentioned_people(page.entries)))


@post("/api/v1/audit", tags=TAGS, summary="Have the journal audited", status_code=202)
async def start_audit(data: JSONBody[AuditRequest], services: HouseServices, caller: RequestCaller) -> AuditState:
    """Recompute chain, steps, wagers, money and snapshots by independent code, in a separate process."""
    name = acting_manager_or_auditor(caller)
    if data.public_key is not None and data.checkpoint is None:
        raise Problem("bad-request", detail("key-without-checkpoint"))
    if data.earlier and data.checkpoint is None:
        raise Problem("bad-request", detail("earlier-without-checkpoint"))
    checkpoints = () if data.checkpoint is None else (data.checkpoint, *data.earlier)
    office = services.backoffice
    heads = await office.work(services.house.store.heads)
    total = sum(head.sequence for head in heads.values())
    state = await office.auditing.start(name, journal_place(services), total, checkpoints, data.public_key)
    return _with_names(services, state)


def _with_names(services: Services, state: AuditState) -> AuditState:
    report = state.report and replace(state.report, findings=[_in_words(one) for one in state.report.findings])
    return replace(state, report=report, names=display_names(services.house.people_seen, (state.by,)))


def _in_words(finding: FindingInfo) -> FindingInfo:
    detail = message_text(Message(finding.detail.id, finding.detail.params))
    return replace(finding, message=message_text(Message(f"findings.audit.{finding.about}")), detail=detail)


@get("/api/v1/audit", tags=TAGS, summary="The state of the audit")
async def show_audit(services: HouseServices, caller: RequestCaller) -> AuditState:
    """Return whether an audit is running, its progress, or the report of the last one.

    Of several server processes one audits at a time; only that one knows its findings.
    """
    manager_or_auditor(caller)
    return _with_names(services, await services.backoffice.auditing.get_state())


@delete("/api/v1/audit", tags=TAGS, summary="Cancel the audit", status_code=200)
async def cancel_audit(services: HouseServices, caller: RequestCaller) -> AuditState:
    """Cancel a running audit."""
    acting_manager_or_auditor(caller)
    return _with_names(services, services.backoffice.auditing.cancel())


@post(
    "/api/v1/checkpoints",
    tags=TAGS,
    summary="Sign a checkpoint",
    status_code=201,
    media_type="application/json",
    responses={201: ResponseSpec(Checkpoint, description="The checkpoint, as a file.", generate_examples=False)},
)
async def make_checkpoint(services: HouseServices, caller: RequestCaller) -> Response[bytes]:
    """Sign a file to be stored elsewhere; it shows later whether the record was cut off or rewritten."""
    acting_manager_or_auditor(caller)
    office = services.backoffice
    if office.signing.locked():
        raise Problem("busy", detail("checkpoint-in-progress"), retry_after=5)
    async with office.signing:
        at = services.clock().isoformat(timespec="seconds")
        key = str(services.settings.signing_key_path)
        content = await office.work(_sign, journal_place(services), key, at, office.signed)
        office.signed = content
    name = f"checkpoint-{at[:19].replace(':', '')}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/json", headers=headers, status_code=201)


def _sign(place: str, key: str, at: str, since: bytes | None) -> bytes:
    try:
        content: bytes = Job(sign, place, key, at, since).result()
    except ProcessEnded:
        raise Problem("busy", detail("signing-lost"), retry_after=5) from None
    return content


@get("/api/v1/checkpoints/key", tags=TAGS, summary="The key that checks checkpoints")
async def show_signing_key(services: HouseServices) -> SigningKey:
    """Return the public key that verifies this house's checkpoints. Public."""
    found = await services.backoffice.work(public_key, services.settings.signing_key_path)
    if found is None:
        raise Problem("not-found", detail("no-checkpoint"))
    return SigningKey(*found)


def journal_place(services: Services) -> str:
    """Return the file or URL of the journal; the store knows it even where no setting names it."""
    path: Any = getattr(services.house.store, "path", None)
    return str(path) if path is not None else services.settings.journal_place


handlers = [
    *(list_records, list_entries, start_audit, show_audit, cancel_audit),
    *(make_checkpoint, show_signing_key),
]
