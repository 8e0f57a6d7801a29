"""The numbered SQL files that make and upgrade a journal's database, for each kind of store."""

from __future__ import annotations

from functools import partial

from pitbook.storage import migrations

scripts = partial(migrations.scripts, __name__)
pending = partial(migrations.pending, __name__)
