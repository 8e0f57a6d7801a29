"""Rules for names, and texts from outside made short and printable."""

from __future__ import annotations

import unicodedata

from pitbook.messages import Message

NAME_MAX = 40
SHOWN_MAX = 60
WORDS_MAX = 400

SERVER = "server"
"""The name and the role of the server, where it records what it observed."""
VISITOR = "visitor"
"""The name and the role of someone who has not signed in."""

RESERVED = frozenset(
    {"house", "journal", "system", SERVER, VISITOR, "tumbler", "electronic tumbler", "cage", "walk-in"}
)
"""Names that no person can have: ledger accounts and automatic actors."""

_SIGNS = ".-_"
_EAST_ASIAN = ("CJK UNIFIED IDEOGRAPH", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "BOPOMOFO LETTER")
_ITERATION = "々ー"
_LATIN = ((0x0041, 0x017F), (0x1E00, 0x1EFF))


def fold_name(name: str) -> str:
    """Return a name for comparison: two people never differ by case alone.

    >>> fold_name("Ann") == fold_name("ANN"), fold_name("Straße") == fold_name("STRASSE")
    (True, True)
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def name_problem(name: str) -> Message | None:
    """Return what is wrong with a name, or None.

    Letters of other alphabets are excluded because some look like Latin ones: nobody can pass for someone else.

    >>> name_problem("ann.li_2"), name_problem("李小龙"), name_problem("ann lee").text()
    (None, None, "A name can't contain ' '. Use letters, digits, dots, hyphens and underscores.")
    """
    if not 1 <= len(name) <= NAME_MAX:
        return Message("refusals.people.name.length", {"most": NAME_MAX})
    strange = next((sign for sign in name if not (_is_letter_or_digit(sign) or sign in _SIGNS)), None)
    if strange is not None:
        return Message("refusals.people.name.character", {"character": ascii(strange)})
    if name[0] in _SIGNS:
        return Message("refusals.people.name.start")
    if unicodedata.normalize("NFKC", name) != name:
        return Message("refusals.people.name.form")
    return None


def _is_letter_or_digit(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum()
    if not sign.isalpha():
        return False
    if any(first <= ord(sign) <= last for first, last in _LATIN):
        return True
    return sign in _ITERATION or unicodedata.name(sign, "").startswith(_EAST_ASIAN)


def is_reserved(name: str) -> bool:
    """Return whether a name or display name belongs to no person."""
    return fold_name(name).strip() in RESERVED


def is_line(text: str, length_max: int, *, empty: bool = False) -> bool:
    """Return whether a text is one printable line of limited length."""
    return len(text) <= length_max and text.isprintable() and (empty or bool(text.strip()))


def shorten(text: str, length_max: int = NAME_MAX) -> str:
    r"""Return a text from outside on one line, and no longer than this.

    >>> shorten("bob\n\x1b[2J"), shorten("x" * 50, 5)
    ('bob??[2J', 'xxxx…')
    """
    line = "".join(sign if sign.isprintable() else "?" for sign in text[: length_max + 1])
    return line if len(line) <= length_max else f"{line[: length_max - 1]}…"
