"""`pitbook design`: a pay table for a target edge."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import head, odds_text, phrase, row_text, say
from pitbook.cli.output import format_percent, print_json, print_table, print_words
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book
from pitbook.errors import bracketed


def design(
    book: BookName,
    wager: Annotated[str, Parameter(help=say("help.shared.wager"))],
    *,
    target_edge: Annotated[
        str,
        Parameter(name="--target-edge", allow_leading_hyphen=True, help=say("help.design.target-edge")),
    ],
    hit_frequency: Annotated[
        str | None, Parameter(name="--hit-frequency", help=say("help.design.hit-frequency"))
    ] = None,
    variance: Annotated[float | None, Parameter(help=say("help.design.variance"))] = None,
    denominators: Annotated[int, Parameter(help=say("help.design.denominators"))] = 1,
    rising: Annotated[bool, Parameter(help=say("help.design.rising"))] = True,
    paytable: Annotated[str | None, Parameter(help=say("help.design.paytable"))] = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Find the pay, or the ladder of pays, that comes closest to a house edge and other targets, with a proof."""
    from pitbook.analysis.design import Targets
    from pitbook.analysis.design import design as designed

    rules = open_book(book, reading, option, as_printed=as_printed)
    targets = Targets.read(target_edge, hit_frequency, variance, names=("--target-edge", "--hit-frequency"))
    found = designed(rules, rules.wager(wager), targets, paytable, denominators=denominators, rising=rising)
    if json:
        print_json(found.to_dict())
        return
    rows = [
        (
            row_text(row["row"]),
            odds_text(row["pays_now"]),
            odds_text(row["proposed"]),
            format_percent(row["probability"]),
            "\n".join(
                f"{odds_text(rules.printed(step.pays))}: {format_percent(step.house_edge)}"
                for step in found.steps
                if step.row == row["row"]
            ),
        )
        for row in found.rows()
    ]
    columns = head("row", "pays-now", "proposed", "chance", "house-edge-otherwise")
    title = say("results.design.title", wager=wager, edge=format_percent(found.proposal.house_edge))
    print_table(title, columns, rows, right=head("chance"))
    edges = {"now": found.now.house_edge, "target": found.target, "off": found.off_by}
    print(say("results.design.distance", **{name: format_percent(edge) for name, edge in edges.items()}))
    if hit_frequency is not None or variance is not None:
        frequency = format_percent(found.proposal.win_probability)
        print(say("results.design.other", frequency=frequency, variance=f"{float(found.proposal.variance):.4f}"))
    print_words(phrase(found.proof.message))
    for line in found.below_minimum:
        print(say("results.design.below-minimum", line=line))
    if rules.odds.basis == "fixed":
        print(say("results.design.fixed", book=rules.id, clauses=bracketed(rules.odds.clause)))
