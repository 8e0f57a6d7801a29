"""The auditor's own reading of the rulebooks' files: wagers, pay tables, limits, windows, envy, order of steps."""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from pitbook.audit.conditions import Throws, throws_of
from pitbook.audit.faults import Fault
from pitbook.audit.odds import LOSE, Odds, read_odds

Choices = tuple[tuple[str, str], ...]
"""Readings or options by name, as pairs."""

DECIMALS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "KWD": 3, "BHD": 3, "JOD": 3}
"""Currencies whose smallest unit is not a hundredth."""


@dataclass(frozen=True, slots=True)
class Wager:
    """One area of the layout."""

    id: str
    family: str
    group: str
    kind: str
    """pattern, collect, repeat or count."""
    wins: tuple[tuple[str, Throws], ...]
    """Of a pattern: each row with the throws that reach it, the first that fits."""
    numbers: frozenset[int]
    times: int
    counts: str
    ladder: tuple[str, ...]
    """Of a count: the row of each count; the last one holds for higher counts too."""
    loses_on: str
    after_win: str
    pays: dict[str | None, dict[str, Odds]]
    """By pay table, the first of which holds unless the house says otherwise, and row."""
    come_out_only: bool
    watches: tuple[str, ...]
    """The areas that must be clear when it is bet."""
    stake_min: int
    stake_max: int
    payoff_max: int | None
    envy: int
    """What the dealers get if it wins: minor units, or so many times the stake."""
    envy_by_stake: bool
    labels: int | None
    """How many lammers there are to count with; the last one stays."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round."""

    id: str
    act: str
    shaker: str | None
    at_least: int
    announce: str | None
    after: tuple[str, ...]
    directed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A book under the readings and options of a table."""

    id: str
    digest: str
    game: str
    dice: int
    currency: str
    at_least: bool
    """Whether the odds are a minimum, so that parts of a minor unit go to the player."""
    wordings: tuple[str, ...]
    every: dict[str, Wager]
    offered: frozenset[str]
    steps: tuple[Step, ...]
    remedies: dict[str, str]
    failing: dict[str, str]
    """The equipment that an irregularity is about, by irregularity."""
    equipment: dict[str, str]
    """What kind of thing each is."""
    clauses: frozenset[str]

    @property
    def craps(self) -> bool:
        return self.game == "craps"


@lru_cache(maxsize=256)
def book_of(name: str, digest: str, readings: Choices, options: Choices) -> Book:
    """The book that a set-up names. Its content must be the one that was recorded."""
    raw = _SHELF.get(digest) or _raw(name)
    found = digest_of(raw)
    if found != digest:
        raise Fault(
            f"the book {name} at hand is not the one recorded: its digest is {found}, not {digest}", about="book"
        )
    base = _BASES.get(digest)
    house = dict(options)
    groups = house.pop("groups", "all") if raw.get("group") else "all"
    data = deepcopy(raw)
    for section, chosen in (("reading", dict(readings)), ("option", house)):
        for choice in chosen:
            if choice not in raw.get(section, {}):
                raise Fault(f"the book {name} has no {section} {choice!r}", about="book")
        for key, entry in raw.get(section, {}).items():
            choice = chosen.get(key, entry["default"])
            if choice not in entry["choices"]:
                raise Fault(f"the {section} {key!r} has no choice {choice!r}", about="book")
            for place, value in entry["choices"][choice].get("set", {}).items():
                if base is None or _same_at(place, raw, base):  # what a licensee pays holds under every reading
                    _put(data, place, value)
    return _read(data, digest, groups)


_SHELF: dict[str, dict[str, Any]] = {}
"""Books that were handed in, by the digest of their content."""


_BASES: dict[str, dict[str, Any]] = {}
"""What a licensee's book extends, by the digest of the two together."""


def keep(raw: dict[str, Any]) -> None:
    """Takes in a licensee's own book; it is used where a table names its digest."""
    _SHELF[digest_of(raw)] = raw


