"""Present the translations of books for the API."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Literal

import msgspec

from pitbook.messages.simplified import simplified
from pitbook.rulebooks.translations import house
from pitbook.server.books.scripts import labels_in_simplified
from pitbook.server.http.response_cache import CachedResponse, etag_of_content
from pitbook.server.schemas.translations import Translation
from pitbook.server.worker_pool import QUICK_QUERIES

if TYPE_CHECKING:
    from pitbook.server.books.library import Library


async def translation(library: Library, lang: Literal["zh", "zh-Hans"], *, packed: bool) -> CachedResponse:
    """Return all translations, compressed on request: text in two languages shrinks to a third."""
    return await QUICK_QUERIES.work(_page, library, lang, packed)


def _page(library: Library, lang: Literal["zh", "zh-Hans"], packed: bool) -> CachedResponse:
    sentences = house(library.editions.translations)
    translation = Translation(lang, sentences)
    if lang == "zh-Hans":
        converted = {sentence: simplified(chinese) for sentence, chinese in sentences.items()}
        translation = Translation(lang, converted, labels_in_simplified(library))
    content = msgspec.json.encode(translation)
    headers = {"Vary": "Accept-Encoding"}
    if packed:
        content = gzip.compress(content, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return CachedResponse(content, etag_of_content(content), headers=headers)
