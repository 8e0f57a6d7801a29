"""Refuse to build a distribution without the web pages. An editable install needs none: dev.py builds them later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = Path("src", "pitbook", "server", "static", "ui", "index.html")


class PagesHook(BuildHookInterface[Any]):
    """The check for built pages."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Raise if the pages are missing."""
        if version != "editable" and not Path(self.root, INDEX).is_file():
            raise RuntimeError(
                "the web pages are not built: install a released wheel or sdist, or clone the repository and run "
                "python3 dev.py release"
            )
