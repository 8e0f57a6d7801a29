"""Schemas of requests and responses about people."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pitbook.people.values import Factor, Grant, Limits, Pending, Proof
from pitbook.server.http.bodies import RequestBody
from pitbook.table.commands import Witness

Name = Annotated[str, Meta(min_length=1, max_length=40, examples=["ann"], description="as one signs in")]
Shown = Annotated[str, Meta(min_length=1, max_length=60, examples=["Ann Lee"], description="as others see one")]
Password = Annotated[str, Meta(min_length=1, max_length=1024, examples=["eleven dice in a row"])]
Code = Annotated[str, Meta(min_length=1, max_length=200, description="what follows #code= in the link's address")]
RoleName = Annotated[str, Meta(min_length=1, max_length=40, examples=["dealer"])]
TableName = Annotated[str, Meta(min_length=1, max_length=60, examples=["t1"])]
Words = Annotated[str, Meta(max_length=400, description="for the record, on one line")]
Scope = Literal["play", "deal", "manage", "read"]
FactorStep = Literal["confirm", "enrol"]
Names = Annotated[
    dict[str, str],
    Meta(
        description="Display names of the people named here, by sign-in name, where the two differ.",
        examples=[{"ann": "Ann Lee"}],
    ),
]


# ---------------------------------------------------------------- requests


class SignIn(RequestBody, frozen=True):
    """Name and password."""

    name: Name
    password: Password


class UseLink(RequestBody, frozen=True):
    """A one-time link's code; a password too where the link is to set one, and a name for the first manager."""

    code: Code
    name: Name | None = None
    shown: Shown | None = None
    password: Password | None = None


class NewVisitor(RequestBody, frozen=True):
    """A new account that a visitor creates."""

    name: Name
    password: Password
    shown: Shown | None = None


class GuestSeat(RequestBody, frozen=True):
    """A seat for someone without an account."""

    table: TableName
    """The table they want to play at: automatic, for play money."""


class ChangePassword(RequestBody, frozen=True):
    """The current password, and a new one."""

    old: Password
    new: Password


class SetPin(RequestBody, frozen=True):
    """The PIN with which someone confirms as a witness."""

    password: Password
    pin: Annotated[
        Annotated[str, Meta(max_length=12)] | None,
        Meta(examples=["480263"], description="6 to 12 digits; null: no PIN"),
    ]


class PinInfo(msgspec.Struct, frozen=True):
    """Whether someone has a PIN; never the PIN."""

    set: bool


class Confirmation(RequestBody, frozen=True):
    """A witness confirms with a PIN, at the console of whoever asks."""

    name: Annotated[str, Meta(max_length=40, examples=["cas"])]
    pin: Annotated[str, Meta(max_length=12, examples=["480263"])]


class NewToken(RequestBody, frozen=True):
    """A token for a program that acts for its owner."""

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["my bot"], description="to know it by later")]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4, examples=[["play", "read"]])]
    days: Annotated[int, Meta(ge=1, le=366, description="so long it works")] = 90


class WantedLimits(RequestBody, frozen=True):
    """All limits of a player; limits that are not listed are removed."""

    loss_per_day: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=10**15)]],
        Meta(max_length=20, examples=[{"play-SGD": 5000}], description="by currency, in minor units"),
    ] = msgspec.field(default_factory=dict)
    seconds_per_day: Annotated[int, Meta(ge=0, le=86_400)] | None = None
    stake_at_once: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=10**15)]],
        Meta(max_length=20, examples=[{"play-SGD": 1000}], description="by currency, in minor units"),
    ] = msgspec.field(default_factory=dict)


class ExcludeMe(RequestBody, frozen=True):
    """The end of a self-exclusion; null is permanent."""

    until: Annotated[str, Meta(max_length=40, examples=["2027-01-31T12:00:00+00:00"])] | None
    password: Annotated[Password | None, Meta(description="needed for more than a year")] = None


class ExcludeLonger(RequestBody, frozen=True):
    """The new end of a person's exclusion; null is permanent."""

    until: Annotated[str, Meta(max_length=40, examples=["2027-01-31T12:00:00+00:00"])] | None


