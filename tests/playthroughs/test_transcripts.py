"""A table can be read aloud: every script comes to the transcript on file (`--update` writes them)."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.playthroughs.scripts import FOLDER, PLAYS, Play

SCRIPTS = ("massachusetts", "maryland", "singapore", "dice_works", "dice_ology", "craps")
for module in SCRIPTS:
    import_module(f"tests.playthroughs.{module}")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: f"{play.book}/{play.name}")
def test_the_transcript_is_the_one_on_file(play: Play, update: bool) -> None:
    text = play.text()
    if update:
        play.path.parent.mkdir(exist_ok=True)
        play.path.write_text(text, encoding="utf-8")
    assert play.path.read_text(encoding="utf-8") == text


def test_every_transcript_on_file_has_its_script() -> None:
    books = {play.book for play in PLAYS}
    on_file = {path for book in books for path in (FOLDER / book).glob("*.txt")}
    assert on_file == {play.path for play in PLAYS}
