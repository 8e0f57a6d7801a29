"""`pitbook settle`: bets and rolls to winnings, by the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import head, named, odds_text, row_text, say
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
    parse_act,
    parse_bet,
)
from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.engine.play import Outcome, Played
    from pitbook.rulebooks.model import Rulebook


def settle(
    book: BookName,
    *,
    bet: Annotated[
        list[str],
        Parameter(name="--bet", negative="", consume_multiple=True, help=say("help.settle.bet")),
    ],
    take_down: Annotated[
        list[str] | None,
        Parameter(name="--take-down", negative="", help=say("help.settle.take-down")),
    ] = None,
    on: Annotated[list[str] | None, Parameter(name="--on", negative="", help=say("help.settle.on"))] = None,
    off: Annotated[list[str] | None, Parameter(name="--off", negative="", help=say("help.settle.off"))] = None,
    rolls: Annotated[str, Parameter(help=say("help.settle.rolls"))],
    paytable: Paytables = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Settle bets on rolls: craps from a new shooter's come-out, Sic Bo throw by throw."""
    from pitbook.dice import parse_rolls
    from pitbook.engine.play import play

    if not bet:
        raise InputError("cli.no-bets")
    rules = open_book(book, reading, option, as_printed=as_printed)
    tables = find_paytables(rules, paytable)
    bets = [parse_bet(word, rules, tables) for word in bet]
    acts = [parse_act(word, "take down") for word in take_down or ()]
    acts += [parse_act(word, "on") for word in on or ()] + [parse_act(word, "off") for word in off or ()]
    played = play(rules, bets, parse_rolls(rolls, rules.dice), acts)
    if json:
        print_json(played_data(rules, played))
        return
    _print(rules, played)


def played_data(rules: Rulebook, played: Played) -> dict[str, Any]:
    """Return the settlement as JSON; money in minor units."""
    return {
        "book": rules.id,
        "wagers": [_outcome_data(rules, outcome) for outcome in played.outcomes],
        "net": played.net,
        "hand": str(played.progress.hand) if rules.identity.game == "craps" else None,
        "lammers": played.lammers,
    }


def _outcome_data(rules: Rulebook, outcome: Outcome) -> dict[str, Any]:
    from pitbook.engine.chance import chance_of

    bet, settled = outcome.bet, outcome.settlement or (outcome.paid[-1] if outcome.paid else None)
    wager = rules.wagers[bet.wager]
    data: dict[str, Any] = {
        "wager": bet.wager,
        "stake": bet.stake,
        "paytable": rules.paytable(wager, bet.paytable),
        "before_roll": bet.before_roll,
        "result": outcome.result,
        "row": settled.row if settled else None,
        "pays": rules.printed(settled.odds) if settled and settled.result != "lose" else None,
        "net": outcome.net,
        "decided_by_roll": outcome.decided_by_roll,
        "clause": list(settled.clauses if settled else wager.clauses),
    }
    if outcome.paid:
        data["wins"] = len(outcome.paid)
    if outcome.taken_down is not None:
        data["taken_down_before_roll"] = outcome.taken_down
    if outcome.standing is not None:
        data["chance"] = str(chance_of(rules, outcome.standing))
        if outcome.standing.hand.point is not None:
            data["point"] = outcome.standing.hand.point
        if outcome.standing.called:
            data["called"] = outcome.standing.called
    if settled is not None:
        if settled.capped:
            data["capped"] = settled.capped
        if settled.rounding:
            data["rounding"] = str(settled.rounding)
        if settled.envy:
            data["dealers_get"] = settled.envy
    return data


def _print(rules: Rulebook, played: Played) -> None:
    from pitbook.currencies import format_amount
    from pitbook.engine.chance import chance_of

    def money(amount: int, sign: str = "") -> str:
        return (sign if amount > 0 else "") + format_amount(amount, rules.decimals)

    rows = []
    for outcome in played.outcomes:
        data = _outcome_data(rules, outcome)
        notes = []
        if "wins" in data:
            notes.append(say("results.settle.wins", count=data["wins"]))
        if "point" in data:
            notes.append(say("results.settle.point", point=data["point"]))
        if "called" in data:
            notes.append(say("results.settle.called", called=data["called"]))
        if outcome.standing is not None:
            notes.append(say("results.settle.chance", percent=format_percent(chance_of(rules, outcome.standing))))
        if "capped" in data:
            notes.append(say("results.settle.capped", amount=money(data["capped"])))
        if "dealers_get" in data:
            notes.append(say("results.settle.dealers", amount=money(data["dealers_get"])))
        if "rounding" in data:
            notes.append(say("results.settle.rounded", amount=data["rounding"]))
        rows.append(
            (
                outcome.bet.wager + (f" @{outcome.bet.before_roll}" if outcome.bet.before_roll > 1 else ""),
                money(outcome.bet.stake),
                row_text(outcome.result),
                row_text(data["row"] or ""),
                odds_text(data["pays"] or ""),
                money(outcome.net, "+"),
                ", ".join(data["clause"]),
                "; ".join(notes),
            )
        )
    columns = head("wager", "stake", "result", "row", "pays", "net", "clause", "note")
    print_table(f"{named(rules.identity.title)} ({rules.identity.currency})", columns, rows, right=head("stake", "net"))
    print(say("results.settle.net", amount=money(played.net, "+"), currency=rules.identity.currency))
    standing = {wager: lammers for wager, lammers in played.lammers.items() if format_lammers(lammers)}
    if standing:
        lines = [(wager, format_lammers(lammers)) for wager, lammers in standing.items()]
        point = played.progress.hand.point
        hand = say("results.settle.come-out") if point is None else say("results.settle.hand-point", point=point)
        print_table(say("results.settle.layout", hand=hand), head("area", "lammers"), lines)


def format_lammers(lammers: dict[str, Any]) -> str:
    """Return the lammers of one area in a few words; empty if there are none."""
    if lammers["paid"]:
        return say("results.settle.lammer-paid")
    if not lammers["marked" if "marked" in lammers else "count"]:
        return ""
    if "marked" in lammers:
        marked, missing = (" ".join(map(str, lammers[part])) for part in ("marked", "missing"))
        return say("results.settle.lammer-marked", marked=marked, missing=missing)
    if "of" in lammers:
        return say("results.settle.lammer-count", count=lammers["count"], of=lammers["of"])
    return say("results.settle.lammer-row", row=lammers["row"])
