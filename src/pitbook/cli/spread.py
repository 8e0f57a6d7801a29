"""`pitbook spread`: several one-roll wagers on one throw, and after many rounds."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from pitbook.cli.output import format_percent, print_json, print_table
from pitbook.cli.parameters import (
    AsPrinted,
    BookName,
    Json,
    Options,
    Paytables,
    Readings,
    find_paytables,
    open_book,
    parse_bet,
)


def spread(
    book: BookName,
    *,
    bet: Annotated[
        list[str], Parameter(name="--bet", negative="", consume_multiple=True, help="WAGER=AMOUNT, on every round.")
    ],
    rounds: Annotated[
        list[int] | None, Parameter(name="--rounds", negative="", help="Also the result after so many rounds.")
    ] = None,
    paytable: Paytables = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Show the joint result of several one-roll wagers: the chance of each net result, edge, variance, long run."""
    from pitbook.engine.rounds import after_rounds
    from pitbook.engine.spread import spread as joined
    from pitbook.errors import InputError
    from pitbook.money import Cents, format_amount

    rules = open_book(book, reading, option, as_printed=as_printed)
    tables = find_paytables(rules, paytable)
    stakes: dict[str, Cents] = {}
    for word in bet:
        one = parse_bet(word, rules, tables)
        if one.before_roll != 1:
            raise InputError(f"--bet {word!r}: a spread is bet on every round, leave @{one.before_roll} out")
        stakes[one.wager] = Cents(stakes.get(one.wager, 0) + one.stake)
    found = joined(rules, stakes, tables)
    later = [after_rounds(found.nets, count) for count in rounds or ()]
    if json:
        data: dict[str, Any] = {
            "book": rules.id,
            "stakes": stakes,
            "stake": found.stake,
            "nets": [{"net": net, "probability": str(chance)} for net, chance in found.nets.items()],
            "win_probability": str(found.win_probability),
            "house_edge": str(found.house_edge),
            "variance": str(found.variance),
            "rounds": [
                {
                    "rounds": result.rounds,
                    "method": result.method,
                    "error": result.error,
                    "ahead": str(result.ahead),
                    "even": str(result.even),
                    "behind": str(result.behind),
                    "percentiles": {str(p): result.percentile(p) for p in (1, 5, 25, 50, 75, 95, 99)},
                }
                for result in later
            ],
        }
        print_json(data)
        return

    def money(amount: int) -> str:
        return ("+" if amount > 0 else "") + format_amount(amount, rules.decimals)

    rows = [(money(net), format_percent(chance), str(chance)) for net, chance in found.nets.items()]
    print_table(
        f"One round, {format_amount(found.stake, rules.decimals)} {rules.identity.currency} staked",
        ["net", "chance", "exactly"],
        rows,
        right=["net", "chance"],
    )
    deviation = format_amount(round(found.standard_deviation), rules.decimals)
    print(
        f"house edge {format_percent(found.house_edge)}, deviation {deviation}, "
        f"ahead {format_percent(found.win_probability)}"
    )
    if later:
        percentiles = (5, 50, 95)
        lines = [
            (
                f"{result.rounds:,}",
                format_percent(result.ahead),
                format_percent(result.even),
                format_percent(result.behind),
                *(money(result.percentile(p)) for p in percentiles),
                "exact" if result.method == "exact" else f"certified, error below {result.error:.1e}",
            )
            for result in later
        ]
        columns = ["rounds", "ahead", "even", "behind", *(f"{p} %" for p in percentiles), "method"]
        print_table("After many rounds", columns, lines, right=columns[:-1])
