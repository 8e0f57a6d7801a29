"""Infrastructure errors of the auth store. No message contains a stored value, because it may be a secret."""

from __future__ import annotations


class Unavailable(Exception):
    """The auth store cannot be read or written now, so nobody can sign in; try again later."""


class ConstraintViolation(Exception):
    """The database rejected a statement, which is a bug in the caller."""
