"""The notebooks of the documentation: every cell runs, and each notebook has pictures."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.md"))
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDEX = (Path(__file__).parents[2] / "docs" / "index.md").read_text(encoding="utf-8")


def run_cell(source: str, names: dict[str, Any], place: str) -> Any:
    """Run a cell, and return what its last line shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    return eval(compile(ast.Expression(last.value), place, "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs_and_pictures_are_shown(
    notebook: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    pictures = 0
    for number, source in enumerate(CELL.findall(notebook.read_text(encoding="utf-8")), 1):
        displayed = run_cell(source, names, f"{notebook.name}, cell {number}")
        html = getattr(displayed, "_repr_html_", getattr(displayed, "_repr_svg_", str))()
        pictures += "<svg" in str(html)
    assert pictures >= 2
    assert f"notebooks/{notebook.stem}\n" in INDEX
