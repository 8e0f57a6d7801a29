"""Checkpoints of a run: the finished blocks and their result."""

from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING

import numpy as np

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pitbook.simulation.work import R, Span, Work

FORMAT = "pitbook simulation checkpoint 1"


def write_checkpoint(path: Path, work: Work[R], done: Sequence[Span], result: R) -> None:
    """Write a checkpoint atomically."""
    head = json.dumps({"format": FORMAT, "identity": work.identity, "done": done})
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, head=np.array(head), **result.as_arrays())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError("simulation.checkpoint-not-written", file=path, reason=error.strerror or error) from None


def read_checkpoint(path: Path, work: Work[R]) -> tuple[list[Span], R]:
    """Return the finished blocks and their result; nothing if there is no such file yet."""
    if not path.exists():
        return [], work.empty
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        head = json.loads(str(arrays.pop("head")))
        if head["format"] != FORMAT:
            raise ValueError
        identity, done = head["identity"], [(int(first), int(count)) for first, count in head["done"]]
        result = work.restored(arrays) if identity == work.identity else work.empty
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile):
        raise InputError("simulation.not-a-checkpoint", file=path) from None
    if identity != work.identity:
        raise InputError("simulation.other-run", file=path)
    return done, result