def keep_file(path: str) -> None:
    """The same from its file."""
    keep(_raw(path))


@lru_cache(maxsize=16)
def _raw(name: str) -> dict[str, Any]:
    packaged = resources.files("pitbook.books") / f"{name}.toml"
    if re.fullmatch(r"[a-z0-9-]+", name) and packaged.is_file():
        return tomllib.loads(packaged.read_text(encoding="utf-8"))
    try:
        own = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Fault(f"the book {name} is not here; name its file with --book", about="book") from None
    except (OSError, ValueError) as error:
        raise Fault(f"the book {name} cannot be read: {error}", about="book") from None
    extends = own.get("book", {}).pop("extends", None)
    if extends is None:
        return own
    base = _raw(str(extends))
    # What a licensee states itself is no longer inferred.
    left = [key for key in base["book"].get("inferred", []) if key not in own["book"]]
    own["book"] = {"inferred": left, **own["book"]}
    both = _over(base, own)
    _BASES[digest_of(both)] = base
    return both


def _over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in own.items():
        below = base.get(key)
        result[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def digest_of(raw: dict[str, Any]) -> str:
    """SHA-256 over a book's content as sorted JSON without spaces."""
    text = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()


def _put(data: Any, key: str, value: Any) -> None:
    """Sets the value at a dotted key; parts with dots stand in quotation marks, list items go by id or number."""
    parts = _parts(key)
    for part in parts[:-1]:
        data = data[_place(data, part)]
    data[_place(data, parts[-1])] = value


def _same_at(key: str, raw: Any, base: Any) -> bool:
    """Whether the licensee's book says at this key what the regulator's says."""
    try:
        for part in _parts(key):
            raw, base = raw[_place(raw, part)], base[_place(base, part)]
    except (KeyError, TypeError, IndexError, ValueError):
        return False
    return bool(raw == base)


def _parts(key: str) -> list[str]:
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]+)"|([^."]+)', key)]


def _place(holder: Any, part: str) -> Any:
    if isinstance(holder, list):
        ids = [item.get("id") if isinstance(item, dict) else None for item in holder]
        return ids.index(part) if part in ids else int(part)
    return part


def _read(data: dict[str, Any], digest: str, groups: str) -> Book:
    identity = data["book"]
    unit = 10 ** DECIMALS.get(identity["currency"], 2)
    equipment = data.get("equipment", {})
    every = {
        wager.id: wager
        for family, text in data["wager"].items()
        for wager in _wagers(family, text, data.get("group", {}), identity["dice"], unit, equipment)
    }
    wanted = [name.strip() for name in groups.split(",")]
    left_out = data.get("offer", {}).get("leaves_out", [])
    offered = frozenset(
        wager.id
        for wager in every.values()
        if (groups == "all" or not wager.group or wager.group in wanted)
        and wager.id not in left_out
        and wager.family not in left_out
    )
    irregularities = data.get("irregularity", {})
    return Book(
        id=identity["id"],
        digest=digest,
        game=identity["game"],
        dice=identity["dice"],
        currency=identity["currency"],
        at_least=data["odds"]["basis"] == "minimum",
        wordings=tuple(data["odds"]["wording"]),
        every=every,
        offered=offered,
        steps=tuple(_step(step) for step in data["procedure"]["round"]),
        remedies={name: rule["remedy"] for name, rule in irregularities.items()},
        failing={name: rule["equipment"] for name, rule in irregularities.items() if "equipment" in rule},
        equipment={name: thing["kind"] for name, thing in equipment.items()},
        clauses=frozenset(data.get("clauses", {})),
    )


def _step(step: dict[str, Any]) -> Step:
    return Step(
        id=step["id"],
        act=step["act"],
        shaker=step.get("shaker"),
        at_least=step.get("at_least", 0),
        announce=step.get("announce"),
        after=tuple(step.get("after", ())),
        directed=bool(step.get("directed_by")),
    )


