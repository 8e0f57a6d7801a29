"""Example scenarios for any book, from its own wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager

ROLLS_PER_HOUR = {"craps": 100}
ROUNDS_PER_HOUR = 60
"""For games other than craps: a round is one throw."""


def example_scenarios(rules: Rulebook) -> dict[str, dict[str, Any]]:
    """Return `quiet`, a few players with even bets; `doubling`, who chase; `full`, a busy night."""
    alone = [wager for wager in rules.wagers.values() if _opens_alone(wager)]
    wagers = sorted(alone or rules.wagers.values(), key=_greatest_gain)
    likely, other, unlikely = wagers[0], wagers[min(1, len(wagers) - 1)], wagers[-1]
    stake, greatest = _stake(likely), _greatest(likely)
    pace = ROLLS_PER_HOUR.get(rules.identity.game, ROUNDS_PER_HOUR)

    def night(nights: int, tables: int, players: list[dict[str, Any]]) -> dict[str, Any]:
        night = {"nights": nights, "hours": 8, "rolls_per_hour": pace, "tables": tables}
        return {"book": rules.id, "seed": 7, **night, "players": players}

    def players(name: str, count: int, bankroll: int, *bets: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"name": name, "count": count, "bankroll": bankroll, **more, "bets": list(bets)}

    steady = {"wager": likely.id, "stake": stake}
    second = {"wager": other.id, "stake": _stake(other)}
    dream = {"wager": unlikely.id, "plan": "until won", "stake": _stake(unlikely)}
    doubling = {
        "wager": likely.id,
        "plan": "progression",
        "stake": stake,
        "factor": 2,
        "limit": min(stake * 16, greatest),
    }
    varied = {"wager": likely.id, "plan": "list", "stakes": [min(stake * times, greatest) for times in (1, 2, 3)]}
    return {
        "quiet": night(500, 1, [players("steady", 6, stake * 100, steady)]),
        "doubling": night(
            500,
            1,
            [
                players("steady", 4, stake * 60, steady),
                players("doubling", 4, stake * 60, doubling, stop_loss=stake * 50, stop_win=stake * 60),
            ],
        ),
        "full": night(
            200,
            8,
            [
                players("steady", 40, stake * 100, *([steady, second] if other is not likely else [steady])),
                players("doubling", 16, stake * 60, doubling, stop_win=stake * 100),
                players("varied", 16, stake * 80, varied),
                players("dreamers", 8, stake * 40, dream),
            ],
        ),
    }


def _opens_alone(wager: Wager) -> bool:
    """Return whether its window does not depend on other areas."""
    return wager.window is None or wager.window.clear in ("none", "own")


def _greatest_gain(wager: Wager) -> Fraction:
    """Return the greatest gain; what pays least wins most often."""
    return max(odds.gain for odds in next(iter(wager.pays.values())).values())


def _greatest(wager: Wager) -> int:
    return wager.limits.stake_max if wager.limits and wager.limits.stake_max else 1_000_000


def _stake(wager: Wager) -> int:
    """Return five units, or the nearest that the text allows."""
    least = wager.limits.stake_min if wager.limits and wager.limits.stake_min else 1
    return max(least, min(5, _greatest(wager)))
