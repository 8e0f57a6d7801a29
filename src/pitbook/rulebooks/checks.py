"""Consistency checks across the parts of a book."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from pitbook.dice import rolls
from pitbook.errors import InputError, bracketed, quoted, suggestion
from pitbook.rulebooks.errors import problem, solution
from pitbook.rulebooks.patches import get_key, join_key, split_key
from pitbook.rulebooks.text import (
    Clause,
    Equipment,
    Forbids,
    Group,
    HandText,
    Identity,
    Inspection,
    Irregularity,
    Layout,
    OddsRule,
    Option,
    Procedure,
    Reading,
    Role,
    WagerText,
)
from pitbook.rulebooks.wagers import FIXED_ROWS, LOSE_ROW, WIN_ROW, Pattern, Phases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.messages import Message
    from pitbook.rulebooks.patches import Raw
    from pitbook.rulebooks.sections import Parts
    from pitbook.rulebooks.text import Block
    from pitbook.rulebooks.wagers import Wager


CHOICES_MAX = 100
"""Readings, or house options; the packaged book with most has 21."""
_WORD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check(parts: Parts, wagers: Mapping[str, Wager], raw: Raw, base: Raw | None = None) -> None:
    """Report every inconsistency between the parts of a book.

    The register and the choices of a book that extends another are the other's, and name its keys.
    """
    _clause_references(parts, raw)
    _register(parts, base or raw)
    _choices(parts, base or raw)
    _check_changed_once(parts)
    _people(parts)
    _procedure(parts, wagers)
    _check_equipment(parts)
    _layout(parts, wagers)
    _pays(parts, wagers)
    _rows_apart(parts, wagers)
    _windows(parts, wagers)
    _grounds(parts)
    _names(parts)
    identity = parts.one("book", Identity)
    for name in identity.inferred if identity else []:
        if name not in Identity.model_fields:
            wrong = problem("not-a-fact", name=quoted(name))
            parts.problem("book.inferred", wrong, suggestion(name, Identity.model_fields))


def _clause_references(parts: Parts, raw: Raw) -> None:
    register = raw.get("clauses")
    if not isinstance(register, dict):
        return
    named = list(_named_clauses({k: v for k, v in raw.items() if k not in ("clauses", "forbids")}, ""))
    forbids = raw.get("forbids")
    for name, value in forbids.items() if isinstance(forbids, dict) else ():
        named += [(f"forbids.{name}", leaf) for leaf in _leaves(value)]
    for key, clause in named:
        if clause not in register:
            right = _in_quotation_marks(clause, register) or suggestion(clause, register)
            parts.problem(key, problem("no-clause", clause=quoted(clause)), right)


def _in_quotation_marks(clause: str, register: Raw) -> Message | None:
    """Return advice on `3.1 = …`, which in TOML is an entry 1 of a table 3."""
    found: Any = register
    for part in clause.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return solution("quote-number", clause=clause) if found is not None else None


def _named_clauses(data: Any, key: str) -> Iterable[tuple[str, str]]:
    if isinstance(data, dict):
        for name, value in data.items():
            place = f"{key}.{name}" if key else name
            if name in {"clause", "clause_of"} or name.endswith("_clause"):
                yield from ((place, leaf) for leaf in _leaves(value))
            else:
                yield from _named_clauses(value, place)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            name = item.get("id", index) if isinstance(item, dict) else index
            yield from _named_clauses(item, f"{key}.{name}")


def _leaves(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)


def _register(parts: Parts, raw: Raw) -> None:
    for number, clause in parts.all("clauses", Clause).items():
        key = join_key(["clauses", number])
        if clause.kind == "modelled" and not clause.by:
            parts.problem(f"{key}.by", problem("empty"), solution("keys-of-clause"))
        if clause.kind != "modelled" and clause.by:
            parts.problem(key, problem("clause-with-keys", kind=clause.kind), solution("leave-out-key", key="by"))
        for datum in clause.by:
            try:
                get_key(raw, datum)
            except InputError as mistake:
                parts.problem(f"{key}.by", mistake.message, solution("key-of-book"))


def _choices(parts: Parts, raw: Raw) -> None:
    readings: Mapping[str, Reading | Option] = parts.all("reading", Reading)
    options: Mapping[str, Reading | Option] = parts.all("option", Option)
    for section, entries in (("reading", readings), ("option", options)):
        if len(entries) > CHOICES_MAX:
            parts.problem(section, problem("so-many", count=len(entries)), solution("choices-max", count=CHOICES_MAX))
        for name, entry in entries.items():
            if entry.default not in entry.choices:
                wrong = problem("no-choice", choice=quoted(entry.default))
                parts.problem(f"{section}.{name}.default", wrong, suggestion(entry.default, entry.choices))
            if sum(choice.as_printed for choice in entry.choices.values()) > 1:
                parts.problem(f"{section}.{name}.choices", problem("printed-twice"), solution("mark-one"))
            for choice, change in entry.choices.items():
                for key in change.set:
                    try:
                        get_key(raw, key)
                    except InputError as mistake:
                        place = f"{section}.{name}.choices.{choice}.set"
                        parts.problem(place, mistake.message, solution("key-of-book"))


def _check_changed_once(parts: Parts) -> None:
    """Report two choices that change one key, since the result would depend on their order in the file."""
    entries: dict[str, Reading | Option] = {
        f"reading.{name}": one for name, one in parts.all("reading", Reading).items()
    }
    entries |= {f"option.{name}": one for name, one in parts.all("option", Option).items()}
    changed: dict[tuple[str, ...], str] = {}
    for place, entry in entries.items():
        own: dict[tuple[str, ...], str] = {}
        for choice in entry.choices.values():
            keys = [split_key(key) for key in choice.set]
            if any(a != b and b[: len(a)] == a for a in keys for b in keys):
                parts.problem(f"{place}.choices", problem("nested-change"), solution("key-once"))
            own |= dict.fromkeys(keys, place)
        for key in own:
            for other, by in changed.items():
                if key[: len(other)] == other or other[: len(key)] == key:
                    wrong = problem("changed-twice", by=by, key=join_key(key))
                    parts.problem(f"{place}.choices", wrong, solution("key-in-one-place"))
        changed |= own


def _people(parts: Parts) -> None:
    roles = parts.all("role", Role)
    procedure = parts.one("procedure", Procedure)
    named: list[tuple[str, list[str]]] = []
    steps = [*procedure.opening, *procedure.round] if procedure else []
    named += [(f"procedure.{step.id}.who", step.who) for step in steps]
    named += [(f"procedure.{step.id}.directed_by", step.directed_by) for step in steps]
    for name, thing in parts.all("equipment", Equipment).items():
        named.append((f"equipment.{name}.keeper", thing.keeper))
    for name, inspection in parts.all("inspection", Inspection).items():
        named.append((f"inspection.{name}.who", inspection.who))
    for name, irregularity in parts.all("irregularity", Irregularity).items():
        named.append((f"irregularity.{name}.called_by", irregularity.called_by))
        named.append((f"irregularity.{name}.presence", irregularity.presence))
    for key, names in named:
        for role, times in Counter(names).items():
            if times > 1:
                parts.problem(key, problem("named-times", name=quoted(role), count=times), solution("role-once"))
            if role not in roles:
                parts.problem(key, problem("unknown", kind="role", name=quoted(role)), suggestion(role, roles))


def _procedure(parts: Parts, wagers: Mapping[str, Wager]) -> None:
    procedure = parts.one("procedure", Procedure)
    for part in ("opening", "round"):
        done: list[str] = []
        for step in getattr(procedure, part) if procedure else []:
            key = f"procedure.{part}.{step.id}"
            if step.id in done:
                parts.problem(f"{key}.id", problem("named-twice"), solution("own-step-id"))
            for earlier in step.after:
                if earlier not in done:
                    wrong = problem("no-step-before", step=quoted(earlier))
                    parts.problem(f"{key}.after", wrong, suggestion(earlier, done))
            called = parts.all("irregularity", Irregularity)
            if step.only_after is not None and step.only_after not in called:
                wrong = problem("unknown", kind="irregularity", name=quoted(step.only_after))
                parts.problem(f"{key}.only_after", wrong, suggestion(step.only_after, called))
            for wager in step.needs_bet.wagers if step.needs_bet else []:
                if wager not in wagers:
                    wrong = problem("unknown", kind="wager", name=quoted(wager))
                    parts.problem(f"{key}.needs_bet.wagers", wrong, suggestion(wager, wagers))
            done.append(step.id)


def _check_equipment(parts: Parts) -> None:
    equipment = parts.all("equipment", Equipment)
    named = [(f"inspection.{name}", thing.equipment) for name, thing in parts.all("inspection", Inspection).items()]
    for name, irregularity in parts.all("irregularity", Irregularity).items():
        if irregularity.equipment:
            named.append((f"irregularity.{name}", irregularity.equipment))
    for key, thing in named:
        if thing not in equipment:
            wrong = problem("unknown", kind="equipment", name=quoted(thing))
            parts.problem(f"{key}.equipment", wrong, suggestion(thing, equipment))
    groups = parts.all("group", Group)
    for name, item in equipment.items():
        for place, point in enumerate(item.requires):
            if point.group is not None and point.group not in groups:
                wrong = problem("unknown", kind="group", name=quoted(point.group))
                parts.problem(f"equipment.{name}.requires.{place}.group", wrong, suggestion(point.group, groups))


def _layout(parts: Parts, wagers: Mapping[str, Wager]) -> None:
    layout = parts.one("layout", Layout)
    if not layout:
        return
    broken = {error.key.split(".")[1] for error in parts.problems if error.key.startswith("wager.")}
    drawn = Counter(area for block in layout.blocks for row in block.rows for area in row)
    for area, times in drawn.items():
        if area not in wagers and area.partition("/")[0] in broken:
            continue  # reported at the wager already
        if area not in wagers:
            wrong = problem("unknown", kind="wager", name=quoted(area))
            parts.problem("layout.blocks", wrong, suggestion(area, wagers))
        elif times > 1:
            wrong = problem("drawn-times", area=quoted(area), count=times)
            parts.problem("layout.blocks", wrong, solution("area-once"))
    for wager in wagers:
        if wager not in drawn:
            parts.problem("layout.blocks", problem("not-drawn", area=quoted(wager)), solution("every-area"))
    for block in layout.blocks:
        _bands(parts, block)


def _bands(parts: Parts, block: Block) -> None:
    key = f"layout.blocks.{block.id}.bands"
    if block.shape != "felt":
        if block.bands:
            parts.problem(key, problem("bands", shape=block.shape), solution("leave-them-out"))
        return
    if len(block.bands) != len(block.rows):
        wrong = problem("band-count", bands=len(block.bands), rows=len(block.rows))
        parts.problem(key, wrong, solution("each-row"))
    for place, (band, row) in enumerate(zip(block.bands, block.rows, strict=False)):
        if band.draws == "edge" and place != len(block.rows) - 1:
            parts.problem(f"{key}.{place}.draws", problem("edge"), solution("last-row"))
        boxes = {area.partition("/")[2] for area in row} if band.draws == "boxes" else set()
        for title in band.titles:
            if title not in boxes - {""}:
                wrong = problem("unknown", kind="box", name=quoted(title))
                parts.problem(f"{key}.{place}.titles", wrong, suggestion(title, sorted(boxes - {""})))


def _pays(parts: Parts, wagers: Mapping[str, Wager]) -> None:
    rule = parts.one("odds", OddsRule)
    if not rule:
        return
    reported = set()
    for wager in wagers.values():
        for paytable in wager.pays.values():
            for odds in paytable.values():
                if odds.wins and odds.wording not in rule.wording and (wager.family, odds) not in reported:
                    reported.add((wager.family, odds))
                    allowed = [f'"{word}"' for word in rule.wording]
                    wrong = problem("wording", odds=odds, wording=odds.wording)
                    right = solution("wording", words=allowed, clauses=bracketed(rule.clause))
                    parts.problem(f"wager.{wager.family}.pays", wrong, right)


def _rows_apart(parts: Parts, wagers: Mapping[str, Wager]) -> None:
    """Report throws that fulfil two rows of a wager: which one pays must not depend on their order in the file."""
    identity = parts.one("book", Identity)
    dice = identity.dice if identity else 3
    for wager in wagers.values():
        spec = wager.spec
        if isinstance(spec, Pattern):
            cases = [("wins", spec.rows)]
        elif isinstance(spec, Phases):
            cases = [("phases", rows) for _, rows in spec.phases]
        else:
            continue
        for key, rows in cases:
            once = twice = 0
            for _, condition in rows:
                matching_rolls = condition.matching_rolls(dice)
                once, twice = once | matching_rolls, twice | once & matching_rolls
            if twice:
                roll = rolls(dice)[(twice & -twice).bit_length() - 1]
                met = [quoted(row) for row, condition in rows if condition.holds(roll)]
                wrong = problem("two-rows", roll=roll, rows=met, wager=wager.id)
                parts.problem(f"wager.{wager.family}.{key}", wrong, solution("one-row"))


def _names(parts: Parts) -> None:
    """Report names that are not words with hyphens, as people write them on the command line and in URLs."""
    named = [("wager", "wager", family) for family in parts.all("wager", WagerText)]
    named += [
        (f"wager.{family}.{'repeats' if text.repeats else 'selections'}", "selection", name)
        for family, text in parts.all("wager", WagerText).items()
        for name in text.repeats or text.selections
    ]
    named += [("group", "group", name) for name in parts.all("group", Group)]
    for section, entries in (("reading", parts.all("reading", Reading)), ("option", parts.all("option", Option))):
        for name, entry in entries.items():
            named.append((section, section, name))
            named += [(f"{section}.{name}.choices", "choice", choice) for choice in entry.choices]
    if "groups" in parts.all("option", Option):
        parts.problem("option.groups", problem("groups-reserved"), solution("rename-option"))
    for key, kind, name in named:
        if not _WORD.fullmatch(name):
            parts.problem(key, problem("invalid-name", name=quoted(name), kind=kind), solution("name"))
    for name, group in parts.all("group", Group).items():
        for table, times in Counter(group.paytables).items():
            if times > 1 or not _WORD.fullmatch(table.lower()):
                wrong = problem("paytable-name", name=quoted(table), count=times)
                parts.problem(f"group.{name}.paytables", wrong, solution("paytable-name"))
    for family, text in parts.all("wager", WagerText).items():
        ladder = text.rows is not None
        taken = {WIN_ROW, *FIXED_ROWS} if ladder else {LOSE_ROW} if text.family == "pattern" else set()
        rows = text.rows if ladder else text.wins
        for row in sorted(taken & set(rows if isinstance(rows, dict) else ())):
            key = "rows" if ladder else "wins"
            parts.problem(f"wager.{family}.{key}", problem("reserved", name=quoted(row)), solution("rename-row"))


def _grounds(parts: Parts) -> None:
    """Refusals rest on readings of this book, and on clauses about families of this book."""
    readings = parts.all("reading", Reading)
    irregularities = parts.all("irregularity", Irregularity)
    named = [(f"irregularity.{name}.reading", one.reading) for name, one in irregularities.items()]
    families = parts.all("wager", WagerText)
    for family, text in families.items():
        if text.window:
            named += [(f"wager.{family}.window.readings.{part}", name) for part, name in text.window.readings.items()]
    for key, name in named:
        if name is not None and name not in readings:
            parts.problem(key, problem("unknown", kind="reading", name=quoted(name)), suggestion(name, readings))
    forbids = parts.one("forbids", Forbids)
    for family in forbids.selections if forbids else ():
        if family not in families:
            wrong = problem("unknown", kind="wager", name=quoted(family))
            parts.problem("forbids.selections", wrong, suggestion(family, families))


def _windows(parts: Parts, wagers: Mapping[str, Wager]) -> None:
    identity = parts.one("book", Identity)
    for family, text in parts.all("wager", WagerText).items():
        if text.window and isinstance(text.window.clear, list):
            for other in text.window.clear:
                if other not in wagers:
                    wrong = problem("unknown", kind="wager", name=quoted(other))
                    parts.problem(f"wager.{family}.window.clear", wrong, suggestion(other, wagers))
        limits = text.limits
        if limits and limits.stake_min and limits.stake_max and limits.stake_min > limits.stake_max:
            parts.problem(f"wager.{family}.limits", problem("stakes-swapped"), solution("swap"))
        if identity and identity.game == "sic-bo" and text.family != "pattern":
            wrong = problem("family-of-game", family=text.family, game=identity.game)
            parts.problem(f"wager.{family}.family", wrong, solution("only-craps"))
        if identity and identity.game == "craps" and text.window is None:
            parts.problem(f"wager.{family}.window", problem("missing"), solution("window"))
        if text.window and text.family in ("pattern", "phases") and text.window.clear != "none":
            right = solution("write", text='clear = "none"')
            parts.problem(f"wager.{family}.window.clear", problem("no-lammers"), right)
    hand = parts.one("hand", HandText)
    if identity and identity.game == "craps" and identity.dice != 2:
        parts.problem("book.dice", problem("craps-dice", count=identity.dice), solution("two-dice"))
    if hand and identity and identity.game != "craps":
        parts.problem("hand", problem("no-hand", game=identity.game), solution("leave-out"))
    if hand and (7 in hand.points or set(hand.points) & set(hand.naturals) or len(set(hand.points)) < len(hand.points)):
        parts.problem("hand.points", problem("points", points=[str(one) for one in hand.points]), solution("points"))
