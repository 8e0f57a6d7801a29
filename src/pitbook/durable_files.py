"""Files that are on disk before a call returns, so that a power failure does not lose them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_durably(source: Path, target: Path) -> None:
    """Sync a file, then rename it to its target atomically and sync the folder."""
    with source.open("rb") as file:
        os.fsync(file.fileno())
    source.replace(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder after a file in it was created or renamed."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # not every file system lets a folder be opened
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
