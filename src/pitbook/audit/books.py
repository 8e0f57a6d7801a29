"""The auditor's own reader of rulebooks: wagers, pay tables, limits, windows, envy, order of steps."""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.audit.conditions import Throws, winning_throws
from pitbook.audit.errors import CheckFailed
from pitbook.audit.odds import LOSE, Odds, read_odds

Choices = tuple[tuple[str, str], ...]
"""Readings or options by name, as pairs."""

DECIMALS = {
    **dict.fromkeys(
        ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV"), 0
    ),
    **dict.fromkeys(("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}
"""Currencies whose smallest unit is not a hundredth, by ISO 4217."""


@dataclass(frozen=True, slots=True)
class Wager:
    """One area of the layout."""

    id: str
    family: str
    group: str
    kind: str
    """pattern, collect, repeat or count."""
    wins: tuple[tuple[str, Throws], ...]
    """For a pattern: each row with the throws that reach it; the first match counts."""
    numbers: frozenset[int]
    times: int
    counts: str
    ladder: tuple[str, ...]
    """For a count: the row of each count; the last one also applies to higher counts."""
    loses_on: str
    after_win: str
    pays: dict[str | None, dict[str, Odds]]
    """By pay table, of which the first is the default, and row."""
    come_out_only: bool
    watches: tuple[str, ...]
    """The areas that must be clear when it is bet."""
    stake_min: int
    stake_max: int
    payoff_max: int | None
    envy: int
    """What the dealers receive if it wins: minor units, or so many times the stake."""
    envy_by_stake: bool
    labels: int | None
    """How many lammers there are to count with; the last one stays."""


@dataclass(frozen=True, slots=True)
class Entitled:
    """The roles that a clause lets act, after the book's rule on ranks."""

    roles: frozenset[str]
    words: str
    """The positions as the clause names them: "floorperson or above"."""
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round."""

    id: str
    act: str
    shaker: str | None
    at_least: int
    announce: str | None
    after: tuple[str, ...]
    who: Entitled
    directed_by: Entitled | None
    only_after: str | None
    """The irregularity without which the step is skipped."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity: who may call it, before whom, and its remedy."""

    remedy: str
    when: tuple[str, ...]
    until: str | None
    """The act of a round from which on it can no longer be called."""
    shaker: str | None
    equipment: str | None
    announce: str | None
    called_by: Entitled
    presence: Entitled | None


class Life(NamedTuple):
    """How long dice may be used in a shaker."""

    shaker: str
    length: int
    unit: str


@dataclass(frozen=True, slots=True)
class Point:
    """A requirement on an item."""

    clause: str
    shaker: str | None
    group: str | None
    approval: bool
    pays: bool
    """Whether it displays what is paid."""


@dataclass(frozen=True, slots=True)
class Item:
    """Equipment with the points to check."""

    kind: str
    shaker: str | None
    checklist: bool
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """An inspection."""

    equipment: str
    when: str
    shaker: str | None
    how: str
    times: int


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A book under the readings and options of a table."""

    id: str
    digest: str
    game: str
    dice: int
    currency: str
    at_least: bool
    """Whether the odds are a minimum, so that fractions of a minor unit go to the player."""
    wordings: tuple[str, ...]
    every: dict[str, Wager]
    offered: frozenset[str]
    roles: frozenset[str]
    staff: frozenset[str]
    """The roles that work at the table."""
    supervisors: frozenset[str]
    """The staff roles above the dealers."""
    steps: tuple[Step, ...]
    by_id: dict[str, Step]
    betting: Entitled
    """Who may make and change bets."""
    tipping: Entitled | None
    """Who may make bets for the dealers; None if nobody may."""
    inspections: dict[str, Entitled]
    """Who carries out each inspection."""
    checkers: Entitled | None
    """Who checks the equipment, if the book says so."""
    keepers: dict[str, Entitled]
    """Who may deal, by the shaker in use."""
    irregularities: dict[str, Irregularity]
    equipment: dict[str, str]
    """The kind of each item."""
    lives: tuple[Life, ...]
    answerable: dict[str, frozenset[str]]
    """Who answers for each shaker, if the book says so."""
    lowest: frozenset[str]
    """The roles of the lowest rank at the table."""
    put_away: tuple[str, ...]
    """How an automated shaker may be put away."""
    tips_together: bool
    """Whether tips share a wager's limits and its cap with the player's own bet."""
    repeats_aloud: bool
    """Whether a bet that was taken is repeated aloud before it counts as confirmed."""
    items: dict[str, Item]
    tests: dict[str, Test]
    clauses: frozenset[str]
    readings: frozenset[str]

    @property
    def craps(self) -> bool:
        return self.game == "craps"

    def step(self, act: str) -> Step | None:
        """Return the first step with an act."""
        return next((step for step in self.steps if step.act == act), None)

    def with_remedy(self, remedy: str) -> Irregularity | None:
        """Return the first irregularity with a remedy."""
        return next((rule for rule in self.irregularities.values() if rule.remedy == remedy), None)


Data = dict[str, Any]


class MissingBook(Exception):
    """The book of a table is missing, so that its entries cannot be replayed; they may still be right."""


class _Edition(NamedTuple):
    """A book's data, with that of the book it extends."""

    raw: Data
    base: Data | None = None
    text: str = ""
    """The SHA-256 of the text in the journal; empty if it comes from a file."""


class Shelf:
    """The books of one audit: the texts in the journal, then given files, then the packaged ones."""

    def __init__(self) -> None:
        self._editions: dict[str, _Edition] = {}
        self._read: dict[tuple[str, Choices, Choices], Book] = {}

    def keep_file(self, path: str) -> None:
        """Add a book from its file; it is used if a table names its digest."""
        edition = _from_file(path)
        self._editions.setdefault(book_digest(edition.raw), edition)

    def keep_text(self, digest: str, content: bytes) -> None:
        """Add a book from the journal; raise an error if the text does not have that digest."""
        try:
            data = json.loads(content.decode())
            edition = _Edition(data["book"], data["extends"], sha256(content).hexdigest())
            found = book_digest(edition.raw)
        except (ValueError, KeyError, TypeError) as error:
            raise CheckFailed(f"the text kept for the book {digest} cannot be read: {error}", about="book") from None
        if found != digest:
            raise CheckFailed(f"the text kept for the book {digest} has the digest {found}", about="book")
        self._editions[digest] = edition

    def book_of(self, name: str, digest: str, readings: Choices, options: Choices, text: str = "") -> Book:
        """Return the book that a setup names by its content; `text` is the SHA-256 recorded at the opening."""
        edition = self._editions.get(digest) or _find_edition(name, digest)
        if text and edition.text and edition.text != text:
            raise CheckFailed(
                f"the text of the book {name} in the journal is not the one that was recorded", about="book"
            )
        place = digest, readings, options
        if place not in self._read:
            self._read[place] = _under(edition, name, digest, readings, options)
        return self._read[place]


def _find_edition(name: str, digest: str) -> _Edition:
    """Return the packaged book, or the file of that name, if it has that digest."""
    try:
        edition = _from_file(name)
    except CheckFailed as fault:
        raise MissingBook(f"{fault} (its digest is {digest})") from None
    if (found := book_digest(edition.raw)) != digest:
        raise MissingBook(f"the book {name} here has the digest {found}, not {digest}; name its file with --book")
    return edition


def _under(edition: _Edition, name: str, digest: str, readings: Choices, options: Choices) -> Book:
    raw, base = edition.raw, edition.base
    house = dict(options)
    groups = house.pop("groups", "all") if raw.get("group") else "all"
    data = deepcopy(raw)
    for section, chosen in (("reading", dict(readings)), ("option", house)):
        for choice in chosen:
            if choice not in raw.get(section, {}):
                raise CheckFailed(f"the book {name} has no {section} {choice!r}", about="book")
        for key, entry in raw.get(section, {}).items():
            choice = chosen.get(key, entry["default"])
            if choice not in entry["choices"]:
                raise CheckFailed(f"the {section} {key!r} has no choice {choice!r}", about="book")
            for place, value in entry["choices"][choice].get("set", {}).items():
                if base is None or _same_at(place, raw, base):  # a licensee's pays apply under every reading
                    _set_value(data, place, value)
    return _read(data, digest, groups)


def _from_file(name: str) -> _Edition:
    packaged = resources.files("pitbook.books") / f"{name}.toml"
    if re.fullmatch(r"[a-z0-9-]+", name) and packaged.is_file():
        return _Edition(tomllib.loads(packaged.read_text(encoding="utf-8")))
    try:
        own = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckFailed(f"the book {name} is not here; name its file with --book", about="book") from None
    except (OSError, ValueError) as error:
        raise CheckFailed(f"the book {name} cannot be read: {error}", about="book") from None
    extends = own.get("book", {}).pop("extends", None)
    if extends is None:
        return _Edition(own)
    base = _from_file(str(extends)).raw
    # What a licensee states itself is no longer inferred.
    left = [key for key in base["book"].get("inferred", []) if key not in own["book"]]
    own["book"] = {"inferred": left, **own["book"]}
    return _Edition(_over(base, own), base)


def _over(base: Data, own: Data) -> Data:
    result = dict(base)
    for key, value in own.items():
        below = base.get(key)
        result[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def book_digest(raw: Data) -> str:
    """Return the SHA-256 of a book's content as sorted JSON without spaces."""
    text = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()


def _set_value(data: Any, key: str, value: Any) -> None:
    """Set the value at a dotted key; parts with dots are quoted, list items go by id or number."""
    parts = _parts(key)
    for part in parts[:-1]:
        data = data[_place(data, part)]
    data[_place(data, parts[-1])] = value


def _same_at(key: str, raw: Any, base: Any) -> bool:
    """Return whether the licensee's book equals the regulator's at this key."""
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
    ranks = _Ranks(data)
    steps = tuple(_step(step, ranks) for step in data["procedure"]["round"])
    taking = {step.id for step in steps if step.act == "take bets"}
    checking = next((step for step in data["procedure"].get("opening", ()) if step["id"] == CHECKING), None)
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
        roles=frozenset(ranks.ranks),
        staff=frozenset(ranks.staff),
        supervisors=frozenset(role for role, rank in ranks.staff.items() if rank > min(ranks.staff.values())),
        steps=steps,
        by_id={step.id: step for step in steps},
        betting=_bettors("take bets", data, ranks) or ranks.entitled([], []),
        tipping=_bettors("place tip", data, ranks),
        inspections={
            one["id"]: ranks.entitled(one["who"], one["clause"], or_above=one.get("or_above", False))
            for one in data.get("inspection", ())
        },
        checkers=ranks.entitled(checking["who"], checking["clause"]) if checking else None,
        keepers={shaker: _keepers(shaker, equipment, ranks) for shaker in ("manual", "automated")},
        irregularities={name: _irregularity(rule, ranks) for name, rule in data.get("irregularity", {}).items()},
        equipment={name: thing["kind"] for name, thing in equipment.items()},
        lives=tuple(
            Life(life["shaker"], life["length"], life["unit"])
            for thing in equipment.values()
            if thing["kind"] == "dice"
            for life in thing.get("life", [])
        ),
        answerable={
            thing["shaker"]: frozenset([thing["keeper"]] if isinstance(thing["keeper"], str) else thing["keeper"])
            for thing in equipment.values()
            if thing["kind"] == "shaker" and thing.get("keeper")
        },
        lowest=frozenset(role for role, rank in ranks.staff.items() if rank == min(ranks.staff.values())),
        put_away=tuple(
            how
            for rule in data.get("irregularity", {}).values()
            if rule["remedy"] == "replace equipment"
            for how in rule.get("put_away", [])
        ),
        tips_together=any(step.get("tip_limits") == "together" for step in data["procedure"]["round"]),
        repeats_aloud=any(step.act == "confirm bet" and taking.intersection(step.after) for step in steps),
        items={name: _item(thing) for name, thing in equipment.items()},
        tests={test["id"]: _test(test) for test in data.get("inspection", ())},
        clauses=frozenset(data.get("clauses", {})),
        readings=frozenset(data.get("reading", {})),
    )


CHECKING = "inspect-equipment"
"""The step before opening in which the equipment is checked, if a book has one."""


class _Ranks:
    """The positions of a book, and its rule on who may act in place of another."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.ranks: dict[str, int] = {name: role["rank"] for name, role in data.get("role", {}).items()}
        self.staff = {name: rank for name, rank in self.ranks.items() if rank > 0}
        self.clauses: dict[str, Any] = {name: role["clause"] for name, role in data.get("role", {}).items()}
        self._acting = data.get("ranks", {}).get("acting", "the position named")

    def entitled(self, named: list[str], clause: str | list[str], *, or_above: bool = False) -> Entitled:
        """Return the named roles, and the higher ones if the book or this clause lets them act."""
        roles = set(named)
        higher = self._acting == "any higher position" or (self._acting == "or above where stated" and or_above)
        ranks = [self.staff[name] for name in named if name in self.staff]
        if higher and ranks:
            roles |= {name for name, rank in self.staff.items() if rank > min(ranks)}
        words = " or ".join(named) + (" or above" if or_above else "")
        return Entitled(frozenset(roles), words, (clause,) if isinstance(clause, str) else tuple(clause))


def _step(step: dict[str, Any], ranks: _Ranks) -> Step:
    return Step(
        id=step["id"],
        act=step["act"],
        shaker=step.get("shaker"),
        at_least=step.get("at_least", 0),
        announce=step.get("announce"),
        after=tuple(step.get("after", ())),
        who=ranks.entitled(step["who"], step["clause"]),
        directed_by=ranks.entitled(step["directed_by"], step["clause"]) if step.get("directed_by") else None,
        only_after=step.get("only_after"),
    )


def _item(thing: dict[str, Any]) -> Item:
    points = tuple(
        Point(
            clause=str(point["clause"]),
            shaker=point.get("shaker"),
            group=point.get("group"),
            approval=point.get("approval", False),
            pays=point.get("displays") == "pays",
        )
        for point in thing.get("requires", ())
    )
    return Item(thing["kind"], thing.get("shaker"), thing.get("checklist", False), points)


def _test(test: dict[str, Any]) -> Test:
    return Test(
        equipment=test["equipment"],
        when=test["when"],
        shaker=test.get("shaker"),
        how=test["how"],
        times=test["times"],
    )


def _bettors(act: str, data: dict[str, Any], ranks: _Ranks) -> Entitled | None:
    """Return whom a step lets bet; a shooter bets like any player."""
    step = next((step for step in data["procedure"]["round"] if step["act"] == act), None)
    return ranks.entitled([*step["who"], "shooter"], step["clause"]) if step else None


def _irregularity(rule: dict[str, Any], ranks: _Ranks) -> Irregularity:
    above = rule.get("or_above", False)
    presence = rule.get("presence")
    return Irregularity(
        remedy=rule["remedy"],
        when=tuple(rule["when"]),
        until=rule.get("until"),
        shaker=rule.get("shaker"),
        equipment=rule.get("equipment"),
        announce=rule.get("announce"),
        called_by=ranks.entitled(rule["called_by"], rule["clause"], or_above=above),
        presence=ranks.entitled(presence, rule["clause"], or_above=above) if presence else None,
    )


def _keepers(shaker: str, equipment: dict[str, Any], ranks: _Ranks) -> Entitled:
    """Return whom the book makes answerable for the shaker, by default the lowest of the staff."""
    things = [thing for thing in equipment.values() if thing["kind"] == "shaker" and thing.get("shaker") == shaker]
    named: list[str] = []
    for thing in things:
        keeper = thing.get("keeper", [])
        named += [keeper] if isinstance(keeper, str) else keeper
    named = named or [name for name, rank in ranks.staff.items() if rank == min(ranks.staff.values())]
    clauses: list[str] = []
    for name in named:
        clause = ranks.clauses[name]
        clauses += [clause] if isinstance(clause, str) else clause
    return ranks.entitled(named, clauses)


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
        (row, winning_throws(words.replace("{number}", selection or "").replace("{faces}", faces), dice))
        for row, words in rows.items()
    )


def _ladder(rows: dict[str, str]) -> tuple[str, ...]:
    """Return the row of each count from 0 on, from spans like "0..2", "3" and "10.."."""
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
    """Return the odds of every row by pay table, from one text, a list by pay table, or names of selections or rows."""

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
