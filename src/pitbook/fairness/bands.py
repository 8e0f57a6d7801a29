"""How far chance alone may move a sum of results with known distributions: a band that is valid at all times at once.

Before every throw the distribution of the next result is known exactly, and its mean is zero. For any factor f, the
product of exp(f x - log E exp(f X)) over the results is then a non-negative martingale that starts at one, and so is an
average of such products over fixed factors. By Ville's inequality that average ever reaches 1/level with a chance of at
most `level`. The band is the set of sums at which it has not: one may look and stop at any time, stakes may depend on
earlier results, and several bets on one throw are taken together, with their correlation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from pitbook.fairness.watch import check_level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LEVEL = 0.01
"""An upper bound on the chance that a fair game ever leaves its band."""
OCTAVES = 24
_POWERS = 2.0 ** (3 - np.arange(OCTAVES))
_FACTORS: Numbers = np.concatenate((_POWERS, -_POWERS))
"""The factors, for a first result of at most one: from eight down to a millionth, for either sign."""
_NOTHING: Numbers = np.zeros(2 * OCTAVES)
_LOG_COUNT = log(2 * OCTAVES)


@dataclass(frozen=True, slots=True, eq=False)
class Drift:
    """A sum of results, and what their distributions allow. Immutable."""

    total: float = 0.0
    """The sum of the results, less their means."""
    variance: float = 0.0
    """The sum of their variances."""
    results: int = 0
    scale: float = 0.0
    """The largest possible first result; it fixes the factors before anything is known."""
    cumulants: Numbers = field(default_factory=lambda: _NOTHING)
    """The sum of log E exp(f X) for each factor."""
    log_peak: float = 0.0
    """The maximum of the logarithm of the evidence so far."""

    def add_result(self, law: Numbers, chances: Numbers, result: float) -> Drift:
        """Return the drift after one more result, given its distribution around a mean of zero."""
        most = float(np.abs(law).max())
        if most == 0.0:
            return self
        scale = self.scale or most
        cumulants = self.cumulants + _cumulants(_FACTORS / scale, law, chances)
        variance = self.variance + float(chances @ (law * law))
        drift = Drift(self.total + result, variance, self.results + 1, scale, cumulants, self.log_peak)
        peak = max(self.log_peak, drift.log_evidence)
        return Drift(drift.total, variance, drift.results, scale, cumulants, peak)

    def correct_result(self, change: float) -> Drift:
        """Return the drift after a correction of a result with the same distribution."""
        drift = Drift(self.total + change, self.variance, self.results, self.scale, self.cumulants, self.log_peak)
        peak = max(self.log_peak, drift.log_evidence)
        return Drift(drift.total, self.variance, self.results, self.scale, self.cumulants, peak)

    @property
    def log_evidence(self) -> float:
        """The logarithm of the average product: how much likelier the sum is if the distributions are wrong."""
        return self._evidence_of(self.total)

    def _evidence_of(self, total: float) -> float:
        if not self.scale:
            return 0.0
        logs = _FACTORS / self.scale * total - self.cumulants
        greatest = float(logs.max())
        return greatest + log(float(np.exp(logs - greatest).sum())) - _LOG_COUNT

    def ever_left(self, level: float = LEVEL) -> bool:
        """Return whether the sum was ever outside its band."""
        return self.log_peak >= -log(check_level(level))

    def band(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the least and the greatest sum that are inside now."""
        threshold = -log(check_level(level))
        if not self.scale:
            return 0.0, 0.0
        return -self._edge(threshold, -1.0), self._edge(threshold, 1.0)

    def _edge(self, threshold: float, sign: float) -> float:
        """Return how far the band reaches to one side; the evidence is convex in the sum and zero at zero."""
        outside = self.scale
        while self._evidence_of(sign * outside) < threshold:
            outside *= 2
        inside = 0.0
        for _ in range(60):
            middle = (inside + outside) / 2
            if self._evidence_of(sign * middle) < threshold:
                inside = middle
            else:
                outside = middle
        return inside


def _cumulants(factors: Numbers, law: Numbers, chances: Numbers) -> Numbers:
    """Return log E exp(f X) for each factor."""
    powers = np.outer(factors, law)
    greatest = powers.max(axis=1)
    found: Numbers = greatest + np.log(np.exp(powers - greatest[:, None]) @ chances)
    return found


def evidence(logarithm: float) -> float:
    """Return an evidence as a plain number.

    >>> evidence(0.0)
    1.0
    """
    return exp(min(logarithm, 600.0))
