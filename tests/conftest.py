"""What all tests share: quiet, repeatable property tests."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "pitbook", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.load_profile("pitbook")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files and registers anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files and registers are to be written anew."""
    return bool(request.config.getoption("--update"))
