"""The secrets of webhooks, sealed, and how far each has been delivered: stored beside the journal."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from pitbook.server.schemas.webhooks import DeliveryInfo, Reason
from pitbook.server.webhooks.signatures import new_secret
from pitbook.tumbler.seals import BadSeal, LostKey, SealingKeys, UnusableKey

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pitbook.auth.store import AuthStore

FORMER_SECONDS = 86_400
"""How long a changed secret still signs, so that receivers can change theirs."""
FAILING = 3
"""After so many failures in a row a webhook is reported as failing."""


RECENT_MAX = 20
"""How many of the latest messages are remembered with their outcome."""


class Progress(msgspec.Struct, frozen=True):
    """The progress of a webhook, and why it is delayed."""

    position: dict[str, int]
    """The last entry of each record that was delivered or passed over."""
    delivered: int = 0
    """How many messages were accepted."""
    last: str | None = None
    """When the last one was."""
    failures: int = 0
    """How often in a row the next one failed."""
    since: str | None = None
    """When that began."""
    error: str = ""
    """Why the last attempt failed."""
    reason: Reason | None = None
    """The reason as a code."""
    recent: tuple[DeliveryInfo, ...] = ()
    """The latest messages, newest first; one that is sent again is listed once."""

    @property
    def failing(self) -> bool:
        """Whether it needs attention."""
        return self.failures >= FAILING


class _Secrets(msgspec.Struct, frozen=True):
    """The sealed secret, and the former one while it still signs."""

    current: str
    former: str | None = None
    former_until: str | None = None


class WebhookStore:
    """State that webhooks need to continue after a restart, in the settings that all processes share."""

    def __init__(self, auth: AuthStore, key_path: Path) -> None:
        self._auth = auth
        self._key_path = key_path

    # -- progress

    def progress(self, webhook_id: str) -> Progress | None:
        """Return how far a webhook has been delivered."""
        return load_progress(self._auth, webhook_id)

    def save_progress(self, webhook_id: str, progress: Progress) -> None:
        """Store how far a webhook has been delivered."""
        self._auth.save_setting(_progress(webhook_id), msgspec.json.encode(progress).decode())

    # -- secrets

    def make_secret(self, webhook_id: str, now: Callable[[], datetime]) -> bytes:
        """Store and return a new secret; the former one continues to sign for a day."""
        keys, secret = self._keys(), new_secret()
        before = self._auth.setting(_secrets(webhook_id))
        former = None if before is None else msgspec.json.decode(before, type=_Secrets).current
        until = None if former is None else (now() + timedelta(seconds=FORMER_SECONDS)).isoformat()
        sealed = _Secrets(keys.seal(secret, _secrets(webhook_id), 0), former, until)
        self._auth.save_setting(_secrets(webhook_id), msgspec.json.encode(sealed).decode())
        return secret

    def secrets(self, webhook_id: str, now: datetime) -> list[bytes]:
        """Return the secrets that sign now, newest first; raise `LostKey`, `UnusableKey` or `BadSeal`."""
        stored = self._auth.setting(_secrets(webhook_id))
        if stored is None:
            raise LostKey("its secret is missing")
        stored_secrets = msgspec.json.decode(stored, type=_Secrets)
        sealed = [stored_secrets.current]
        if (
            stored_secrets.former
            and stored_secrets.former_until
            and now < datetime.fromisoformat(stored_secrets.former_until)
        ):
            sealed.append(stored_secrets.former)
        keys = SealingKeys.load(self._key_path)
        return [keys.unseal(one, _secrets(webhook_id), 0) for one in sealed]

    def delete(self, webhook_id: str) -> None:
        """Delete everything about a webhook that was removed."""
        self._auth.delete_setting(_secrets(webhook_id))
        self._auth.delete_setting(_progress(webhook_id))

    def _keys(self) -> SealingKeys:
        try:
            return SealingKeys.load(self._key_path)
        except LostKey:
            self._key_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return SealingKeys.make(self._key_path)


UNUSABLE_SECRET = (BadSeal, LostKey, UnusableKey)
"""Why a secret cannot be used: change it."""


def load_progress(auth: AuthStore, webhook_id: str) -> Progress | None:
    """Return how far a webhook has been delivered, or None if that is not known."""
    stored = auth.setting(_progress(webhook_id))
    return None if stored is None else msgspec.json.decode(stored, type=Progress)


def _progress(webhook_id: str) -> str:
    return f"webhook-progress/{webhook_id}"


def _secrets(webhook_id: str) -> str:
    return f"webhook-secrets/{webhook_id}"
