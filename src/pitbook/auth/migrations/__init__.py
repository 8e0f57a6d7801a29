"""Numbered SQL migrations for each kind of database."""

from __future__ import annotations

from functools import partial

from pitbook.storage import migrations

pending = partial(migrations.pending, __name__)
