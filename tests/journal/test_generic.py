"""The journal knows no game: what it records, and what tags and attachments mean, is for the house to say."""

from __future__ import annotations

import re
from pathlib import Path

import pitbook.journal

WORDS = re.compile(
    r"\b(dice|die|throws?|thrown|rounds?|bets?|betting|wagers?|rolls?|shakers?|rulebooks?|books?|games?|craps)\b"
)
NOT_OF_GAMES = ("die without a word", "committed or rolled", "roll back", "roll_back")
APPLIED = ("0001_journal.sql", "0002_snapshots.sql", "0004_books.sql", "0005_tags.sql")
"""Migrations that stored journals have gone through; the last one gives their columns other names."""


def words_of(line: str) -> str:
    """Return a line with the parts of names as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", line).lower()


def test_no_file_of_the_journal_has_a_word_of_a_game() -> None:
    folder = Path(pitbook.journal.__file__).parent
    found = []
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.sql")]):
        if path.name in APPLIED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = words_of(line)
            for other in NOT_OF_GAMES:
                words = words.replace(other, "")
            if WORDS.search(words):
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert found == [], "\n".join(found)
