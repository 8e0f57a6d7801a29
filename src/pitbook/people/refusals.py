"""Refusals of what is asked of the house: named values with a sentence, like those of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Why(StrEnum):
    """Every reason for which a command about people is refused."""

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
    """Not of the command, but of what it records; `decide.records` says why it is a refusal."""
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out: why, and a sentence for people."""

    why: Why
    says: str
    asked: str = ""
    """What was asked for, behind "asks to"."""
    details: dict[str, str | None] = field(default_factory=dict)
    """The same for programs, where it is a record of its own."""

    def __str__(self) -> str:
        return self.says


class Refused(Exception):
    """Carries a refusal out of the depths of a decision; it never leaves `decide`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.says)
        self.refusal = refusal
