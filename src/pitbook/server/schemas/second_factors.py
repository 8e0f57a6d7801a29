"""Schemas of requests and responses about second factors and locked screens."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pitbook.people.values import FactorKind
from pitbook.server.http.bodies import RequestBody
from pitbook.server.schemas.people import Me, Password, Words

FactorName = Annotated[str, Meta(min_length=1, max_length=60, examples=["my phone"], description="to know it by later")]
TotpCode = Annotated[str, Meta(min_length=1, max_length=20, examples=["492039"], description="6 digits, usable once")]
RecoveryCode = Annotated[str, Meta(min_length=1, max_length=60, examples=["k3ql-77xa-2mfd-p9zt"])]
Credential = Annotated[
    dict[str, Any], Meta(description="What the browser answered, as PublicKeyCredential.toJSON() writes it.")
]


# ---------------------------------------------------------------- requests


class ConfirmTotp(RequestBody, frozen=True):
    """The first code of a new authenticator app."""

    code: TotpCode
    name: FactorName


class ConfirmPasskey(RequestBody, frozen=True):
    """A new passkey."""

    credential: Credential
    name: FactorName


class SecondFactor(RequestBody, frozen=True):
    """A second factor: exactly one of the three."""

    code: TotpCode | None = None
    recovery_code: RecoveryCode | None = None
    passkey: Credential | None = None


class Unlock(RequestBody, frozen=True):
    """A proof that unlocks the screen: exactly one of these, and one that house policy accepts."""

    password: Password | None = None
    pin: Annotated[str, Meta(min_length=1, max_length=12, examples=["480263"])] | None = None
    code: TotpCode | None = None
    passkey: Credential | None = None


class ResetFactors(RequestBody, frozen=True):
    """Why a person's second factors are removed."""

    words: Annotated[Words, Meta(min_length=1, examples=["lost the phone; identity checked at the desk"])]


# ---------------------------------------------------------------- responses


class QrCode(msgspec.Struct, frozen=True):
    """A QR code as an SVG path."""

    size: int
    """The width and height of the view box, with the quiet zone."""
    path: str
    """The dark squares, as the `d` of a path."""


class TotpEnrolment(msgspec.Struct, frozen=True):
    """A new secret for an authenticator app, which its first code confirms."""

    secret: str
    """The secret to type if no camera is at hand."""
    uri: str
    qr: QrCode


class PasskeyOptions(msgspec.Struct, frozen=True):
    """The options with which a browser creates a passkey, or confirms with one."""

    options: dict[str, Any] | None
    """For PublicKeyCredential.parse…OptionsFromJSON(); null where the person has no passkey that works here."""


class FactorInfo(msgspec.Struct, frozen=True):
    """A second factor, without its secret."""

    id: str
    kind: FactorKind
    name: str
    created: str | None
    used: str | None
    """When it last confirmed."""


class FactorList(msgspec.Struct, frozen=True):
    """A person's second factors."""

    factors: list[FactorInfo]
    recovery_codes: int
    """How many recovery codes are left."""
    required: bool
    """Whether house policy requires one for the person's roles."""
    passkeys: bool
    """Whether passkeys work at the address of this house."""
    locked_until: str | None
    """Set after too many failed attempts."""


class NewRecoveryCodes(msgspec.Struct, frozen=True):
    """Recovery codes, shown only once; each confirms once if the second factor is not at hand."""

    codes: tuple[str, ...]


class Enrolled(msgspec.Struct, frozen=True):
    """A second factor was added."""

    me: Me
    """With a new CSRF token: the session has a new cookie."""
    recovery_codes: tuple[str, ...]
    """With the first second factor; shown only once."""
