"""The built web pages: one document for all URLs and its assets, plain and compressed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path

from pitbook.server.http.response_cache import CachedResponse, etag_of_content

INDEX = "index.html"
ASSETS = "assets"
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The suffixes of compressed files by encoding, in order of preference."""
FOREVER = "public, max-age=31536000, immutable"
"""For files whose names change with their content."""
HTML = "text/html"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that a page loads, plain and compressed."""

    content: bytes
    media_type: str
    compressed: dict[str, bytes]

    def encoded_for(self, accepted: str) -> tuple[bytes, dict[str, str]]:
        """Return the best encoding that the client accepts, with its headers."""
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        allowed = {part.partition(";")[0].strip() for part in accepted.lower().split(",") if not _is_refused(part)}
        for encoding, content in self.compressed.items():
            if encoding in allowed:
                return content, {**headers, "Content-Encoding": encoding}
        return self.content, headers


def _is_refused(part: str) -> bool:
    """Return whether an encoding is excluded by its weight, as in `br;q=0`."""
    weight = part.replace(" ", "").partition(";q=")[2]
    return bool(weight) and not weight.strip("0.")


@dataclass(frozen=True, slots=True)
class Bundle:
    """The page and its assets."""

    index: CachedResponse
    assets: dict[str, Asset]


def folder() -> Path:
    """Return the folder of the built pages."""
    return Path(str(files("pitbook.server").joinpath("static", "ui")))


def read(place: Path) -> Bundle | None:
    """Read the pages in a folder; return None if they were not built."""
    index = place / INDEX
    if not index.is_file():
        return None
    content = index.read_bytes()
    found = {}
    for file in sorted((place / ASSETS).iterdir()):
        if file.suffix not in ENCODINGS.values():
            kind = guess_type(file.name)[0] or "application/octet-stream"
            text = kind.startswith("text/") or kind.endswith(("javascript", "json"))
            found[file.name] = Asset(
                file.read_bytes(), f"{kind}; charset=utf-8" if text else kind, dict(_compressed(file))
            )
    return Bundle(CachedResponse(content, etag_of_content(content), HTML), found)


def _compressed(file: Path) -> list[tuple[str, bytes]]:
    beside = [(encoding, file.with_name(file.name + ending)) for encoding, ending in ENCODINGS.items()]
    return [(encoding, other.read_bytes()) for encoding, other in beside if other.is_file()]


@lru_cache(maxsize=1)
def built() -> Bundle | None:
    """Return the pages of this installation, read once at the start."""
    return read(folder())
