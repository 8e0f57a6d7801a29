"""The contents of a sheet: identity, readings, options, tables and notes."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from pitbook.engine.duration import Duration, duration
from pitbook.reports.ladders import EnvyTable, Ladder, build_envy_tables, build_ladders
from pitbook.reports.lines import Area, Line, Section, build_area, build_lines, build_sections, join_ids
from pitbook.reports.volatility import USUAL_PACE, Pace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from pitbook.analysis.variants import Variant
    from pitbook.rulebooks.model import Rulebook

GAMES = {"sic-bo": "Sic Bo", "craps": "Craps"}
ROLLS_SHOWN = 30
"""The last roll in the chart of a wager's duration."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and a value; with a note if the text does not state it."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Filing:
    """The author and date of a sheet, and the pace of the table that its statistics assume."""

    made_on: date | None = None
    prepared_by: str = ""
    approved_by: str = ""
    pace: Pace = USUAL_PACE


NOT_FILED = Filing()


@dataclass(frozen=True, slots=True)
class ReadingEntry:
    """A reading of the book."""

    label: str
    """The mark of the figures that it changes; empty if it changes none on this sheet."""
    id: str
    clauses: str
    printed: str
    choice: str
    says: str
    why: str
    others: tuple[Fact, ...]
    """The choices not in force."""


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """The house's choice where the text leaves one."""

    id: str
    clauses: str
    about: str
    choice: str
    says: str


@dataclass(frozen=True, slots=True)
class DurationEntry:
    """How long wagers last; those with equal distributions together."""

    title: str
    mean: float
    lasting: Duration


@dataclass(frozen=True)
class Sheet:
    """A whole sheet."""

    book: str
    title: str
    about: str
    digest: str
    software: str
    filing: Filing
    throws: int
    facts: tuple[Fact, ...]
    glance: tuple[Fact, ...]
    readings: tuple[ReadingEntry, ...]
    options: tuple[OptionEntry, ...]
    limits: tuple[Fact, ...]
    withheld: tuple[Fact, ...]
    sections: tuple[Section, ...]
    ladders: tuple[Ladder, ...]
    envies: tuple[EnvyTable, ...]
    areas: tuple[Area, ...]
    courses: tuple[DurationEntry, ...]
    notes: tuple[Fact, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in the book's order."""
        return tuple(line for section in self.sections for line in section.lines)

    @property
    def with_paytables(self) -> bool:
        """Whether any wager has a pay table with a name."""
        return any(line.paytable for line in self.lines)

    @property
    def with_ways(self) -> bool:
        """Whether any wager is decided by one throw."""
        return any(line.ways.exact for line in self.lines)

    @property
    def with_rolls(self) -> bool:
        """Whether any wager may last longer than one roll."""
        return any(line.rolls.exact != "1" for line in self.lines)

    @property
    def favouring(self) -> tuple[Line, ...]:
        """The lines on which the house loses on average."""
        return tuple(line for line in self.lines if line.favours_player)


def build_sheet(rules: Rulebook, found: Sequence[Variant], filing: Filing = NOT_FILED) -> Sheet:
    """Return the sheet of these wagers of a book."""
    relevant = [name for name in rules.readings if any(name in variant.readings for variant in found)]
    labels = {name: f"R{number}" for number, name in enumerate(relevant, 1)}
    lines = build_lines(rules, found, labels, filing.pace)
    throws = found[0].analysis.throws
    return Sheet(
        book=rules.id,
        title=rules.identity.title,
        about=rules.identity.about,
        digest=rules.digest,
        software=f"Pitbook {version('pitbook')}",
        filing=filing,
        throws=throws,
        facts=tuple(_facts(rules)),
        glance=tuple(_summary_facts(tuple(lines), found)),
        readings=tuple(_reading(rules, name, labels.get(name, "")) for name in (*labels, *_others(rules, labels))),
        options=tuple(_options(rules)),
        limits=tuple(_limit_facts(rules, found)),
        withheld=tuple(Fact(wager, str(reason)) for wager, reason in rules.withheld.items()),
        sections=tuple(build_sections(rules, lines)),
        ladders=tuple(build_ladders(lines)),
        envies=tuple(build_envy_tables(lines)),
        areas=tuple(build_area(rules, variant, labels) for variant in found),
        courses=tuple(_durations(lines)),
        notes=tuple(_notes(lines, rules, throws, filing.pace)),
    )


def _facts(rules: Rulebook) -> Iterable[Fact]:
    identity, odds = rules.identity, rules.odds
    basis = "a minimum, which the house may exceed" if odds.basis == "minimum" else "fixed"
    wording = {"to": "“x to 1”", "win": "“1 wins x”", "for": "“x for 1”"}
    stated = [
        ("book", "Book", rules.id),
        ("authority", "Authority", identity.authority),
        ("version", "Version", identity.version or "not stated"),
        ("in_force_since", "In force since", str(identity.in_force_since or "not stated")),
        ("game", "Game", f"{GAMES[identity.game]}, {('', '', 'two', 'three')[rules.dice]} dice"),
        ("currency", "Currency", identity.currency),
        ("odds", "Odds", f"{basis}; clause {join_ids(odds.clause)}"),
        ("wording", "Worded as", " or ".join(wording[word] for word in odds.wording)),
    ]
    for key, name, value in stated:
        yield Fact(name, value, "inferred" if key in identity.inferred else "")


def _summary_facts(lines: Sequence[Line], found: Sequence[Variant]) -> Iterable[Fact]:
    """Return the range of the figures, under the readings in force if those are among the readings shown."""
    visible = [line for line in lines if line.in_force] or lines
    edges, gains = [line.edge.value for line in visible], [line.pays.value for line in visible]
    areas = len({variant.analysis.wager.id for variant in found})
    yield Fact("Areas", str(areas), f"{len(found)} sets of figures" if len(found) > areas else "")
    for name, edge in ("Lowest house edge", min(edges)), ("Highest house edge", max(edges)):
        lines_there = [line for line in visible if line.edge.value == edge]
        yield Fact(name, lines_there[0].edge.text, _listed(lines_there))
    longest = [line for line in visible if line.pays.value == max(gains)]
    yield Fact("Longest odds", longest[0].pays.text.split(" … ")[-1], _listed(longest))


def _listed(lines: Sequence[Line]) -> str:
    names = list(dict.fromkeys(_line_label(line) for line in lines))
    return "; ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")


