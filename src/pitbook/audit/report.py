"""The report of an audit: what was proved, and what is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pitbook.audit.errors import About

GUARDING: Final = "guards"
"""The kind of a finding about the database's triggers, not about the record."""


MISSING_BOOK: Final = "book missing"
"""The kind of a finding about a table that could not be replayed without its book."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The part of a record that was changed: after one checkpoint that matches, up to one that does not."""

    first: int
    last: int
    """Both entries included."""
    held: str | None
    """The time of the last checkpoint that still matches; None if none was given."""
    broken: str
    """The time of the first checkpoint that does not match."""

    def __str__(self) -> str:
        part = f"the record was changed between entry {self.first} and entry {self.last}"
        if self.held is None:
            return f"{part}; an earlier checkpoint would narrow it down"
        return f"{part}: after the checkpoint of {self.held}, which still holds, and before that of {self.broken}"


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint that the record was compared with."""

    at: str
    entries: int
    tables: int
    signer: str
    """The id of the key that it names."""
    signature: str
    """`right`, `wrong`, `by another key` or `not checked`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, and where."""

    table: str
    sequence: int | None
    """The entry; None if it is not a single one."""
    kind: str
    why: str
    at: str = ""
    round: int | None = None
    """The round that the table was in; None for other entries."""
    rewritten: Rewritten | None = None
    """For an entry other than the signed one: which part of the record was rewritten."""
    about: About = "rules"
    """The kind of finding."""

    def __str__(self) -> str:
        place = f"table {self.table}" if self.table else "the journal"
        if self.sequence is not None:
            place += f", entry {self.sequence}"
        if self.kind:
            place += f" ({self.kind})"
        if self.round is not None:
            place += f" of round {self.round}"
        return f"{place}: {self.why}"


@dataclass(frozen=True, slots=True)
class Void:
    """A round of an automatic table that was voided after betting had closed."""

    table: str
    round: int
    house: int
    """The house's win if the round had counted, in minor units; negative for a loss avoided."""


@dataclass(frozen=True, slots=True)
class Overdue:
    """A round of an automatic table that was voided after its dice were due."""

    table: str
    round: int
    seconds: float
    """How long after they were due."""


