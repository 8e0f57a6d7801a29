"""Kept machine code: loaded without Numba, the same as fresh, and never trusted blindly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitbook.errors import InputError
from pitbook.simulation import compiled

PROGRAM = """
import sys
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import load
from pitbook.simulation.bets import place_bets
bets = place_bets(load("dice-ology"), {"little-ones": Cents(500)}, hands=200_000, seed=7)
print("numba" in sys.modules, bets.run(0, bets.blocks).ends, "numba" in sys.modules)
"""


def results(folder: Path) -> tuple[str, bool]:
    """What its own process finds, and whether it had to compile."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PITBOOK_KERNELS": str(folder)},
    )
    before, ends, after = done.stdout.strip().split(" ", 1)[0], done.stdout[6:-6].strip(), done.stdout.split()[-1]
    assert before == "False"
    return ends, after == "True"


@pytest.mark.thorough
def test_the_second_process_loads_what_the_first_compiled_and_finds_the_same(tmp_path: Path) -> None:
    first, compiled_first = results(tmp_path)
    second, compiled_second = results(tmp_path)
    assert (compiled_first, compiled_second) == (True, False)
    assert first == second
    [path] = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert results(tmp_path) == (first, True)  # damaged: compiled and stored again
    assert results(tmp_path) == (first, False)


def test_a_file_that_others_may_write_is_not_run(tmp_path: Path) -> None:
    file = tmp_path / "kernel.bin"
    file.write_bytes(b"\0" * 64)
    file.chmod(0o622)
    assert compiled._read_trusted(file) is None


def test_a_missing_extra_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled._kernel.cache_clear()
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    with pytest.raises(InputError, match=r"this needs llvmlite, which is missing; install pitbook\[simulate\]"):
        compiled.load_kernel("throw")


def test_arrays_of_another_kind_are_refused() -> None:
    import numpy as np

    with pytest.raises(TypeError, match="throw takes int64"):
        compiled.load_kernel("throw")(1, 0, *(np.zeros(4, np.float64) for _ in range(4)))
