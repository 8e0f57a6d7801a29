"""A process with another version, key or books than those that serve the same database does not start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.errors import InputError
from pitbook.server import shared_identity
from pitbook.server.settings import Settings
from pitbook.server.shared_identity import check_identity, save_identity
from pitbook.tumbler.seals import SealingKeys
from tests.server.books.conftest import HARBOUR
from tests.server.whole.deployment import Deployment


@pytest.fixture(scope="module")
def house(module_postgres_url: str, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """One process on a database."""
    deployment = make_deployment(module_postgres_url)
    try:
        deployment.start()
        yield deployment
        assert deployment.started[0].stop() == 0
        deployment.audited()
    finally:
        deployment.close()


def test_another_key_or_book_is_refused_and_the_same_accepted(house: Deployment) -> None:
    books = house.folder / "books"
    books.mkdir()
    (books / "harbour.toml").write_text(HARBOUR, encoding="utf-8")
    other_key, third_key = str(house.folder / "other.key"), str(house.folder / "third.key")
    for process, says in (
        (house.begin(PITBOOK_SEALING_KEY=other_key), "its sealing key is different: copy its key file to"),
        (house.begin(PITBOOK_SIGNING_KEY=third_key), "its signing key is different: copy its key file to"),
        (house.begin("--books", str(books)), f"the house's own books are different: put the same files into {books}"),
    ):
        code, log = process.ended()
        assert code == 2, log
        assert says in log
        assert "another process already serves this database; stop it, or give this one the same set-up" in log
    second = house.start()
    assert second.stop() == 0


def test_after_all_have_stopped_another_key_may_be_used(postgres_url: str, tmp_path: Path) -> None:
    deployment = Deployment(tmp_path, postgres_url)
    try:
        assert deployment.start().stop() == 0
        assert deployment.start(PITBOOK_SIGNING_KEY=str(tmp_path / "other.key")).stop() == 0
    finally:
        deployment.close()


def test_versions_must_agree_and_rotated_keys_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(sealing_key=tmp_path / "sealing.key", signing_key=tmp_path / "signing.key")
    SealingKeys.make(settings.sealing_key_path)
    with closing(open_auth_store(str(tmp_path / "house.db"))) as auth:
        check_identity(auth, settings)  # no process has started yet
        save_identity(auth, settings)
        SealingKeys.rotate(settings.sealing_key_path)
        check_identity(auth, settings)
        monkeypatch.setattr(shared_identity, "version", lambda _name: "9.9")
        with pytest.raises(InputError, match=r"; its version is .*, not 9\.9: install the same version"):
            check_identity(auth, settings)
