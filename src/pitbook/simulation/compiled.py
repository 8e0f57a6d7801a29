"""Machine code of the loops: compiled by Numba once, then loaded from a file without it.

Importing Numba takes longer than most simulations. The loops call nothing but themselves, so their machine code can be
stored and loaded by LLVM alone, in a few hundredths of a second. The file's name contains a fingerprint of the loops'
source, of the processor and of the versions of Python, Numba and LLVM. `PITBOOK_KERNELS` names another folder. If none
can be written, and on systems other than Linux, where this is untested, each process compiles for itself.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pitbook.errors import InputError
from pitbook.simulation.optional_dependencies import extras

if TYPE_CHECKING:
    from numpy.typing import NDArray

KERNELS = {
    "play_machine": ("i8", "i8", "u4", "u2", "i8", "i8", "i8", "i8", "u8", "u2", "u4", "i8"),
    "play_several": ("i8", "i8", "i4", "u2", "i8", "i8", "i8", "i8", "i8", "i8", "i8", "u8", "u2", "i8"),
    "throw": ("i8", "i8", "u8", "u2"),
    "play_nights": ("i8",) * 15 + ("u8", "u2"),
}
"""The arrays that each loop takes, after the seed and the first block."""
SOURCES = ("fields.py", "streams.py", "kernels.py", "nights.py")
_LOCK = Lock()


class Kernel:
    """A loop as machine code, which releases the GIL."""

    def __init__(self, name: str, address: int, keep: object) -> None:
        self.name = name
        self._kinds = tuple(np.dtype(kind) for kind in KERNELS[name])
        pointers = [ctypes.c_void_p] * len(self._kinds)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_int64, *pointers)(address)
        self._keep = keep
        """The owner of the code."""

    def __call__(self, seed: int, first: int, *arrays: NDArray[Any]) -> int:
        """Run the loop after checking the arrays: wrong ones would corrupt memory without an error."""
        for array, kind in zip(arrays, self._kinds, strict=True):
            if array.dtype != kind or not array.flags.c_contiguous:
                raise TypeError(f"{self.name} takes {kind} in one piece, not {array.dtype}")
        return int(self._call(seed, first, *(array.ctypes.data for array in arrays)))


def load_kernel(name: str) -> Kernel:
    """Return a loop, ready to run."""
    with _LOCK:
        return _kernel(name)


@cache
def _kernel(name: str) -> Kernel:
    with extras():
        file = _code_file(name)
        if file is not None:
            with suppress(OSError):
                stored = _read_trusted(file)
                if stored is not None:
                    return _load_code(name, stored)
        return _compile(name, file)


def _code_file(name: str) -> Path | None:
    """Return the file of the code for this processor and these versions, or None if it is not stored."""
    import llvmlite.binding as llvm

    try:
        versions = [version(library) for library in ("numba", "llvmlite")]
    except PackageNotFoundError as missing:
        raise InputError("simulation.no-library", library=missing.name) from None
    parts = [platform.python_version(), sys.platform, platform.machine(), *versions]
    parts += [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    found = hashlib.sha256("\n".join(parts).encode())
    for source in SOURCES:
        found.update(Path(__file__).with_name(source).read_bytes())
    folder = os.environ.get("PITBOOK_KERNELS")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - there may be no home
    place = Path(folder) if folder else Path(home, "pitbook", "kernels")
    if sys.platform != "linux":
        return None
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        return place / f"{name}-{found.hexdigest()[:32]}.bin"
    return None


def _read_trusted(file: Path) -> bytes | None:
    """Return the file's content if it is complete and nobody else could have written it: it will be executed."""
    with file.open("rb") as opened:
        status = os.fstat(opened.fileno())
        if status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o022:
            return None
        digest, content = opened.read(32), opened.read()
    return content if hashlib.sha256(content).digest() == digest else None


def _load_code(name: str, stored: bytes) -> Kernel:
    """Load stored code: the name of its entry, the names it mentions, the object file."""
    import llvmlite.binding as llvm

    entry, mentioned, code = stored.split(b"\0", 2)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    process = ctypes.CDLL(None)
    for symbol in mentioned.decode().split():
        # Numba's wrapper refers to functions that report exceptions. The loops raise none.
        found = getattr(process, symbol, None) or process.abort
        llvm.add_symbol(symbol, ctypes.cast(found, ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Kernel(name, engine.get_function_address(entry.decode()), (engine, machine))


def _compile(name: str, file: Path | None) -> Kernel:
    """Compile a loop, and store the code for the next process."""
    from numba import cfunc, from_dtype
    from numba.core import types

    from pitbook.simulation.kernels import ENTRIES

    pointer: Any = types.CPointer
    arrays = [pointer(from_dtype(np.dtype(kind))) for kind in KERNELS[name]]
    signature = types.int64(types.uint64, types.int64, *arrays)
    made: Any = cfunc(signature, error_model="numpy")(cast("Any", ENTRIES[name]))
    library = made._library
    if file is not None:
        with suppress(AttributeError, RuntimeError, OSError):
            _store_code(file, library, made.native_name)
    return Kernel(name, made.address, made)


def _store_code(file: Path, library: Any, entry: str) -> None:
    module = library._final_module
    named = [*module.functions, *module.global_variables]
    mentioned = [one.name for one in named if one.is_declaration and not one.name.startswith("llvm.")]
    mentioned += ["memset", "memcpy", "memmove"]  # the compiler's own
    code = library.codegen._tm.emit_object(module)
    content = b"\0".join([entry.encode(), " ".join(mentioned).encode(), code])
    handle, draft = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as opened:
        opened.write(hashlib.sha256(content).digest() + content)
    os.replace(draft, file)  # noqa: PTH105 - mkstemp gives a name
