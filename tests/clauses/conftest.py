"""The rulebook under test."""

from __future__ import annotations

import pytest

from tests.clauses.copies import Copy


@pytest.fixture
def copy(request: pytest.FixtureRequest) -> Copy:
    """Return the packaged book named by the test's mark."""
    return Copy.packaged(request.function.holds[0])
