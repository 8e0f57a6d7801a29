"""Sphinx settings: Markdown by MyST, the Furo theme, nothing fetched from other hosts."""

from __future__ import annotations

import re
import tomllib
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Pitbook"
author = "the Pitbook contributors"
extensions = ["myst_nb", "sphinx.ext.autodoc"]
nb_execution_mode = "force"  # the notebooks are text: what they show is worked out while the docs are built
nb_execution_raise_on_error = True
nb_execution_timeout = 120
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpicky = True
# Names in signatures that have no page: those of the standard library, and those behind the front of the package.
nitpick_ignore_regex = [("py:.*", r"(?!pitbook\.(front\.book|dice\.Roll|money\.Odds)).*")]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
html_theme = "furo"
html_title = "Pitbook"
html_copy_source = False
html_show_sphinx = False


def code_in_backticks(*event: object) -> None:
    """Docstrings write `code` as Markdown does; reStructuredText wants two backticks, and no letter after them."""
    lines = cast("list[str]", event[-1])
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)(\w?)", r"``\1``\\ \2", line) for line in lines]


def write_guarantee_tests(app: Sphinx) -> None:
    """Write the page that lists the tests behind every guarantee."""
    root = Path(app.srcdir).parent
    titles = dict(re.findall(r"^## (\d+)\. (.*)$", (root / "GUARANTEES.md").read_text(encoding="utf-8"), re.MULTILINE))
    listed = tomllib.loads((root / "tests" / "guarantees.toml").read_text(encoding="utf-8"))["guarantee"]
    page = ["# Tests of the guarantees", "", "Made from `tests/guarantees.toml` when the documentation is built.", ""]
    for section, guarantees in groupby(listed, key=lambda one: str(one["section"])):
        page += [f"## {section}. {titles[section]}", ""]
        for one in guarantees:
            page += [one["says"], "", *(f"- `{test}`" for test in one["tests"]), ""]
    (Path(app.srcdir) / "project" / "guarantee-tests.md").write_text("\n".join(page), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_guarantee_tests)
    app.connect("autodoc-process-docstring", code_in_backticks)
