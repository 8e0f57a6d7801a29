"""What axe finds wrong with a page: nothing, in the end."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    one => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 5).map(node => node.html.slice(0, 160)).join(" | "))"""


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Every rule that is broken, with the first places."""
    if not AXE.exists():
        pytest.skip("python3 dev.py setup installs axe-core")
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found: list[str] = page.evaluate(RUN)
    return found
