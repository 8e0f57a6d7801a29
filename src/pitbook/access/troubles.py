"""What can go wrong with what is kept here. No message carries a value that was to be kept: it may be a secret."""

from __future__ import annotations


class Unavailable(Exception):
    """Nothing can be kept (or looked up) now, and nobody is let in; try again later."""


class Violated(Exception):
    """The database refused what was to be kept: a bug in what asked for it."""
