"""One module for each group of routes, with a list `handlers`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def collect() -> list[Any]:
    """Return the handlers of every module here, in the order of the modules' names."""
    names = sorted(module.name for module in iter_modules(__path__))
    return [handler for name in names for handler in import_module(f"{__name__}.{name}").handlers]
