"""The built web pages: one document for all addresses and the files that it loads, compressed as well."""

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
"""The best first, with how its files end."""
FOREVER = "public, max-age=31536000, immutable"
"""Of a file whose name changes with its content."""
HTML = "text/html"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that a page loads, as it is and compressed."""

    content: bytes
    media_type: str
    compressed: dict[str, bytes]

    def for_who_takes(self, accepted: str) -> tuple[bytes, dict[str, str]]:
        """The smallest form that the asker takes, with its headers."""
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        taken = {part.partition(";")[0].strip() for part in accepted.lower().split(",") if not _refused(part)}
        for encoding, content in self.compressed.items():
            if encoding in taken:
                return content, {**headers, "Content-Encoding": encoding}
        return self.content, headers


def _refused(part: str) -> bool:
    """Whether an encoding is named only to say that it is not taken: `br;q=0`."""
    weight = part.replace(" ", "").partition(";q=")[2]
    return bool(weight) and not weight.strip("0.")


@dataclass(frozen=True, slots=True)
class Bundle:
    """All that the browser loads."""

    index: CachedResponse
    assets: dict[str, Asset]


def folder() -> Path:
    """Where the build puts the pages."""
    return Path(str(files("pitbook.server").joinpath("static", "ui")))


def read(place: Path) -> Bundle | None:
    """The pages in a folder; none where they were not built."""
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
    """The pages of this installation, read once: a server goes on with those it started with."""
    return read(folder())
