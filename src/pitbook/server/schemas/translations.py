"""Schemas of a book's translations."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Translation(Struct, frozen=True):
    """Sentences of the house's books in another language. They bind nothing."""

    lang: Literal["zh", "zh-Hans"]
    sentences: Annotated[
        dict[str, str],
        Meta(description="Translations by the books' own sentences.", examples=[{"No more bets": "停止下注"}]),
    ]
    labels: Annotated[
        dict[str, str],
        Meta(
            description="Names of the books by their Traditional Chinese, where they differ.", examples=[{"單": "单"}]
        ),
    ] = {}
