"""Write results of nights as Parquet files. Needs the extra `export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pitbook.errors import InputError
from pitbook.simulation.optional_dependencies import extras

if TYPE_CHECKING:
    from pathlib import Path

    from pitbook.simulation.night_result import NightResult
    from pitbook.simulation.seating import Night


SHEETS = ("players", "house", "ends")
"""The files that are written, with the extension .parquet."""


def write_parquet(folder: Path, night: Night, evening: NightResult) -> None:
    """Write players.parquet, house.parquet and ends.parquet; money in minor units."""
    with extras():
        import pyarrow as pa
        import pyarrow.parquet as pq
    nights, players = evening.nets.shape
    hours = night.whole_hours
    groups = pa.DictionaryArray.from_arrays(np.tile(night.group_of, nights).astype(np.int32), list(night.groups))
    tables = {
        "players": {
            "night": np.repeat(evening.numbers, players),
            "player": np.tile(np.arange(players), nights),
            "group": groups,
            "bankroll": np.tile(night.money, nights),
            "net": evening.nets.reshape(-1),
            "staked": evening.staked.reshape(-1),
            "ruined_before_roll": pa.array(evening.ruined.reshape(-1), mask=evening.ruined.reshape(-1) < 0),
        },
        "house": {
            "night": np.repeat(evening.numbers, hours),
            "hour": np.tile(np.arange(1, hours + 1), nights),
            "win": evening.hourly.reshape(-1),
            "staked": evening.handle.reshape(-1),
        },
        "ends": {
            "wager": [wager for wager, _ in night.rows],
            "row": [row for _, row in night.rows],
            "count": evening.ends,
        },
    }
    metadata = {"book": night.book, "seed": str(night.seed), "currency": night.currency}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, columns in tables.items():
            table = pa.table(columns).replace_schema_metadata(metadata)
            pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
    except OSError as error:
        raise InputError("simulation.folder-not-written", folder=folder, reason=error.strerror or error) from None