def _line_label(line: Line, *, paytable: bool = True) -> str:
    """Return a line's name, pay table and the readings that are not in force."""
    other = ", ".join(f"{mark.label} {mark.choice}" for mark in line.marks if not mark.in_force)
    name = f"{line.full_name}, {line.paytable}" if paytable and line.paytable else line.full_name
    return f"{name} ({other})" if other else name


def _others(rules: Rulebook, labels: Mapping[str, str]) -> list[str]:
    return [name for name in rules.readings if name not in labels]


def _reading(rules: Rulebook, name: str, label: str) -> ReadingEntry:
    reading, chosen = rules.readings[name], rules.readings_chosen[name]
    return ReadingEntry(
        label=label,
        id=name,
        clauses=join_ids(reading.clause),
        printed=reading.printed,
        choice=chosen,
        says=reading.choices[chosen].says,
        why=reading.why,
        others=tuple(Fact(choice, text.says) for choice, text in reading.choices.items() if choice != chosen),
    )


def _options(rules: Rulebook) -> Iterable[OptionEntry]:
    for name, option in rules.options.items():
        chosen = rules.options_chosen[name]
        yield OptionEntry(name, join_ids(option.clause), option.says, chosen, option.choices[chosen].says)
    if rules.groups:
        about = "which groups of wagers are on offer"
        says = ", ".join(group.name.en for name, group in rules.groups.items() if _offered(rules, name))
        yield OptionEntry("groups", "", about, rules.options_chosen.get("groups", "all"), says)


def _offered(rules: Rulebook, group: str) -> bool:
    return any(wager.group == group for wager in rules.wagers.values())


