"""Retired phrases are not used in docstrings, comments and docs, nor in the messages of assertions."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RETIRED = {
    r"\banew\b": "again, or re-: resettled, recompute",
    r"\b(comes?|came) of\b": "results from, follows from",
    r"(?<!\w )\bas was\b": "say what it was",
    r"\bfor ever\b": "permanently",
    r"\b(for|to|by|from) who\b": "for those who, for the player who",
    r"\bput right\b|\bputs right\b": "correct",
    r"\bis no (amount|number|person|book|checkpoint|roll|line|law|percentile|name|fact)\b": "is not",
    r"\b(some|any|every)body\b": "someone, anyone, everyone",
    r"\bgo(es)? on\b": "continue",
    r"\bmakes? no sense\b": "is not valid",
    r"\b(a|an) \w+ of (its|their) own\b": "its own",
    r"\b(is|are|was|were) told\b": "is notified, is reported, is refused with a reason",
    r"\b(by itself|by themselves)\b": "automatically, on its own, alone",
    r"\bis under way\b": "is running",
}
FIRST_WORDS = re.compile(r"(Who|Whoever|Since when|Refuses|Tells)\b")
"""Words with which no docstring begins: it is an imperative, or a noun phrase."""
GENERATED = ("i18n/words/", "api/schema.d.ts")


def python(text: str) -> Iterator[str]:
    """Yield the comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(words))) | ast.Assert(msg=ast.Constant(value=str(words))):
                yield words


def typescript(text: str) -> Iterator[str]:
    """Yield the comments of a module."""
    yield from re.findall(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", text, re.DOTALL)


def markdown(text: str) -> Iterator[str]:
    """Yield a page without its code."""
    yield re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def prose() -> Iterator[tuple[str, str]]:
    """Yield every piece of prose with its file; line breaks are spaces, and code in backquotes is left out."""
    kinds = (
        ("src/pitbook", "*.py", python),
        ("tests", "*.py", python),
        ("ui/src", "*.ts", typescript),
        ("ui/src", "*.tsx", typescript),
        ("docs", "*.md", markdown),
        (".", "README.md", markdown),
        (".", "GUARANTEES.md", markdown),
        (".", "ARCHITECTURE.md", markdown),
        (".", "CONTRIBUTING.md", markdown),
        (".", "SECURITY.md", markdown),
    )
    for folder, pattern, read in kinds:
        place = ROOT / folder
        for path in sorted(place.glob(pattern) if folder == "." else place.rglob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if any(part in name for part in GENERATED) or "docs/rules/" in name:
                continue
            for words in read(path.read_text(encoding="utf-8")):
                yield name, re.sub(r"\s+(\*|//|#)?\s*", " ", re.sub(r"`[^`]*`", "``", words))


@pytest.fixture(scope="module")
def pieces() -> list[tuple[str, str]]:
    return list(prose())


@pytest.mark.thorough
def test_prose_is_found_in_every_kind_of_file(pieces: list[tuple[str, str]]) -> None:
    kinds = {name.rpartition(".")[2] for name, _ in pieces}
    assert kinds == {"py", "ts", "tsx", "md"}
    assert len(pieces) > 5_000


@pytest.mark.thorough
def test_no_docstring_begins_with_a_headless_clause_or_in_the_third_person(pieces: list[tuple[str, str]]) -> None:
    assert [(name, words[:60]) for name, words in pieces if name.endswith(".py") and FIRST_WORDS.match(words)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("phrase", RETIRED)
def test_no_retired_phrase_is_left(phrase: str, pieces: list[tuple[str, str]]) -> None:
    found = [
        f"{name}: {words[max(0, at.start() - 40) : at.end() + 30]}"
        for name, words in pieces
        for at in re.finditer(phrase, words)
    ]
    assert found == [], f"write instead: {RETIRED[phrase]}"
