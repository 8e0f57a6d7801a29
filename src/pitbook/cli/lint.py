"""`pitbook lint`: check a book's pays by mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.language import head, phrase, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book
from pitbook.messages import compose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.analysis.lint import Finding
    from pitbook.messages import Message
    from pitbook.rulebooks.errors import BookError


def lint(
    book: BookName,
    *,
    min_return: Annotated[str | None, Parameter(name="--min-return", help=say("help.lint.min-return"))] = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> int:
    """Check a book's pays by mathematics alone."""
    from pitbook.analysis.lint import Finding, Severity
    from pitbook.analysis.lint import lint as questioned
    from pitbook.money import parse_share
    from pitbook.rulebooks.errors import InvalidBook

    floor = parse_share(min_return, "--min-return") if min_return is not None else None
    try:
        rules = open_book(book, reading, option, as_printed=as_printed)
        findings = questioned(rules, floor)
        name = rules.id
    except InvalidBook as error:
        name = book
        findings = [
            Finding(Severity.ERROR, "broken-book", problem.key, None, _broken(problem), ())
            for problem in error.problems
        ]
    serious = any(finding.severity != Severity.NOTE for finding in findings)
    if json:
        data = [
            {
                "severity": str(finding.severity),
                "rule": finding.rule,
                "wager": finding.wager or None,
                "paytable": finding.paytable,
                "says": finding.says,
                "clauses": list(finding.clauses),
                "suspects": list(finding.suspects),
            }
            for finding in findings
        ]
        print_json({"book": name, "findings": data})
    elif findings:
        title = say("results.lint.findings", book=name, count=len(findings))
        print_table(title, ["", *head("rule", "wager", "what", "clause")], _finding_rows(findings))
    else:
        print(say("results.lint.good", book=name))
    return 1 if serious else 0


def _broken(problem: BookError) -> Message:
    return compose("findings.lint.broken-book", wrong=problem.problem, right=problem.solution)


def _finding_rows(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """Return one row for each finding; a whole family with the same finding is one row."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        family = finding.wager.partition("/")[0]
        groups.setdefault((finding.severity, finding.rule, family, *finding.suspects), []).append(finding)
    rows: list[tuple[str, ...]] = []
    for alike in groups.values():
        first, last = alike[0], alike[-1]
        worst = max(alike, key=lambda finding: float(abs(finding.house_edge or 0)))
        name = f"{worst.wager} {worst.paytable or ''}".strip()
        alone = len({finding.says for finding in alike}) == 1
        says = phrase(first.message) if alone else say("results.lint.worst", wager=name, says=worst.message)
        under = "\n" + say("results.lint.under", readings=first.suspects) if first.suspects else ""
        named = [f"{finding.wager} {finding.paytable or ''}".strip() for finding in (first, last)]
        where = named[0] if len(alike) == 1 else f"{named[0]} …\n{named[1]} ({len(alike)})"
        rows.append(
            (say(f"results.severity.{first.severity}"), first.rule, where, says + under, ", ".join(first.clauses))
        )
    return rows
