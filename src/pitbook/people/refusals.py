"""Refusals of commands about people: named values with a message."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.messages import Message


class Reason(StrEnum):
    """The reasons for refusing a command about people."""

    UNKNOWN_COMMAND = "unknown-command"
    WRONG_ROLE = "wrong-role"
    UNKNOWN_PERSON = "unknown-person"
    INACTIVE = "inactive"
    OWN_ACT = "own-act"
    BAD_NAME = "bad-name"
    RESERVED_NAME = "reserved-name"
    NAME_TAKEN = "name-taken"
    BAD_TEXT = "bad-text"
    UNKNOWN_ROLE = "unknown-role"
    ROLES_CONFLICT = "roles-conflict"
    LAST_MANAGER = "last-manager"
    LAST_FACTOR = "last-factor"
    BAD_POLICY = "bad-policy"
    NOTHING_TO_DO = "nothing-to-do"
    NO_REGISTRATION = "no-registration"
    TOO_MANY = "too-many"
    BAD_LIMIT = "bad-limit"
    BAD_TIME = "bad-time"
    EXCLUDED = "excluded"
    NOT_EXCLUDED = "not-excluded"
    NO_SUCH_APPROVAL = "no-such-approval"
    APPROVAL_OVER = "approval-over"
    APPROVAL_EXPIRED = "approval-expired"
    SIGN_IN_FAILED = "sign-in-failed"
    """This is about what a command records; `decide.records` has the reason."""
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused command: the reason, and a message for people."""

    why: Reason
    message: Message
    asked: Message | None = None
    """A summary of the command."""
    details: dict[str, str | None] = field(default_factory=dict)
    """The refusal as data, if it is its own record."""

    @property
    def says(self) -> str:
        """The message in English."""
        return self.message.text()

    def __str__(self) -> str:
        return self.says


class Refused(Exception):
    """Carries a refusal out of a decision; never leaves `decide`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
