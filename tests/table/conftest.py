"""What the tests of tables share."""

from __future__ import annotations

import pytest

from pitbook.table.decide import setup


@pytest.fixture
def any_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a table open under a changed copy of a packaged book, as if it were the present edition."""
    monkeypatch.setattr(setup, "is_older_edition", lambda *_: False)
