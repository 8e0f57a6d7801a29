"""Fonts of a PDF: Typst has fonts for Latin, Greek and Cyrillic; Chinese needs a system font.

No character is printed as an empty box: Chinese names are left out if no font has them all, and any other missing
character becomes a question mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typst import FontInfo, Fonts

CHINESE = (
    "Noto Serif CJK TC",
    "Noto Serif TC",
    "Source Han Serif TC",
    "Songti TC",
    "PMingLiU",
    "Noto Sans CJK TC",
    "Noto Sans TC",
    "Source Han Sans TC",
    "PingFang TC",
    "Microsoft JhengHei",
    "AR PL UMing TW",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Noto Serif CJK SC",
    "Noto Sans CJK SC",
    "Noto Serif CJK JP",
    "Noto Sans CJK JP",
    "Droid Sans Fallback",
)
"""Fonts with traditional Chinese, the best beside a serif first."""


@dataclass(frozen=True, slots=True)
class FontSupply:
    """The printable characters, and the font with the Chinese ones."""

    chinese: str | None
    characters: frozenset[str]

    def printable(self, text: str) -> str:
        """Return a text without characters that cannot be printed."""
        return "".join(c if c in self.characters or c.isspace() else "?" for c in text)


def find_fonts(data: Any, fonts: Fonts) -> FontSupply:
    """Return the fonts and characters for these data."""
    own = typst_characters()
    wanted = {character for text in _texts(data) for character in text} - own
    chinese = {character for text in _texts(data, chinese_only=True) for character in text} - own
    candidates = list(_candidates(fonts.fonts()))
    for characters_needed in (wanted, chinese):
        for family, characters in candidates if characters_needed else ():
            if characters_needed <= characters:
                return FontSupply(family, own | characters)
    return FontSupply(None, own)


def typst_characters() -> frozenset[str]:
    """Return the characters of Typst's own fonts; matplotlib has the same DejaVu Sans Mono."""
    import matplotlib as mpl

    return _characters(Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSansMono.ttf"), 0)


def map_texts(data: Any, change: Callable[[str, str], str], key: str = "") -> Any:
    """Return data with every text changed, by its key and itself."""
    if isinstance(data, dict):
        return {name: map_texts(value, change, name) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [map_texts(value, change, key) for value in data]
    return change(key, data) if isinstance(data, str) else data


def is_chinese(key: str) -> bool:
    """Return whether a key of a sheet holds Chinese."""
    return key.endswith("_zh")


def _texts(data: Any, *, chinese_only: bool = False) -> Iterator[str]:
    found: list[str] = []

    def collect(key: str, text: str) -> str:
        if is_chinese(key) or not chinese_only:
            found.append(text)
        return text

    map_texts(data, collect)
    yield from found


def _candidates(fonts: Iterable[FontInfo]) -> Iterator[tuple[str, frozenset[str]]]:
    regular = {font.family: font for font in fonts if font.path and font.weight == 400 and font.style == "normal"}
    for family in CHINESE:
        if font := regular.get(family):
            yield family, _characters(Path(str(font.path)), font.index)


def _characters(path: Path, index: int) -> frozenset[str]:
    from fontTools.ttLib import TTFont

    with TTFont(path, fontNumber=index, lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap() or ()))
