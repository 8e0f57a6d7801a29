"""Present the translations of books for the API."""

from __future__ import annotations

import gzip
from typing import Literal

import msgspec

from pitbook.rulebooks.translations import house
from pitbook.server.http.response_cache import CachedResponse, etag_of_content
from pitbook.server.schemas.translations import Translation
from pitbook.server.worker_pool import COUNTER


async def translation(lang: Literal["zh"], *, packed: bool) -> CachedResponse:
    """Return all translations, compressed on request: text in two languages shrinks to a third."""
    return await COUNTER.work(_page, lang, packed)


def _page(lang: Literal["zh"], packed: bool) -> CachedResponse:
    content = msgspec.json.encode(Translation(lang, house()))
    headers = {"Vary": "Accept-Encoding"}
    if packed:
        content = gzip.compress(content, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return CachedResponse(content, etag_of_content(content), headers=headers)
