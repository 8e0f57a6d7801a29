"""What the sources of the pages may not hold, and what they must agree on with the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.routes.pages import PAGES

UI = Path(__file__).resolve().parents[2] / "ui"
OWN = [path for path in sorted(UI.rglob("*")) if path.is_file() and "node_modules" not in path.relative_to(UI).parts]
GENERATED = UI / "src" / "api" / "schema.d.ts"
"""Its examples come from the API's description, and are comments."""


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("book", PACKAGED)
def test_no_page_knows_a_book(book: str) -> None:
    assert [path.name for path in OWN if path != GENERATED and book in text(path)] == []


XML_NAMES = {"www.w3.org", "schemas.openxmlformats.org"}
"""In the names of XML vocabularies, which nobody asks for."""


def test_nothing_is_requested_from_another_host() -> None:
    for path in OWN:
        if path not in (GENERATED, UI / "package-lock.json"):  # where packages state how to fund them
            hosts = set(re.findall(r"https?://([^/\s\"'`)]+)", text(path))) - XML_NAMES
            assert not hosts, f"{path.relative_to(UI)}: {hosts}"


def test_the_lock_names_no_registry_and_no_folder_of_a_machine() -> None:
    lock = text(UI / "package-lock.json")
    assert '"resolved"' not in lock
    assert "file:" not in lock
    assert '"integrity"' in lock


def test_the_pages_set_no_style_and_no_script_that_the_policy_forbids() -> None:
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", text(UI / "index.html"))
    for path in OWN:
        if path.suffix == ".tsx":
            assert "dangerouslySetInnerHTML" not in text(path), path.name


def test_no_two_style_sheets_dress_the_same_class() -> None:
    """All pages load all of them: a name that two mean differently would spoil pages that neither thought of."""
    sheets: dict[str, list[str]] = {}
    for path in sorted((UI / "src" / "look").glob("*.css")):
        plain = re.sub(r"/\*.*?\*/|\([^()]*\)", "", text(path), flags=re.DOTALL)
        selectors = {one.strip() for found in re.findall(r"([^{};]+)\{", plain) for one in found.split(",")}
        for name in selectors:
            if re.fullmatch(r"\.[\w-]+", name):
                sheets.setdefault(name, []).append(path.name)
    assert {name: found for name, found in sheets.items() if len(found) > 1} == {}


def test_every_page_of_the_browser_is_served() -> None:
    patterns = set(re.findall(r'pattern: "([^"]+)"', text(UI / "src" / "routes.ts")))
    served = {re.sub(r"\{(\w+):\w+\}", ":x", page) for page in PAGES}
    for pattern in patterns:
        shape = re.sub(r":\w+", ":x", pattern)
        wanted = {shape.removesuffix("/*"), shape.replace("/*", "/:x")} if shape.endswith("/*") else {shape}
        assert wanted <= served, pattern


def test_no_page_overrides_the_type_of_what_the_server_sends() -> None:
    assert [path.name for path in OWN if "as unknown as" in text(path)] == []
