"""Health of the tumbler: known-answer tests of its algorithms, and checks of the seeds that it gets.

There are no statistical tests of the dice or of HMAC's output. HMAC-SHA256 looks random for any distinct seeds, even
for 1, 2, 3, …, so such a test would pass after the entropy source has failed. What can fail is that source, and what
can be detected is a repeated or trivial seed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitbook.tumbler.mapping import SEED_BYTES, commitment, throw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

REMEMBERED = 1_000
"""The number of earlier seeds that a new one is compared with."""


class Unhealthy(Exception):
    """The tumbler must not throw; the message says why, in one line. The table closes."""


class Seeds:
    """Fresh seeds from an entropy source. After a failure no more seeds are drawn until a restart."""

    def __init__(self, source: Callable[[int], bytes] = os.urandom, earlier: Iterable[str] = ()) -> None:
        """Start with `earlier` commitments from the record: a machine restored to an old state repeats its seeds."""
        self._source = source
        # Commitments instead of seeds, so that no seed stays in memory.
        self._last: deque[str] = deque(earlier, maxlen=REMEMBERED)
        self._known = set(self._last)
        self._failure: str | None = None
        self._lock = Lock()

    def draw(self) -> bytes:
        """Return a seed that differs from the last ones, or raise `Unhealthy`."""
        with self._lock:
            if self._failure is None:
                seed = self._fresh()
                if self._failure is None:
                    return seed
            raise Unhealthy(self._failure)

    def _fresh(self) -> bytes:
        try:
            seed = self._source(SEED_BYTES)
        except Exception as error:  # whatever the cause, there is no seed
            self._failure = f"the source of entropy failed: {type(error).__name__}"
            return b""
        if len(seed) != SEED_BYTES:
            self._failure = f"the source of entropy gave {len(seed)} bytes for a seed instead of {SEED_BYTES}"
        elif len(set(seed)) == 1:
            self._failure = "the source of entropy gave a seed of one repeated byte"
        else:
            self._remember(commitment(seed))
        return seed

    def _remember(self, mark: str) -> None:
        if self._last and mark == self._last[-1]:
            self._failure = "the source of entropy gave the same seed twice in a row"
        elif mark in self._known:
            self._failure = f"the source of entropy gave a seed again that was among the last {REMEMBERED:,}"
        else:
            if len(self._last) == REMEMBERED:
                self._known.discard(self._last[0])
            self._last.append(mark)
            self._known.add(mark)


def self_test() -> None:
    """Test all algorithms that a round depends on against known answers, or raise `Unhealthy`."""
    for name, test in TESTS.items():
        if not test():
            raise Unhealthy(f"{name} does not give its known answer")


def _sha256() -> bool:
    """Test the one-block and two-block examples of FIPS 180-4."""
    return (
        hashlib.sha256(b"abc").hexdigest() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        and hashlib.sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hexdigest()
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    )


def _hmac() -> bool:
    """Test RFC 4231, cases 1 (a short key), 2 (a short text) and 6 (a key longer than a block)."""
    cases = (
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    )
    return all(hmac.digest(key, text, "sha256").hex() == answer for key, text, answer in cases)


def _mapping() -> bool:
    """Test a seed with known dice; the second throw needs more than one block."""
    seed = bytes(range(32))
    return (
        commitment(seed) == "d2d07dbade4383e2d15a2702703807ab88470a6279e2c88eef2425a37e9903da"
        and throw(seed, table="t1", round=1, close="00" * 32, nonces=(), dice=3) == (3, 2, 3)
        and throw(seed, table="t1", round=2, close="ff" * 32, nonces=("b", "a"), dice=40)
        == tuple(map(int, "5621132644166412625362566444243656566625"))
    )


def _aes_gcm() -> bool:
    """Test McGrew and Viega's case 16 for AES-256, and that an altered tag is refused."""
    key = bytes.fromhex("feffe9928665731c6d6a8f9467308308" * 2)
    nonce = bytes.fromhex("cafebabefacedbaddecaf888")
    plain = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    bound = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    sealed = bytes.fromhex(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        "76fc6ece0f4e1768cddf8853bb2d551b"
    )
    cipher = AESGCM(key)
    try:
        cipher.decrypt(nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), bound)
    except InvalidTag:
        return cipher.encrypt(nonce, plain, bound) == sealed and cipher.decrypt(nonce, sealed, bound) == plain
    return False


TESTS: dict[str, Callable[[], bool]] = {
    "SHA-256": _sha256,
    "HMAC-SHA256": _hmac,
    "the mapping from seed to dice": _mapping,
    "AES-256-GCM": _aes_gcm,
}
"""The tests by the names used in messages."""
