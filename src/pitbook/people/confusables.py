"""Confusable names: skeletons for comparing them, and titles that are reserved for staff.

The skeleton follows the idea of Unicode's UTS #39, with the letters that can be typed on common keyboards; no library
on PyPI offers the whole of it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import combinations

from pitbook.messages import Message

_LOOK = {
    "a": "ɑαаᴀ", "b": "ЬƄвβʙƀ", "c": "сϲⅽᴄ", "d": "ԁđðᴅ", "e": "еєҽεᴇ", "f": "ƒϝꜰ", "g": "ɡցɢ", "h": "һнηʜħ",
    "i": "", "j": "јϳᴊ", "k": "кκᴋ", "l": "1i|ıіιӏǀاוɪʟł", "m": "мϻᴍ", "n": "пոɴ",
    "o": "0оοσօס۰०ᴏø", "p": "рρᴘ", "q": "ԛգ", "r": "гʀ", "s": "ѕꜱ", "t": "тτᴛŧ", "u": "υսʋᴜ", "v": "ѵνᴠ",
    "w": "ԝѡωᴡ", "x": "хχ×", "y": "уүγʏ", "z": "ᴢζ",
    "-": "‐‑‒–—−_", ".": "·․",
}  # fmt: skip
_LETTERS = str.maketrans({sign: plain for plain, signs in _LOOK.items() for sign in signs.casefold()})
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХУЅІЈ", "ABEZHIKMNOPTYXABEKMHOPCTXYSIJ")
_PAIRS = (("rn", "m"), ("vv", "w"))
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH")

_TITLES = (
    "dealer", "base dealer", "croupier", "manager", "shift manager", "duty manager", "casino manager", "auditor",
    "supervisor", "casino supervisor", "floorperson", "floor person", "floorman", "floorwoman", "floor manager",
    "pit boss", "pit manager", "pit clerk", "box person", "boxman", "boxwoman", "stick person", "stickman", "inspector",
    "cashier", "surveillance", "security", "staff", "support", "helpdesk", "official", "admin", "administrator",
    "moderator", "operator", "regulator", "walk in",
)  # fmt: skip
_UNMISTAKABLE = (
    "manager", "dealer", "croupier", "auditor", "supervisor", "floorperson", "pitboss", "inspector", "cashier",
    "surveillance", "administrator", "moderator",
)  # fmt: skip
"""Titles that are found inside longer words, too: they are part of nobody's name."""
_TITLES_ZH = (
    "荷官", "莊家", "庄家", "經理", "经理", "主管", "主任", "督導", "督导", "監督", "监督", "稽核",
    "審計", "审计", "領班", "领班", "巡場", "巡场", "管理員", "管理员", "職員", "职员", "員工", "员工",
    "客服", "官方", "賭場", "赌场", "娛樂場", "娱乐场", "監控", "监控", "出納", "出纳", "監管", "监管",
    "散客",
)  # fmt: skip


@lru_cache(maxsize=1 << 17)
def skeleton(name: str) -> str:
    """Return what a name looks like; two names with the same skeleton can be confused.

    >>> skeleton("Аnn") == skeleton("ann"), skeleton("Bi11") == skeleton("BILL"), skeleton("rnax") == skeleton("Max")
    (True, True, True)
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).translate(_CAPITALS).casefold())
    visible = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Mn", "Me", "Cf", "Zs"))
    look = _INVISIBLE.sub("", visible).translate(_LETTERS)
    for pair, single in _PAIRS:
        look = look.replace(pair, single)
    return look


def appearance_problem(display_name: str) -> Message | None:
    """Return why a display name is deceptive, or None.

    >>> appearance_problem("Ann Lee"), appearance_problem("Аnn").text()
    (None, 'Write the display name in one script, or in Chinese and Latin. This one mixes Cyrillic, Latin.')
    """
    if _INVISIBLE.search(display_name):
        return Message("refusals.people.name.invisible")
    scripts = {_script(sign) for sign in display_name if sign.isalpha()} - {"East Asian"}
    if len(scripts) > 1:
        return Message("refusals.people.name.scripts", {"scripts": sorted(scripts)})
    return None


def find_title(name: str) -> str | None:
    """Return the staff title that a name contains, however it is disguised.

    >>> find_title("Demo manager"), find_title("D.e.a.l.e.r 2"), find_title("荷官小李"), find_title("Ann Houseman")
    ('manager', 'dealer', '荷官', None)
    >>> find_title("DemoManager"), find_title("經 理"), find_title("Ann Stafford")
    ('manager', '經理', None)
    """
    folded = unicodedata.normalize("NFKC", name)
    joined = re.sub(r"[\W_]+", "", folded)
    found = next((title for title in _TITLES_ZH if title in joined), None)
    if found is not None:
        return found
    look = skeleton(joined)
    found = next((title for title in _UNMISTAKABLE if skeleton(title) in look), None)
    if found is not None:
        return found
    words = [word for word in re.split(r"[\W_]+", folded) if word]
    for tried in (words, [word.rstrip("0123456789") for word in words]):
        for first, last in combinations(range(len(tried) + 1), 2):
            title = _LOOKS.get(skeleton("".join(tried[first:last])))
            if title is not None:
                return title
    return None


def _script(sign: str) -> str:
    name = unicodedata.name(sign, "OTHER")
    return "East Asian" if name.startswith(_EAST_ASIAN) else name.split()[0].capitalize()


_LOOKS = {skeleton(title): title for title in _TITLES}
