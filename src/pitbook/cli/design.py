"""`pitbook design`: a pay table for a target edge."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.output import format_percent, print_json, print_table, print_words
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book
from pitbook.errors import bracketed


def design(
    book: BookName,
    wager: Annotated[str, Parameter(help="A wager's id.")],
    *,
    target_edge: Annotated[
        str,
        Parameter(name="--target-edge", allow_leading_hyphen=True, help="The house edge to come close to, like 8%."),
    ],
    hit_frequency: Annotated[
        str | None, Parameter(name="--hit-frequency", help="Also how often it should win, like 20%.")
    ] = None,
    variance: Annotated[float | None, Parameter(help="Also the variance of the gain on one unit.")] = None,
    denominators: Annotated[int, Parameter(help="Propose odds x to y with y up to this: 6 allows 7 to 6.")] = 1,
    rising: Annotated[
        bool, Parameter(help="Propose only ladders that never fall from row to row; --no-rising allows any.")
    ] = True,
    paytable: Annotated[str | None, Parameter(help="The pay table to start from, where there are several.")] = None,
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
            row["row"],
            row["pays_now"],
            row["proposed"],
            format_percent(row["probability"]),
            "\n".join(
                f"{rules.printed(step.pays)}: {format_percent(step.house_edge)}"
                for step in found.steps
                if step.row == row["row"]
            ),
        )
        for row in found.rows()
    ]
    columns = ["row", "pays now", "proposed", "chance", "house edge with another pay"]
    print_table(f"{wager}: house edge {format_percent(found.proposal.house_edge)}", columns, rows, right=["chance"])
    print(
        f"now {format_percent(found.now.house_edge)}, target {format_percent(found.target)}, "
        f"off by {format_percent(found.off_by)}"
    )
    if hit_frequency is not None or variance is not None:
        print(
            f"hit frequency {format_percent(found.proposal.win_probability)}, "
            f"variance {float(found.proposal.variance):.4f}"
        )
    print_words(str(found.proof))
    for line in found.below_minimum:
        print(f"below the book's minimum: {line}")
    if rules.odds.basis == "fixed":
        print(f"{rules.id} fixes its pays {bracketed(rules.odds.clause)}: this would be a book of its own")
