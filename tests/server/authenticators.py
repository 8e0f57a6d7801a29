"""Authenticators of tests: an app that shows codes, and a passkey that signs as browsers and their devices do."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from pyotp import TOTP

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def code_of(secret: str, now: datetime) -> str:
    """The code that an authenticator app shows."""
    return TOTP(secret).at(now)


@dataclass
class SoftKey:
    """A passkey in software; a test changes what it reports."""

    origin: str
    counter: int = 1
    verified: bool = True
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    domain: str | None = None
    """The domain that it signs for; None for the one that it is asked for."""

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What the browser answers to `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], ATTESTED) + attested
        client = self._client("webauthn.create", options["challenge"])
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer({"clientDataJSON": text(client), "attestationObject": text(attestation)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What the browser answers to `navigator.credentials.get`."""
        data = self._data(options["rpId"], 0)
        client = self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {"clientDataJSON": text(client), "authenticatorData": text(data), "signature": text(signature)}
        )

    def _data(self, domain: str, more: int) -> bytes:
        flags = PRESENT | (VERIFIED if self.verified else 0) | more
        digest = sha256((self.domain or domain).encode()).digest()
        return digest + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        number = text(self.id)
        return {"id": number, "rawId": number, "type": "public-key", "response": response, "clientExtensionResults": {}}


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
