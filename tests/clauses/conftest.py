"""The book that a clause test is about."""

from __future__ import annotations

import pytest

from tests.clauses.copies import Copy


@pytest.fixture
def copy(request: pytest.FixtureRequest) -> Copy:
    """The packaged book named by the test's mark."""
    return Copy.packaged(request.function.holds[0])