def _limit_facts(rules: Rulebook, found: Sequence[Variant]) -> Iterable[Fact]:
    """Return the limits that the text sets, for the wagers that share them."""
    shared: dict[tuple[str, str], list[str]] = {}
    for wager in {variant.analysis.wager.id: variant.analysis.wager for variant in found}.values():
        if limits := wager.limits:
            bounds = {"stake from": limits.stake_min, "stake to": limits.stake_max, "payoff to": limits.payoff_max}
            text = ", ".join(f"{word} {amount:,}" for word, amount in bounds.items() if amount is not None)
            key = f"{text} {rules.identity.currency}", join_ids(limits.clause)
            shared.setdefault(key, []).append(wager.id)
    for (text, clause), ids in shared.items():
        yield Fact(join_ids(ids), text, clause)


def _durations(lines: Mapping[Line, Variant]) -> Iterable[DurationEntry]:
    """Return one duration for every distinct distribution of the number of rolls."""
    alike: dict[Duration, list[Line]] = {}
    for line, variant in lines.items():
        if not variant.analysis.wager.one_roll:
            lasting = duration(variant.book, variant.analysis.wager, ROLLS_SHOWN, state=variant.analysis.state)
            alike.setdefault(lasting, []).append(line)
    for lasting, same in alike.items():
        yield DurationEntry(_line_names(same), same[0].rolls.value, lasting)


def _line_names(lines: Sequence[Line]) -> str:
    """Return lines by name, each once, under the readings nearest to those in force."""
    nearest: dict[tuple[str, ...], Line] = {}
    for line in sorted(lines, key=lambda line: sum(not mark.in_force for mark in line.marks)):
        nearest.setdefault(line.ids, line)
    return "; ".join(dict.fromkeys(_line_label(line, paytable=False) for line in lines if line in nearest.values()))


def _notes(lines: Iterable[Line], rules: Rulebook, throws: int, pace: Pace) -> Iterable[Fact]:
    number = {2: "two", 3: "three"}[rules.dice]
    yield Fact(
        "How the figures are obtained",
        f"Each wager is compiled into a finite machine over the {throws} equally likely throws of {number} dice, the "
        "same one that settles it. Chances, edges and durations are solved from that machine in exact fractions; "
        "nothing is simulated or estimated. Percentages and decimals are rounded for reading only.",
    )
    yield Fact(
        "House edge",
        "What the house gains on average for each unit staked, from the wager to its end: one less the return to the "
        "player. A stake given back (a push) counts as staked. A negative house edge is the player’s advantage and is "
        "marked “▲ player”.",
    )
    yield Fact(
        "Deviation, rolls",
        "Standard deviation: of the gain on one wager of one unit. Rolls: expected until the "
        "wager ends; the edge per roll is the house edge divided by them.",
    )
    yield Fact(
        "Break-even odds",
        "The odds at which the house edge would be nothing. In a ladder each row’s are worked out with the other rows "
        "as they are.",
    )
    yield Fact(
        "Hit frequency, volatility index",
        "Hit frequency: how often a wager gains anything. Volatility index: the standard deviation times 1.645; "
        "divided by the root of the number of decisions it is half the width of the 90% band of the hold.",
    )
    yield Fact(
        "Hold bands and shifts",
        "Where the hold lies after so many decisions with a confidence of 90, 95 and 99%, by a normal distribution "
        "with the exact mean and deviation. The results of a wager that seldom wins are lopsided: its bands are right "
        f"only after many decisions. A shift is {pace.shift_hours} hours at {pace.rounds_per_hour} "
        f"{'rolls' if rules.identity.game == 'craps' else 'rounds'} an hour with one unit on the wager at all times.",
    )
    yield Fact(
        "What is not in the figures",
        "Limits on stakes, caps on payoffs, rounding to whole coins and tips. What dealers get by envy is shown apart.",
    )
    if any(line.running for line in lines):
        yield Fact(
            "Running wagers",
            "Figures marked “running” are from where the table stands after the rolls given, not from the start of a "
            "wager.",
        )
