"""`pitbook illuminate`: which areas win on these dice."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import bet_name, head, odds_text, say
from pitbook.cli.output import print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book


def illuminate(
    book: BookName,
    dice: Annotated[str, Parameter(help=say("help.illuminate.dice"))],
    *,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Show the areas of the layout that win on these dice."""
    from pitbook.dice import parse_roll
    from pitbook.engine.illuminate import illuminate as lit
    from pitbook.wager.machine import machine_of

    rules = open_book(book, reading, option, as_printed=as_printed)
    roll = parse_roll(dice, rules.dice)
    winning = lit(rules, roll)
    if json:
        print_json({"book": rules.id, "dice": list(roll.faces), "wins": list(winning)})
        return
    rows = []
    for wager_id in winning:
        wager = rules.wagers[wager_id]
        machine = machine_of(wager.spec, rules.dice)
        row = machine.end(machine.step(machine.start(), roll)) or ""
        odds = wager.pays[rules.paytable(wager)][row]
        rows.append((wager_id, bet_name(wager.name), odds_text(rules.printed(odds))))
    if rows:
        title = say("results.illuminate.lit", roll=roll, total=roll.total, count=len(rows))
        print_table(title, head("wager", "name", "pays"), rows)
    else:
        print(say("results.illuminate.dark", roll=roll, total=roll.total))
