"""The pages as they are served: one document, files for good, compressed, and small."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pitbook.server.http import assets
from pitbook.server.routes import pages
from tests.server.conftest import HouseApp, house_app, make_house_app  # noqa: F401 - fixtures

pytestmark = pytest.mark.anyio

FIRST_LOAD = 150_000
"""Bytes over the wire until a page stands there, charts apart."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def bundle() -> assets.Bundle:
    found = assets.read(assets.folder())
    if found is None:
        pytest.fail("the pages are not built: python3 dev.py setup")
    return found


ADDRESSES = [
    "/",
    "/sign-in",
    "/me",
    "/tables/t1",
    "/tables/t1/dealer",
    "/tables/t1/board",
    "/tables/t1/rounds/3",
    "/floor",
    "/floor/people",
    "/audit",
    "/audit?table=t1",
    "/books",
    "/books/some-book",
    "/books/some-book/analysis",
    "/analysis",
    "/analysis?book=a&book=b",
    "/verify",
]


async def test_every_address_of_a_page_gets_the_same_document(house_app: HouseApp) -> None:  # noqa: F811
    async with house_app.client() as client:
        for address in ADDRESSES:
            response = await client.get(address)
            assert response.status_code == 200, address
            assert response.headers["content-type"].startswith("text/html"), address
            assert "unsafe" not in response.headers["content-security-policy"], address
            again = await client.get(address, headers={"if-none-match": response.headers["etag"]})
            assert again.status_code == 304, address


BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


async def test_a_person_at_an_unknown_address_gets_the_page_that_says_so(
    house_app: HouseApp,  # noqa: F811
    bundle: assets.Bundle,
) -> None:
    async with house_app.client() as client:
        for address in ("/nowhere", "/tables/t1/nowhere", "/tables/t1/rounds/first", "/me/too"):
            page = await client.get(address, headers={"accept": BROWSER})
            program = await client.get(address, headers={"accept": "application/json"})
            assert (page.status_code, page.content) == (404, bundle.index.content), address
            assert page.headers["cache-control"] == "no-store", address
            assert "unsafe" not in page.headers["content-security-policy"], address
            assert (program.status_code, program.json()["type"]) == (404, "/problems/not-found"), address


async def test_where_programs_ask_an_unknown_address_is_a_problem_for_browsers_too(
    house_app: HouseApp,  # noqa: F811
) -> None:
    async with house_app.client() as client:
        for address in ("/api/v1/nowhere", "/assets/nothing.js", "/problems/nothing"):
            response = await client.get(address, headers={"accept": BROWSER})
            assert (response.status_code, response.json()["type"]) == (404, "/problems/not-found"), address


async def test_files_that_the_document_loads_are_cached_and_sent_compressed(
    house_app: HouseApp,  # noqa: F811
    bundle: assets.Bundle,
) -> None:
    async with house_app.client() as client:
        for address in loaded(bundle):
            plain = await client.get(address, headers={"accept-encoding": "identity"})
            packed = await client.get(address, headers={"accept-encoding": "gzip, br;q=0"})
            assert plain.status_code == packed.status_code == 200, address
            assert "immutable" in plain.headers["cache-control"]
            assert "content-encoding" not in plain.headers
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.headers["vary"] == "Accept-Encoding"
            assert packed.content == plain.content  # the client unpacks it


async def test_a_file_that_is_not_theirs_is_not_found(house_app: HouseApp) -> None:  # noqa: F811
    async with house_app.client() as client:
        for name in ("main.js", "..%2Findex.html", "%2e%2e%2freference.css"):
            assert (await client.get(f"/assets/{name}")).status_code == 404


async def test_a_server_without_pages_says_how_they_are_built(
    house_app: HouseApp,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "built", lambda: None)
    async with house_app.client() as client:
        english = await client.get("/", headers={"Accept-Language": "en"})
        chinese = await client.get("/", headers={"Accept-Language": "zh-TW"})
    assert (english.status_code, chinese.status_code) == (503, 503)
    assert "its web pages have not been built" in english.text
    assert "<code>python3 dev.py setup</code>" in english.text
    assert "網頁尚未建置" in chinese.text


def loaded(bundle: assets.Bundle) -> list[str]:
    """The addresses that the document names."""
    return re.findall(r'(?:href|src)="(/assets/[^"]+)"', bundle.index.content.decode())


ROUTES = Path(__file__).resolve().parents[2] / "ui" / "src" / "routes.ts"


@pytest.mark.parametrize("page", re.findall(r'import\("\./pages/([\w-]+)"\)', ROUTES.read_text(encoding="utf-8")))
def test_the_first_load_is_small(bundle: assets.Bundle, page: str) -> None:
    wanted = {address.removeprefix("/assets/") for address in loaded(bundle)}
    own = [name for name in bundle.assets if re.fullmatch(rf"{page}-[A-Z0-9]{{8}}\.js", name)]
    assert own
    waiting = [*wanted, *own]
    while waiting:  # what a script imports at once, it imports by name
        name = waiting.pop()
        wanted.add(name)
        if name.endswith(".js"):
            code = bundle.assets[name].content.decode()
            named = re.findall(r'(?:from|import)"\./([^"]+)"', code)
            waiting += [one for one in named if one not in wanted]
    size = len(gzip.compress(bundle.index.content)) + sum(
        min(len(one) for one in bundle.assets[name].compressed.values()) for name in wanted
    )
    print(f"{page}: {size} bytes")
    assert size < FIRST_LOAD


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("", None), ("gzip", "gzip"), ("gzip, deflate, br", "br"), ("br;q=0, gzip;q=0.5", "gzip"), ("br;q=0.0", None)],
)
def test_the_smallest_encoding_goes_to_clients_that_accept_it(accepted: str, encoding: str | None) -> None:
    asset = assets.Asset(b"long", "text/css", {"br": b"b", "gzip": b"g"})
    assert asset.encoded_for(accepted)[1].get("Content-Encoding") == encoding


def test_a_folder_without_a_document_has_no_pages(tmp_path: Path) -> None:
    assert assets.read(tmp_path) is None


def test_a_wheel_carries_the_pages(bundle: assets.Bundle, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=Path(__file__).parents[2], check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert "pitbook/server/static/ui/index.html" in names
    assert {f"pitbook/server/static/ui/assets/{name}" for name in bundle.assets} <= names