@dataclass(slots=True)
class Report:
    """Counts of what was proved, and the findings in order."""

    database: str
    tables: int = 0
    events: int = 0
    """Entries of the journal, including refusals."""
    refusals: int = 0
    transfers: int = 0
    postings: int = 0
    bets: int = 0
    throws: int = 0
    lines: int = 0
    """Settled wagers, each recomputed."""
    steps: int = 0
    """Steps of rounds, each by the right person and in the book's order."""
    calls: int = 0
    """Irregularities that were called."""
    inspections: int = 0
    """Inspections and checks of equipment."""
    second_persons: int = 0
    """Second persons and witnesses, each another person in a suitable role."""
    snapshots: int = 0
    accounts: int = 0
    people: int = 0
    """Accounts, each with their roles followed."""
    draws: int = 0
    """Seeds of automatic tables, each matching its commitment and its dice."""
    voids: list[Void] = field(default_factory=list)
    lost_seeds: int = 0
    overdue: list[Overdue] = field(default_factory=list)
    detached: list[str] = field(default_factory=list)
    """Tables whose record is in another file, in words."""
    archives: list[str] = field(default_factory=list)
    """Archives that were audited and are the record of such tables."""
    guards: int = 0
    """Triggers of the database; 0 if one is not in place."""
    checkpoint: str | None = None
    """The latest checkpoint in words."""
    checkpoints: list[Signed] = field(default_factory=list)
    """All of them, the earliest first."""
    key: str | None = None
    """The id of the key that verified their signatures."""
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def recorded(self) -> bool:
        """Whether everything that is recorded is right, whatever the state of the database's triggers."""
        return all(finding.kind == GUARDING for finding in self.findings)

    @property
    def only_books_missing(self) -> bool:
        """Whether nothing is wrong except that some tables could not be replayed without their books."""
        return bool(self.findings) and all(finding.kind == MISSING_BOOK for finding in self.findings)

    @property
    def first(self) -> Finding | None:
        """The first finding."""
        return self.findings[0] if self.findings else None

    @property
    def rate(self) -> int:
        """Events per second."""
        return round(self.events / self.seconds) if self.seconds else 0

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {"good": self.good, **asdict(self), "events_per_second": self.rate}

    def _describe_draws(self) -> str:
        """Return what to say about automatic tables: every void round after the close, and whom it served."""
        said = f"{_count(self.draws, 'seed')} as committed, and their dice recomputed"
        if self.lost_seeds:
            said += f"; {_count(self.lost_seeds, 'seed')} lost"
        if self.overdue:
            longest = max(self.overdue, key=lambda one: one.seconds)
            said += (
                f"; {_count(len(self.overdue), 'round')} void after their dice were due, the longest"
                f" {longest.seconds:,.0f} s (table {longest.table}, round {longest.round})"
            )
        if self.voids:
            spared = -sum(void.house for void in self.voids if void.house < 0)
            given_up = sum(void.house for void in self.voids if void.house > 0)
            said += (
                f"; {_count(len(self.voids), 'round')} void after the close: the house was spared {spared:,} and"
                f" gave up {given_up:,} (minor units)"
            )
        return said

    def __str__(self) -> str:
        speed = f"{self.events:,} events in {self.seconds:.2f} s, {self.rate:,} per second"
        if not self.findings:
            return "\n".join([f"{self.database}: right", *self._describe_proofs(), f"  {speed}"])
        first, *others = self.findings
        more = [f"also {other}" for other in others[:9]]
        left = len(others) - len(more)
        more += [f"and {left} more"] if left else []
        if self.only_books_missing:
            rest = "nothing else is wrong; of these tables only the chain and the money were checked:"
            return "\n".join([f"NOT PROVED: {first}", *more, rest, *self._describe_proofs(), f"  {speed}"])
        if self.recorded:
            guarded = (
                "what is recorded is right all the same; only what a checkpoint covers is safe from whoever did it:"
            )
            return "\n".join([f"WRONG: {first}", *more, guarded, *self._describe_proofs(), f"  {speed}"])
        return "\n".join([f"WRONG: {first}", *more, f"({speed})"])

    def _describe_proofs(self) -> list[str]:
        """Return what was proved, part by part."""
        unseen = "none given: what was cut off, or rewritten by the rules, cannot be seen without one"
        checkpoint = self.checkpoint or unseen
        if len(self.checkpoints) > 1:
            checkpoint += f"; and {len(self.checkpoints) - 1} before it"
        guards = f"{self.guards:,} triggers of the database, as they were made" if self.guards else "not all in place"
        return [
            f"  chain       {self.events:,} entries of {self.tables:,} sequences, each with its hash",
            f"  money       {self.transfers:,} transfers, {self.postings:,} postings, each as its event asks;"
            f" {self.accounts:,} balances",
            f"  wagers      {self.bets:,} bets made inside their limits and windows, {self.throws:,} throws",
            f"  settlement  {self.lines:,} wagers settled: row, odds, net, caps and envy recomputed",
            f"  procedure   {self.steps:,} steps, {self.calls:,} calls of irregularities and {self.inspections:,}"
            f" inspections, each by a role that may and in the book's order; {self.second_persons:,} second persons",
            f"  people      {self.people:,}: names, roles, limits, exclusions and approvals",
            f"  draws       {self._describe_draws()}",
            f"  refusals    {self.refusals:,}",
            f"  snapshots   {self.snapshots:,} equal to the replay",
            f"  guards      {guards}",
            f"  checkpoint  {checkpoint}",
            *([f"  archives    {self._describe_archives()}"] if self.detached else []),
        ]

    def _describe_archives(self) -> str:
        """Return which tables are in other files, and whether these were audited."""
        checked = f"{_count(len(self.archives), 'archive')} audited and right" if self.archives else "none given"
        return f"{_count(len(self.detached), 'table')} in other files ({'; '.join(self.detached)}); {checked}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
