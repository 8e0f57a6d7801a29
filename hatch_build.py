"""Sees to it that a distribution has its web pages. An editable install needs none: dev.py builds them after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = Path("src", "pitbook", "server", "static", "ui", "index.html")


class PagesHook(BuildHookInterface[Any]):
    """Refuses to build without them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if version != "editable" and not Path(self.root, INDEX).is_file():
            raise RuntimeError(f"{INDEX} is missing: build the web pages first with python3 dev.py setup")
