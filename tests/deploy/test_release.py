"""What `python3 dev.py release` publishes: complete, reproducible, and usable without this repository."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import httpx
import pytest

from tests.server.conftest import ServerProcess
from tests.waiting import HANG

ROOT = Path(__file__).parents[2]
SECONDS = "1700000000"


def build(source: Path, target: Path, *kinds: str) -> subprocess.CompletedProcess[str]:
    """Build distributions as dev.py does."""
    chosen = [word for kind in kinds for word in ("--target", kind)]
    command = [sys.executable, "-m", "hatchling", "build", *chosen, "--directory", str(target)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": SECONDS}
    return subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)


def contents(wheel: Path) -> dict[str, str]:
    """Return the hash of every file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    done = build(ROOT, folder, "sdist", "wheel")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(released: Path) -> Path:
    return next(released.glob("*.whl"))


@pytest.mark.thorough
def test_the_wheel_has_code_books_pages_messages_and_licences(wheel: Path) -> None:
    names = set(contents(wheel))
    for name in ("py.typed", "books/craps.toml", "messages/refusals/bets.toml", "server/static/ui/index.html"):
        assert f"pitbook/{name}" in names
    folder = next(name.partition("/")[0] for name in names if name.endswith(".dist-info/METADATA"))
    assert f"{folder}/licenses/LICENSE" in names
    notices = f"{folder}/licenses/src/pitbook/server/static/ui/THIRD-PARTY-NOTICES.txt"
    with zipfile.ZipFile(wheel) as archive:
        assert "preact" in archive.read(notices).decode()
        metadata = archive.read(f"{folder}/METADATA").decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


@pytest.mark.thorough
def test_the_same_commit_gives_the_same_bytes(released: Path, tmp_path: Path) -> None:
    assert build(ROOT, tmp_path, "sdist", "wheel").returncode == 0
    for file in released.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


@pytest.mark.thorough
def test_the_sdist_builds_the_same_wheel_without_node(released: Path, wheel: Path, tmp_path: Path) -> None:
    subprocess.run(["tar", "--extract", "--file", *released.glob("*.tar.gz")], cwd=tmp_path, check=True)
    (source,) = tmp_path.iterdir()
    done = build(source, tmp_path / "out", "wheel")
    assert done.returncode == 0, done.stderr
    assert contents(next((tmp_path / "out").glob("*.whl"))) == contents(wheel)


@pytest.mark.thorough
def test_the_sdist_has_every_file_to_deploy_and_the_guides(released: Path) -> None:
    with tarfile.open(next(released.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("deploy", "docs/guides"):
        assert {str(file.relative_to(ROOT)) for file in (ROOT / folder).iterdir()} <= names


def test_a_source_tree_without_pages_says_what_to_do(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "src" / "pitbook").mkdir(parents=True)
    done = build(tmp_path, tmp_path / "out", "wheel")
    assert done.returncode != 0
    assert "the web pages are not built: install a released wheel or sdist" in done.stderr


@pytest.mark.thorough
def test_the_wheel_serves_its_pages_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    environment = {"PYTHONPATH": str(tmp_path / "installed")}
    (tmp_path / "server").mkdir()
    server = ServerProcess(tmp_path / "server", ["--port", "0", "--demo"], environment, alone=True)
    try:
        address = server.address()
        page = httpx.get(address + "/", timeout=HANG)
        assert page.status_code == 200
        assert "/assets/main-" in page.text
        assert len(httpx.get(address + "/api/v1/books", timeout=HANG).json()["books"]) >= 5
        assert server.stop() == 0
    finally:
        server.close()


def bill_of_materials() -> str:
    command = [sys.executable, str(ROOT / "release" / "sbom.py"), SECONDS]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_bill_of_materials_lists_what_is_installed_and_bundled() -> None:
    written = bill_of_materials()
    bill = json.loads(written)
    assert bill["bomFormat"] == "CycloneDX"
    parts = {part["purl"].partition("@")[0]: part for part in bill["components"]}
    assert parts["pkg:pypi/msgspec"]["scope"] == "required"
    assert parts["pkg:pypi/numba"]["scope"] == "optional"
    assert parts["pkg:npm/preact"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert "pkg:pypi/pytest" not in parts
    assert bill["metadata"]["component"]["name"] == "pitbook"
    assert written == bill_of_materials()
