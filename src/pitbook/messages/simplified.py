"""Simplified Chinese from Traditional: OpenCC's characters, with our reviewed terms where the wording differs."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import opencc

CONVERSION = "tw2s"
"""Characters only: OpenCC's phrases would turn 程序 (procedure) into 进程 (process). `terms.toml` has ours."""


def simplified(text: str) -> str:
    """Return a text in Simplified Chinese.

    >>> simplified("賭檯已關閉。請登入伺服器。")
    '赌台已关闭。请登录服务器。'
    """
    terms, pattern = _terms()
    converted = _converter().convert(pattern.sub(lambda found: f"\ue000{found[0]}\ue000", text))
    parts = converted.split("\ue000")
    originals = pattern.findall(text)
    parts[1::2] = [terms[one] for one in originals]
    return "".join(parts)


@cache
def _converter() -> opencc.OpenCC:
    import opencc  # takes longer to load than most commands run

    return opencc.OpenCC(CONVERSION)


@cache
def _terms() -> tuple[dict[str, str], re.Pattern[str]]:
    file = resources.files("pitbook.messages") / "terms.toml"
    terms: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))["simplified"]
    longest_first = sorted(terms, key=len, reverse=True)
    return terms, re.compile("|".join(map(re.escape, longest_first)))
