"""Handlers of commands, replaced so that the auditor has something to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pitbook.table.commands import Command
from pitbook.table.decide import HANDLERS
from pitbook.table.decide.draft import Draft


def replace_handler(
    monkeypatch: pytest.MonkeyPatch, command: type[Command], handler: Callable[[Draft, Any], None]
) -> None:
    """Handle a command in another way for the rest of the test."""
    monkeypatch.setitem(HANDLERS, command, handler)
