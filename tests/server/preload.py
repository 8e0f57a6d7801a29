"""Everything that a server imports, assembles and computes once, done in the process that servers are forked from."""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryDirectory

from pitbook.audit import audit
from pitbook.fairness.tables import compiled_tables
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.server import routes
from pitbook.server.demo import create_demo
from pitbook.server.settings import Settings
from tests.child_priority import ignore_niceness
from tests.server.asgi import shared_assembly

IMPORTED_LATER = (
    "anyio._backends._asyncio",
    "cyclopts.help",
    "litestar._kwargs.kwargs_model",
    "litestar.plugins.pydantic",
    "numpy.random",
)
"""Modules that libraries import only when a server starts."""

ignore_niceness()
for module in (
    *("pitbook.cli.audit", "pitbook.cli.help", "pitbook.cli.serve"),
    *("pitbook.auth.postgres", "pitbook.auth.sqlite", "pitbook.journal.postgres", "pitbook.journal.sqlite"),
    "pitbook.server.serve",
    *(found.name for found in iter_modules(routes.__path__, f"{routes.__name__}.")),
    *IMPORTED_LATER,
):
    import_module(module)
shared_assembly(None, Settings.model_fields["body_max"].default)
for dice in (2, 3):
    compiled_tables(dice)
with TemporaryDirectory() as folder:  # builds the books, and what is derived from them
    journal = Path(folder) / "journal.db"
    with House(SqliteStore(journal)) as house:
        create_demo(house)
    assert not audit(str(journal)).findings
gc.freeze()  # exempt all of this from the garbage collection at a server's start
