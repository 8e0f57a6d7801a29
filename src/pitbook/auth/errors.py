"""Infrastructure errors of the auth store. No message contains a stored value, because it may be a secret."""

from __future__ import annotations


class Unavailable(Exception):
    """Nothing can be kept (or looked up) now, and nobody is let in; try again later."""


class Violated(Exception):
    """The database refused what was to be kept: a bug in what asked for it."""
