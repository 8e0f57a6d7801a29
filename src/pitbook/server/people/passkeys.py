"""Passkeys (WebAuthn): the options that browsers need, and the verification of their answers.

The origins and the domain come from the server's settings, never from a request.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from pitbook.auth.secrets import digest
from pitbook.server.addresses import is_loopback, parse_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitbook.server.settings import Settings

RP_NAME = "Pitbook"
INVALID = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)
"""The errors that the library raises for wrong or malformed answers."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The domain and origins of this house's passkeys."""

    domain: str
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A passkey that a browser has created."""

    credential: str
    public_key: str
    counter: int


def relying_party(settings: Settings, address: str) -> RelyingParty | None:
    """Return where passkeys work, or None if browsers reach the house only by an IP address."""
    origins = settings.public_origins or _own_origin(address)
    domain = settings.passkey_domain or (urlsplit(origins[0]).hostname if origins else None) or ""
    return RelyingParty(domain, origins) if domain and parse_address(domain) is None else None


def _own_origin(address: str) -> tuple[str, ...]:
    """Return the origin under which a browser on this machine reaches the server by a name."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if not is_loopback(host):
        return ()
    return (f"{parts.scheme}://localhost" + (f":{parts.port}" if parts.port else ""),)


def registration_options(party: RelyingParty, person: str, shown: str, known: Iterable[str]) -> dict[str, Any]:
    """Return what a browser needs to create a passkey; it excludes those that the person has."""
    options = generate_registration_options(
        rp_id=party.domain,
        rp_name=RP_NAME,
        user_id=digest(f"pitbook person\n{person}"),
        user_name=person,
        user_display_name=shown,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=_descriptors(known),
    )
    return _as_dict(options)


def authentication_options(party: RelyingParty, known: Iterable[str]) -> dict[str, Any]:
    """Return what a browser needs to confirm with one of a person's passkeys."""
    options = generate_authentication_options(
        rp_id=party.domain,
        allow_credentials=_descriptors(known),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _as_dict(options)


def verify_registration(party: RelyingParty, answer: dict[str, Any], challenge: str) -> NewPasskey:
    """Return the new passkey; raise one of `INVALID` if the browser's answer is not good."""
    verified = verify_registration_response(
        credential=answer,
        expected_challenge=base64url_to_bytes(challenge),
        expected_rp_id=party.domain,
        expected_origin=list(party.origins),
        require_user_verification=True,
    )
    credential, key = verified.credential_id, verified.credential_public_key
    return NewPasskey(bytes_to_base64url(credential), bytes_to_base64url(key), verified.sign_count)


def verify_authentication(party: RelyingParty, answer: dict[str, Any], challenge: str, public_key: str) -> int:
    """Return the signature counter; raise one of `INVALID` if the browser's answer is not good.

    The caller compares the counter, so that a copied passkey is distinguished from a wrong one.
    """
    verified = verify_authentication_response(
        credential=answer,
        expected_challenge=base64url_to_bytes(challenge),
        expected_rp_id=party.domain,
        expected_origin=list(party.origins),
        credential_public_key=base64url_to_bytes(public_key),
        credential_current_sign_count=0,
        require_user_verification=True,
    )
    return verified.new_sign_count


def _descriptors(credentials: Iterable[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in credentials]


def _as_dict(options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found
