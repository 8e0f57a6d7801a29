"""Schemas of a book's translations."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Translation(Struct, frozen=True):
    """Sentences of the house's books in another language. They bind nothing."""

    lang: Literal["zh"]
    sentences: Annotated[
        dict[str, str],
        Meta(description="Translations by the books' own sentences.", examples=[{"No more bets": "停止下注"}]),
    ]
