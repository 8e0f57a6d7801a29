"""Everything that a server imports and assembles, done once in the process that servers are forked from."""

from __future__ import annotations

import gc
from importlib import import_module
from pkgutil import iter_modules

from pitbook.server import routes
from pitbook.server.settings import Settings
from tests.server.asgi import shared_assembly

IMPORTED_LATER = ("anyio._backends._asyncio", "cyclopts", "litestar._kwargs.kwargs_model", "litestar.plugins.pydantic")
"""Modules that libraries import only when a server starts."""

for module in (
    *("pitbook.cli.serve", "pitbook.server.serve", "pitbook.auth.sqlite", "pitbook.journal.sqlite", "numpy.random"),
    *(found.name for found in iter_modules(routes.__path__, f"{routes.__name__}.")),
    *IMPORTED_LATER,
):
    import_module(module)
shared_assembly(None, Settings.model_fields["body_max"].default)
gc.freeze()  # a server collects garbage when it starts, and need not look at all this again
