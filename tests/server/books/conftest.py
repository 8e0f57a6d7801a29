"""An application with only the routes of books and analysis, and a house's own book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.di import Provide
from litestar.testing import TestClient

from pitbook.rulebooks.editions import Editions
from pitbook.rulebooks.model import Rulebook
from pitbook.server.books.library import Library
from pitbook.server.http.bodies import StrictRequest
from pitbook.server.http.exception_handlers import error_response
from pitbook.server.routes import analysis, books
from pitbook.server.worker_pool import WORKER_POOL

Client = TestClient[Litestar]

HARBOUR = """
[book]
id        = "harbour-sic-bo"
extends   = "massachusetts-sic-bo"
title     = "Sic Bo at the Harbour"
about     = "Small pays 2 to 1."
[wager.small]
pays = "2 to 1"
"""


def make_app(library: Library | None = None) -> Litestar:
    library = library or Library(Editions())
    return Litestar(
        [*books.handlers, *analysis.handlers],
        dependencies={"library": Provide(lambda: library, sync_to_thread=False)},
        exception_handlers={Exception: error_response},
        request_class=StrictRequest,
        logging_config=None,
    )


@pytest.fixture(scope="session")
def library() -> Library:
    """Return the books that `client` uses."""
    return Library(Editions())


@pytest.fixture(scope="session")
def client(library: Library) -> Iterator[Client]:
    with TestClient(make_app(library), base_url="http://testserver.local") as found:
        yield found
    WORKER_POOL.close()


@pytest.fixture(scope="session")
def harbour(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    """Return a licensee's own book, read from a file that no longer exists."""
    path: Path = tmp_path_factory.mktemp("books") / "harbour.toml"
    path.write_text(HARBOUR, encoding="utf-8")
    book = library.editions.add_file(path)
    path.unlink()
    return book


@pytest.fixture
def read_json(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Return a function that runs a command and parses its JSON output."""
    import json

    def run(command: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        capsys.readouterr()
        command(*arguments, json=True, **options)
        return json.loads(capsys.readouterr().out)

    return run


def narrowed(data: Any) -> Any:
    """Return data with every figure replaced by its exact text, as the command line prints it."""
    if isinstance(data, dict):
        if set(data) == {"exact", "value"}:
            return str(data["value"]) if data["exact"] is None else data["exact"]
        return {key: narrowed(value) for key, value in data.items()}
    return [narrowed(value) for value in data] if isinstance(data, list) else data


def figures(data: Any) -> Iterator[dict[str, Any]]:
    """Yield every figure of a response."""
    if isinstance(data, dict):
        if set(data) == {"exact", "value"}:
            yield data
        else:
            for value in data.values():
                yield from figures(value)
    elif isinstance(data, list):
        for value in data:
            yield from figures(value)
