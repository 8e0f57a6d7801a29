"""The clauses of the house's own texts, which come with the software: read from the texts themselves."""

from __future__ import annotations

import re
from pathlib import Path

TEXTS = Path(__file__).parents[2] / "docs" / "rules"


def clauses_of(book: str) -> frozenset[str]:
    """Return the numbers in bold at the beginning of a paragraph."""
    text = (TEXTS / f"{book}.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^\*\*([\d.]+)\*\* ", text, re.MULTILINE))