class Language(RequestBody, frozen=True):
    """The language of the person's pages; null is the browser's."""

    language: Annotated[str, Meta(max_length=35, examples=["zh-Hant"])] | None


class GivenRole(RequestBody, frozen=True):
    """A role at a table, or (null) in the whole house."""

    role: RoleName
    table: TableName | None = None


class NewPerson(RequestBody, frozen=True):
    """A new account that a manager creates."""

    name: Name
    shown: Shown | None = None
    roles: Annotated[tuple[GivenRole, ...], Meta(max_length=100)] = ()


class Closing(RequestBody, frozen=True):
    """Why an account is closed."""

    words: Annotated[Words, Meta(min_length=1, examples=["left the house"])]


class WantedPolicy(RequestBody, frozen=True):
    """The house policy from now on."""

    registration: Annotated[bool, Meta(description="visitors may make accounts for themselves, as players")]
    real_money_automatic: Annotated[bool, Meta(description="automatic tables may be opened for real money")]
    witness: Annotated[
        Witness | None,
        Meta(description="confirmed: a witness confirms with a PIN, or on their own device; left out: as it is"),
    ] = None
    approval_references: Annotated[
        bool | None,
        Meta(description="equipment that needs an approval is checked with its reference and date; left out: as it is"),
    ] = None
    bet_consent: Annotated[
        bool | None,
        Meta(description="bets that staff place for a player with an account need consent, too; left out: as it is"),
    ] = None
    shifts: Annotated[
        tuple[str, ...] | None,
        Meta(description="local times at which shifts begin; left out: as they are", examples=[["06:00", "14:00"]]),
    ] = None
    timezone: Annotated[
        str | None,
        Meta(description="the IANA time zone of the shifts; left out: as it is", examples=["America/New_York"]),
    ] = None
    factor_roles: Annotated[
        Annotated[tuple[RoleName, ...], Meta(max_length=50)] | None,
        Meta(
            description="roles that need a second factor; left out: as they are",
            examples=[["manager", "auditor"]],
        ),
    ] = None
    lock_minutes: Annotated[
        int | None,
        Meta(description="minutes without input until a screen of staff locks, 0 for never; left out: as it is"),
    ] = None
    unlock_with: Annotated[
        Annotated[tuple[Proof, ...], Meta(max_length=3)] | None,
        Meta(description="what unlocks it; left out: as it is", examples=[["password", "pin", "factor"]]),
    ] = None


class Second(RequestBody, frozen=True):
    """The role in which a second person answers, if they hold several that suffice."""

    role: RoleName | None = None


class SecondRefuses(RequestBody, frozen=True):
    """A refusal: the role, and the reason."""

    role: RoleName | None = None
    words: Words = ""


# ---------------------------------------------------------------- responses


class HeldLimits(msgspec.Struct, frozen=True):
    """A player's own limits."""

    holding: Limits
    pending: tuple[Pending, ...]
    """Looser ones, and when they will apply."""
    excluded_until: str | None
    excluded: bool


class SessionInfo(msgspec.Struct, frozen=True):
    """A session, without its secret."""

    id: str
    created: str
    seen: str
    idle_until: str
    ends: str
    address: str
    agent: str
    by: str
    current: bool


class TokenInfo(msgspec.Struct, frozen=True):
    """A token, without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None
    last_used: str | None
    revoked: str | None


class CreatedToken(msgspec.Struct, frozen=True):
    """A new token; its text is shown only once."""

    token: str
    told: TokenInfo


class ScreenLock(msgspec.Struct, frozen=True):
    """Whether the session's screen is locked, and what unlocks it."""

    minutes: int
    """The number of minutes without input after which it locks."""
    locked: bool
    unlock_with: tuple[Proof, ...]


