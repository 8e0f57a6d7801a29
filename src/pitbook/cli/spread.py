"""`pitbook spread`: several one-roll wagers on one throw, and after many rounds."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import head, say
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
from pitbook.errors import quoted


def spread(
    book: BookName,
    *,
    bet: Annotated[list[str], Parameter(name="--bet", negative="", consume_multiple=True, help=say("help.spread.bet"))],
    rounds: Annotated[list[int] | None, Parameter(name="--rounds", negative="", help=say("help.spread.rounds"))] = None,
    paytable: Paytables = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Show the joint result of several one-roll wagers: the chance of each net result, edge, variance, long run."""
    from pitbook.currencies import format_amount
    from pitbook.engine.rounds import after_rounds
    from pitbook.engine.spread import spread as joined
    from pitbook.errors import InputError
    from pitbook.money import Cents

    rules = open_book(book, reading, option, as_printed=as_printed)
    tables = find_paytables(rules, paytable)
    stakes: dict[str, Cents] = {}
    for word in bet:
        one = parse_bet(word, rules, tables)
        if one.before_roll != 1:
            raise InputError("cli.spread-late", bet=quoted(word), roll=one.before_roll)
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
    staked = format_amount(found.stake, rules.decimals)
    print_table(
        say("results.spread.title", amount=staked, currency=rules.identity.currency),
        head("net", "chance", "exact"),
        rows,
        right=head("net", "chance"),
    )
    deviation = format_amount(round(found.standard_deviation), rules.decimals)
    edge, ahead = format_percent(found.house_edge), format_percent(found.win_probability)
    print(say("results.spread.summary", edge=edge, deviation=deviation, ahead=ahead))
    if later:
        percentiles = (5, 50, 95)
        lines = [
            (
                f"{result.rounds:,}",
                format_percent(result.ahead),
                format_percent(result.even),
                format_percent(result.behind),
                *(money(result.percentile(p)) for p in percentiles),
                say("results.spread.exact")
                if result.method == "exact"
                else say("results.spread.certified", error=f"{result.error:.1e}"),
            )
            for result in later
        ]
        columns = [*head("rounds", "ahead", "even", "behind"), *(f"{p}%" for p in percentiles), *head("method")]
        print_table(say("results.spread.later"), columns, lines, right=columns[:-1])