def _wagers(
    family: str, text: dict[str, Any], groups: dict[str, Any], dice: int, unit: int, equipment: dict[str, Any]
) -> list[Wager]:
    kind = text.get("family", "pattern")
    group = text.get("group", "")
    tables = tuple(groups[group].get("paytables", ())) if group else ()
    selections = tuple(text.get("repeats", ())) or tuple(text.get("selections", ()))
    limits, envy = text.get("limits", {}), text.get("envy", {})
    window = text.get("window", {"rolls": "any roll", "clear": "none"})
    ladder = _ladder(text.get("rows", {})) if kind == "count" else ()
    found = []
    for selection in selections or (None,):
        own = f"{family}/{selection}" if selection else family
        wins = _wins(text["wins"], selection, dice) if kind == "pattern" else ()
        rows = tuple(dict.fromkeys(ladder)) if kind == "count" else tuple(row for row, _ in wins) or ("win",)
        repeats = text["repeats"][selection] if kind == "repeat" else {}
        clear = window.get("clear", "own")
        watches = {"own": (own,), "none": ()}.get(clear) if isinstance(clear, str) else tuple(clear)
        found.append(
            Wager(
                id=own,
                family=family,
                group=group,
                kind=kind,
                wins=wins,
                numbers=frozenset(repeats.get("numbers", text.get("collects", ()))),
                times=repeats.get("times", 0),
                counts=text.get("counts", ""),
                ladder=ladder,
                loses_on=text.get("loses_on", ""),
                after_win=text.get("after_win", "wait for a seven"),
                pays=_pays(text["pays"], tables, selection, selections, rows, lost=kind != "count"),
                come_out_only=window["rolls"] == "come-out",
                watches=watches or (),
                stake_min=limits.get("stake_min", 0) * unit or 1,
                stake_max=limits.get("stake_max", 0) * unit or 10**14,
                payoff_max=limits["payoff_max"] * unit if "payoff_max" in limits else None,
                envy=_envy(envy, selection or family, unit),
                envy_by_stake=envy.get("unit") == "multiple of the wager",
                labels=equipment.get(f"{family}-lammers", {}).get("count"),
            )
        )
    return found


def _envy(envy: dict[str, Any], name: str, unit: int) -> int:
    pays = int(envy.get("pays", {}).get(name, 0))
    return pays if envy.get("unit") == "multiple of the wager" else pays * unit


def _wins(text: str | dict[str, str], selection: str | None, dice: int) -> tuple[tuple[str, Throws], ...]:
    rows = {"win": text} if isinstance(text, str) else text
    faces = " ".join(re.findall(r"\d", selection or ""))
    return tuple(
        (row, throws_of(words.replace("{number}", selection or "").replace("{faces}", faces), dice))
        for row, words in rows.items()
    )


def _ladder(rows: dict[str, str]) -> tuple[str, ...]:
    """The row of each count from 0 on, from spans like "0..2", "3" and "10.."."""
    steps: dict[int, str] = {}
    for row, span in rows.items():
        low, dots, high = span.partition("..")
        first = int(low or 0)
        for count in range(first, (int(high) if high else first) + 1):
            steps[count] = row
        if not dots:
            steps[first] = row
    return tuple(steps[count] for count in range(len(steps)))


def _pays(
    text: Any,
    tables: tuple[str, ...],
    selection: str | None,
    selections: tuple[str, ...],
    rows: tuple[str, ...],
    *,
    lost: bool,
) -> dict[str | None, dict[str, Odds]]:
    """The odds of every row by pay table, out of one text, a list by pay table, or names of selections or rows."""

    def look_up(value: Any, table: str | None, row: str) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return look_up(value[tables.index(str(table))], table, row)
        keys = set(value)
        name = table if keys <= set(tables) else selection if keys <= set(selections) else row
        return look_up(value[name], table, row)

    found: dict[str | None, dict[str, Odds]] = {}
    for table in tables or (None,):
        found[table] = {row: read_odds(look_up(text, table, row)) for row in rows}
        if lost:
            found[table]["lose"] = LOSE
    return found
