"""`pitbook lint`: check a book's pays by mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.analysis.lint import Finding


def lint(
    book: BookName,
    *,
    min_return: Annotated[
        str | None, Parameter(name="--min-return", help="A floor for the return to the player, like 75%.")
    ] = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> int:
    """Question a book's pays by mathematics alone. Exit code 1 where there are errors or warnings."""
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
            Finding(Severity.ERROR, "broken-book", problem.key, None, f"{problem.wrong}; {problem.right}", ())
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
        count = f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"
        print_table(f"{name}: {count}", ["", "rule", "wager", "what", "clause"], _finding_rows(findings))
    else:
        print(f"{name}: nothing to question")
    return 1 if serious else 0


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
        says = first.says if alone else f"worst, {name}: {worst.says}"
        under = f"\nunder {', '.join(first.suspects)}" if first.suspects else ""
        named = [f"{finding.wager} {finding.paytable or ''}".strip() for finding in (first, last)]
        where = named[0] if len(alike) == 1 else f"{named[0]} …\n{named[1]} ({len(alike)})"
        rows.append((first.severity, first.rule, where, says + under, ", ".join(first.clauses)))
    return rows
