"""From the translations beside the books to what the API says of them."""

from __future__ import annotations

import gzip
from typing import Literal

import msgspec

from pitbook.rulebooks.translations import house
from pitbook.server.books.wire_translations import Translation
from pitbook.server.http.kept import Page, etag_of_content
from pitbook.server.office.clerks import COUNTER


async def translation(lang: Literal["zh"], *, packed: bool) -> Page:
    """All translations of the house, compressed for who takes it: text in two languages shrinks to a third."""
    return await COUNTER.work(_page, lang, packed)


def _page(lang: Literal["zh"], packed: bool) -> Page:
    content = msgspec.json.encode(Translation(lang, house()))
    headers = {"Vary": "Accept-Encoding"}
    if packed:
        content = gzip.compress(content, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Page(content, etag_of_content(content), headers=headers)
