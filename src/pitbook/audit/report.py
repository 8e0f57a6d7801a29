"""The report of an audit: what was proved, and what is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from pitbook.audit.details import detail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pitbook.audit.details import Detail
    from pitbook.audit.errors import About

    Line = tuple[Detail | None, Detail]
    """A label, if it has one, and a text."""

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

    @property
    def detail(self) -> Detail:
        """What was changed, in words."""
        entries = {"first": self.first, "last": self.last}
        if self.held is None:
            return detail("rewritten", **entries)
        return detail("rewritten-between", **entries, held=self.held, broken=self.broken)


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
    detail: Detail
    """What is wrong."""
    at: str = ""
    round: int | None = None
    """The round that the table was in; None for other entries."""
    rewritten: Rewritten | None = None
    """For an entry other than the signed one: which part of the record was rewritten."""
    about: About = "rules"
    """The kind of finding."""

    @property
    def why(self) -> str:
        """The details in English."""
        return str(self.detail)

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as JSON data, with its details in English as `why`."""
        plain = {name: getattr(self, name) for name in ("table", "sequence", "kind", "at", "round", "about")}
        rewritten = asdict(self.rewritten) if self.rewritten else None
        return plain | {"rewritten": rewritten, "why": self.why, "detail": self.detail.as_data()}

    @property
    def full(self) -> Detail:
        """The details after their place."""
        place = detail("place-table", table=self.table) if self.table else detail("place-journal")
        if self.sequence is not None:
            place = detail("place-entry", place=place, entry=self.sequence)
        if self.kind:
            place = detail("place-kind", place=place, kind=self.kind)
        if self.round is not None:
            place = detail("place-round", place=place, round=self.round)
        return detail("found-at", place=place, detail=self.detail)

    def __str__(self) -> str:
        return str(self.full)


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
    detached: list[Detail] = field(default_factory=list)
    """Tables whose record is in another file."""
    archives: list[str] = field(default_factory=list)
    """Archives that were audited and are the record of such tables."""
    guards: int = 0
    """Triggers of the database; 0 if one is not in place."""
    checkpoint: Detail | None = None
    """The latest checkpoint."""
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
        """Return the report as JSON data, with texts in English."""
        data = asdict(replace(self, findings=[], detached=[], checkpoint=None))
        data["findings"] = [one.as_dict() for one in self.findings]
        data["detached"] = [str(one) for one in self.detached]
        data["checkpoint"] = str(self.checkpoint) if self.checkpoint else None
        return {"good": self.good, **data, "events_per_second": self.rate}

    def __str__(self) -> str:
        """Return the report in English."""
        return self.write(str, len)

    def write(self, translate: Callable[[Detail], str], width: Callable[[str], int]) -> str:
        """Return the report in a language, with a column of labels; `width` measures a text on the screen."""
        lines = [(label and translate(label), translate(text)) for label, text in self._lines()]
        column = max((width(label) for label, _ in lines if label), default=0) + 2
        return "\n".join(f"  {label}{' ' * (column - width(label))}{text}" if label else text for label, text in lines)

    def _lines(self) -> Iterator[Line]:
        """Yield what is wrong and what was proved."""
        figures = {"events": self.events, "seconds": f"{self.seconds:.2f}", "rate": self.rate}
        speed = detail("report-speed", **figures)
        if not self.findings:
            yield None, detail("report-right", database=self.database)
        else:
            first, *others = self.findings
            yield None, detail("report-unproved" if self.only_books_missing else "report-wrong", finding=first.full)
            for other in others[:9]:
                yield None, detail("report-also", finding=other.full)
            if others[9:]:
                yield None, detail("report-more", left=len(others) - 9)
            if self.only_books_missing:
                yield None, detail("report-only-books")
            elif self.recorded:
                yield None, detail("report-only-guards")
            else:
                yield None, speed
                return
        yield from self._proofs()
        yield detail("label-speed"), speed

    def _proofs(self) -> Iterator[Line]:
        """Yield what was proved, part by part."""
        yield detail("label-chain"), detail("proof-chain", entries=self.events, sequences=self.tables)
        money = {"transfers": self.transfers, "postings": self.postings, "accounts": self.accounts}
        yield detail("label-money"), detail("proof-money", **money)
        yield detail("label-bets"), detail("proof-bets", bets=self.bets, throws=self.throws)
        yield detail("label-settlement"), detail("proof-settlement", bets=self.lines)
        acts = {"steps": self.steps, "calls": self.calls, "inspections": self.inspections}
        yield detail("label-procedure"), detail("proof-procedure", **acts, second=self.second_persons)
        yield detail("label-people"), detail("proof-people", accounts=self.people)
        yield detail("label-draws"), _joined(self._draws())
        yield detail("label-refusals"), detail("proof-refusals", refusals=self.refusals)
        yield detail("label-snapshots"), detail("proof-snapshots", snapshots=self.snapshots)
        guards = detail("proof-guards", guards=self.guards) if self.guards else detail("proof-no-guards")
        yield detail("label-guards"), guards
        checkpoints = [self.checkpoint or detail("proof-no-checkpoint")]
        if len(self.checkpoints) > 1:
            checkpoints.append(detail("proof-checkpoints", count=len(self.checkpoints) - 1))
        yield detail("label-checkpoint"), _joined(checkpoints)
        if self.detached:
            audited = len(self.archives)
            checked = detail("proof-archives", count=audited) if audited else detail("proof-no-archive")
            tables = {"count": len(self.detached), "tables": _joined(self.detached)}
            yield detail("label-archives"), detail("proof-detached", **tables, checked=checked)

    def _draws(self) -> Iterator[Detail]:
        """Yield what to say about automatic tables: every void round after the close, and whom it served."""
        yield detail("proof-draws", seeds=self.draws)
        if self.lost_seeds:
            yield detail("proof-lost", seeds=self.lost_seeds)
        if self.overdue:
            longest = max(self.overdue, key=lambda one: one.seconds)
            place = {"table": longest.table, "round": longest.round, "seconds": f"{longest.seconds:,.0f}"}
            yield detail("proof-overdue", rounds=len(self.overdue), **place)
        if self.voids:
            spared = -sum(void.house for void in self.voids if void.house < 0)
            given_up = sum(void.house for void in self.voids if void.house > 0)
            yield detail("proof-voids", rounds=len(self.voids), spared=spared, given=given_up)


def _joined(details: Iterable[Detail]) -> Detail:
    return reduce(lambda first, second: detail("joined", first=first, second=second), details)
