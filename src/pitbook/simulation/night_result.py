"""Results of simulated nights by player and by hour; results of parts add up to the whole."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

BY_NIGHT = ("numbers", "nets", "staked", "ruined", "hourly", "handle", "fan")


@dataclass(frozen=True, eq=False)
class NightResult:
    """Results of nights, in minor units."""

    numbers: Numbers
    """[night] -> which night of the run it is."""
    nets: Numbers
    """[night, player] -> the player's gain."""
    staked: Numbers
    """[night, player] -> all stakes of the player."""
    ruined: Numbers
    """[night, player] -> before which roll the player could not pay any bet; -1 for never."""
    hourly: Numbers
    """[night, hour] -> the house's win, less the dealers' envy."""
    handle: Numbers
    """[night, hour] -> the stakes."""
    fan: Numbers
    """[night, followed player, sample] -> money and running stakes."""
    ends: Numbers
    """How often each end came."""
    bets: Numbers
    largest: Numbers
    """The largest single payout."""
    envy: Numbers
    """The amount that the dealers received."""
    rolls: Numbers

    @classmethod
    def none(cls, players: int, hours: int, followed: int, samples: int, ends: int) -> NightResult:
        """Return an empty result."""

        def zeros(*shape: int) -> Numbers:
            return np.zeros(shape, np.int64)

        return cls(
            numbers=zeros(0),
            nets=zeros(0, players),
            staked=zeros(0, players),
            ruined=zeros(0, players),
            hourly=zeros(0, hours),
            handle=zeros(0, hours),
            fan=zeros(0, followed, samples),
            ends=zeros(ends),
            bets=zeros(1),
            largest=zeros(1),
            envy=zeros(1),
            rolls=zeros(1),
        )

    @property
    def nights(self) -> int:
        """The number of nights."""
        return len(self.numbers)

    def __add__(self, other: NightResult) -> NightResult:
        found = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in BY_NIGHT}
        found["largest"] = np.maximum(self.largest, other.largest)
        found |= {name: getattr(self, name) + getattr(other, name) for name in ("ends", "bets", "envy", "rolls")}
        return NightResult(**found)

    def in_order(self) -> NightResult:
        """Return the nights in order."""
        order = np.argsort(self.numbers, kind="stable")
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return NightResult(**{name: array[order] if name in BY_NIGHT else array for name, array in found.items()})

    def as_arrays(self) -> dict[str, Numbers]:
        """Return the arrays of a checkpoint."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
