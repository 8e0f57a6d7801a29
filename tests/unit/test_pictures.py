"""The pictures of the documentation: each that is shown is there, each that is there is shown, and none is large."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PAGES = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.(?:webp|svg))\)|<img [^>]*?src=\"([^\"]+\.(?:webp|svg))\"")
KILOBYTES_MAX = 120
ALL_MAX = 2_500


def pictures_in_docs() -> dict[Path, list[Path]]:
    """By picture, the pages that show it."""
    found: dict[Path, list[Path]] = {}
    for page in PAGES:
        for _, markdown, html in SHOWN.findall(page.read_text(encoding="utf-8")):
            found.setdefault((page.parent / (markdown or html)).resolve(), []).append(page)
    return found


def test_every_picture_that_a_page_shows_is_there() -> None:
    missing = {str(picture): pages for picture, pages in pictures_in_docs().items() if not picture.is_file()}
    assert not missing, "python3 dev.py test tests/browser/test_tutorials.py --update takes them"


def test_every_picture_is_shown_somewhere() -> None:
    assert set(FOLDER.iterdir()) == {picture for picture in pictures_in_docs() if picture.parent == FOLDER}


def test_every_picture_says_in_words_what_it_shows() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert all(words for words, markdown, _ in SHOWN.findall(text) if markdown), page
        assert len(re.findall("<img ", text)) == len(re.findall(r'<img [^>]*alt="[^"]+"', text)), page


def test_pictures_are_small() -> None:
    sizes = {picture.name: picture.stat().st_size / 1000 for picture in FOLDER.iterdir()}
    assert {name: size for name, size in sizes.items() if size > KILOBYTES_MAX} == {}
    assert sum(sizes.values()) < ALL_MAX
