"""One module per group of routes; each has a list `handlers`, or `handlers_for(services)` that gives one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitbook.server.services import Services


def collect(services: Services) -> list[Any]:
    """The handlers of every module here, by the modules' names."""
    found: list[Any] = []
    for name in sorted(module.name for module in iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        if hasattr(module, "handlers_for"):
            found += module.handlers_for(services)
        found += getattr(module, "handlers", ())
    return found
