"""A demo house with a real process, for all who attack it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.whole.conftest import make_premises
from tests.server.whole.premises import Premises

__all__ = ["make_premises"]


@pytest.fixture(scope="module")
def fort(request: pytest.FixtureRequest, make_premises: Callable[..., Premises]) -> Iterator[Premises]:
    """It is open; after a module's attacks it still lives, has logged no error, and its record is right."""
    premises = make_premises()
    premises.start(**getattr(request.module, "SETTINGS", {}))
    yield premises
    assert premises.process.process.poll() is None
    assert premises.process.stop() == 0
    for process in premises.started:
        assert not [line for line in process.said if line["level"] == "error"]
    premises.audited()