class Me(msgspec.Struct, frozen=True):
    """The person who is signed in."""

    name: str
    shown: str
    roles: tuple[Grant, ...]
    """Each at a table, or (null) in the whole house."""
    language: str | None
    money: str
    """The kind of money at automatic tables, in words that every page shows."""
    limits: HeldLimits | None
    """Of players."""
    scopes: tuple[str, ...] | None
    """The token's scopes; null for a session."""
    session: SessionInfo | None
    csrf: str | None
    """To be sent back as X-CSRF-Token with everything that changes something."""
    second_factor: FactorStep | None = None
    """What to do before anything else: confirm with a second factor, or enrol one. Until then there are no rights."""
    lock: ScreenLock | None = None
    """Of staff, where house policy locks idle screens."""


class Holding(msgspec.Struct, frozen=True):
    """A person's holdings in one kind of money, in minor units."""

    money: str
    """A currency, or play money like `play-SGD`."""
    play_money: bool
    balance: int
    """In the rail, ready to be staked."""
    at_stake: int
    """On layouts."""
    colour: int = 0
    """In colour chips, each at its own table."""


class PersonInfo(msgspec.Struct, frozen=True):
    """A person with an account."""

    name: str
    shown: str
    created: str
    roles: tuple[Grant, ...]
    active: bool
    excluded_until: str | None


class PersonPage(PersonInfo, frozen=True):
    """A person with the fields that only the detail view has."""

    limits: HeldLimits | None = None
    """Of players: the limits that they set for themselves."""
    factors: tuple[Factor, ...] = ()
    """Second factors."""
    factor_required: bool = False
    """Whether house policy requires a second factor for the person's roles."""


class RoleInfo(msgspec.Struct, frozen=True):
    """A role that can be assigned."""

    role: str
    name: dict[str, str] | None
    """As a book names it, by language; null for the house's own roles."""
    house: bool
    """Whether it is the house's own, and no book's."""
    staff: bool
    """Whether it works at tables."""
    tables: list[str]
    """The tables whose books have it; none for the house's own."""


class PeoplePage(msgspec.Struct, frozen=True):
    """People by name."""

    people: list[PersonInfo]
    next: str | None
    """The value of `after` for the next page."""


class LinkInfo(msgspec.Struct, frozen=True):
    """A one-time link, to be handed to its person and to nobody else."""

    link: str
    expires: str


class PolicyInfo(msgspec.Struct, frozen=True):
    """The house policy, and the kind of money at automatic tables."""

    registration: bool
    real_money_automatic: bool
    money: str
    witness: Witness
    approval_references: bool
    bet_consent: bool
    shifts: tuple[str, ...]
    timezone: str
    factor_roles: tuple[str, ...]
    """Roles that need a second factor."""
    lock_minutes: int
    """Minutes without input until a screen of staff locks; 0 for never."""
    unlock_with: tuple[Proof, ...]


class ApprovalInfo(msgspec.Struct, frozen=True):
    """An act that waits for a second person, or did."""

    id: str
    table: str
    command: dict[str, Any]
    asker: str
    by_role: str
    needs: tuple[str, ...]
    words: str
    asked: str
    until: str
    standing: str
    by: str | None
    answer: str
    """The words with which it was refused."""
    player: str | None
    """The player whose chips it would move; their consent suffices instead of a second person's."""
    yours: bool
    """Whether it waits for the caller."""


class Approvals(msgspec.Struct, frozen=True):
    """Those that wait for the caller or that the caller asked for; for managers and auditors, all of the house."""

    approvals: list[ApprovalInfo]
    finished: list[ApprovalInfo] = msgspec.field(default_factory=list)
    """Those that were answered, withdrawn or too late, the latest first; the record has them all."""
    names: Names = msgspec.field(default_factory=dict)


class ProposalInfo(msgspec.Struct, frozen=True):
    """A proposal made at a table, which a second person approves there by a separate command."""

    table: str
    kind: Literal["correction", "void"]
    """A round resettled by other dice, or a round of an automatic table that is to be void."""
    round: int
    dice: tuple[int, ...]
    """The true ones; none where the round is to be void."""
    by: str
    words: str
    role: str | None
    """The role in which the caller may approve it; null if they may not."""
    names: Names = msgspec.field(default_factory=dict)


class ApprovalDone(msgspec.Struct, frozen=True):
    """The approved act is done, durably."""

    id: str
    sequence: int
    """The table's last entry then."""
    events: tuple[str, ...]
