"""A demo house with a real process as the target of attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.whole.conftest import make_deployment
from tests.server.whole.deployment import Deployment

__all__ = ["make_deployment"]


@pytest.fixture(scope="module")
def target_house(request: pytest.FixtureRequest, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """Start a demo house; after the module it must still run, without logged errors and with a valid record."""
    deployment = make_deployment()
    deployment.start(**getattr(request.module, "SETTINGS", {}))
    yield deployment
    assert deployment.process.process.poll() is None
    assert deployment.process.stop() == 0
    for process in deployment.started:
        assert not [line for line in process.log_lines if line["level"] == "error"]
    deployment.audited()
