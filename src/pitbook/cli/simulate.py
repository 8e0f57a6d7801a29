"""`pitbook simulate`: simulate bets or a whole night."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from pitbook.cli.language import head, language, row_text, say
from pitbook.cli.output import check_new_file, format_percent, print_json, print_table
from pitbook.cli.parameters import (
    AsPrinted,
    Force,
    Json,
    Options,
    Paytables,
    Readings,
    find_paytables,
    open_book,
    parse_bet,
)
from pitbook.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event

    from pitbook.money import Cents
    from pitbook.rulebooks.model import Rulebook
    from pitbook.simulation.bets import Bets
    from pitbook.simulation.estimates import Estimate
    from pitbook.simulation.night_result import NightResult
    from pitbook.simulation.runner import Run
    from pitbook.simulation.seating import Night
    from pitbook.simulation.strategies import StrategyText
    from pitbook.simulation.tally import Tally
    from pitbook.simulation.work import Progress

HANDS = "1e6"
SESSIONS = "1e4"
ROLLS = 100
SEED = 1


def simulate(
    book: Annotated[str | None, Parameter(help=say("help.simulate.book"))] = None,
    *,
    bet: Annotated[
        list[str] | None,
        Parameter(name="--bet", negative="", consume_multiple=True, help=say("help.simulate.bet")),
    ] = None,
    hands: Annotated[str | None, Parameter(help=say("help.simulate.hands", default=HANDS))] = None,
    seed: Annotated[int | None, Parameter(help=say("help.simulate.seed", default=SEED))] = None,
    scenario: Annotated[Path | None, Parameter(help=say("help.simulate.scenario"))] = None,
    strategy: Annotated[str | None, Parameter(help=say("help.simulate.strategy"))] = None,
    rolls: Annotated[int | None, Parameter(help=say("help.simulate.rolls", default=ROLLS))] = None,
    bankroll: Annotated[str | None, Parameter(help=say("help.simulate.bankroll"))] = None,
    target: Annotated[str | None, Parameter(help=say("help.simulate.target"))] = None,
    threads: Annotated[int | None, Parameter(help=say("help.simulate.threads"))] = None,
    dask: Annotated[str | None, Parameter(help=say("help.simulate.dask"))] = None,
    checkpoint: Annotated[Path | None, Parameter(help=say("help.simulate.checkpoint"))] = None,
    html: Annotated[Path | None, Parameter(help=say("help.simulate.html"))] = None,
    parquet: Annotated[Path | None, Parameter(help=say("help.simulate.parquet"))] = None,
    force: Force = False,
    paytable: Paytables = None,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> int | None:
    """Simulate bets made together on the same dice, or a scenario of players, tables and hours."""
    running = {"threads": threads, "cluster": dask, "checkpoint": checkpoint}
    if scenario is not None:
        given: dict[str, Any] = {
            "BOOK": book,
            "--bet": bet,
            "--hands": hands,
            "--paytable": paytable,
            "--reading": reading,
        }
        given |= {"--option": option, "--as-printed": as_printed}
        extra = [name for name, value in given.items() if value]
        if extra:
            raise InputError("cli.scenario-has", options=", ".join(extra))
        return _simulate_scenario(scenario, seed, running, html, parquet, force=force, json=json)
    if html or parquet:
        raise InputError("cli.scenario-only")
    if book is None:
        raise InputError("cli.no-book")
    rules = open_book(book, reading, option, as_printed=as_printed)
    if strategy is not None:
        if bet or paytable or any(running.values()):
            raise InputError("cli.strategy-has")
        many = parse_hands(hands or SESSIONS)
        _strategy(rules, strategy, many, rolls or ROLLS, seed or SEED, bankroll, target, json=json)
        return None
    if rolls or bankroll or target:
        raise InputError("cli.strategy-only")
    return _simulate_bets(rules, bet or [], paytable, hands or HANDS, seed, running, json=json)


def _strategy(
    rules: Rulebook,
    name: str,
    sessions: int,
    rolls: int,
    seed: int,
    bankroll: str | None,
    target: str | None,
    *,
    json: bool,
) -> None:
    """Print the exact figures of a strategy beside those of many sessions by chance."""
    import numpy as np

    from pitbook.engine.session import chain, risk_of_ruin
    from pitbook.engine.strategy_session import session
    from pitbook.money import parse_amount
    from pitbook.simulation.strategies import play_sessions, read_strategy

    if target is not None and bankroll is None:
        raise InputError("cli.target-alone")
    text, follow = read_strategy(rules, name)
    found = chain(rules, follow)
    nets = play_sessions(found, sessions, rolls, seed)
    share = [5, 25, 50, 75, 95]
    data: dict[str, Any] = {
        "book": rules.id,
        "strategy": name,
        "says": text.says,
        "layouts": len(found.layouts),
        "edge_of_action": str(found.edge_of_action),
        "action_per_roll": str(found.action_per_roll),
        "loss_per_roll": str(found.loss_per_roll),
        "simulated": {
            "sessions": sessions,
            "rolls": rolls,
            "seed": seed,
            "mean": float(nets.mean()),
            "standard_deviation": float(nets.std()),
            "ahead": float((nets > 0).mean()),
            "percentiles": dict(zip(map(str, share), np.percentile(nets, share).astype(int).tolist(), strict=True)),
        },
    }
    if bankroll is not None:
        cash = parse_amount(bankroll, rules.decimals)
        exact = session(rules, follow, cash, rolls)
        data["session"] = {"bankroll": cash, "rolls": rolls, "mean": str(exact.mean), "ahead": str(exact.ahead)}
        data["session"]["ruined"] = str(exact.ruined)
        if target is not None:
            goal = parse_amount(target, rules.decimals)
            data["session"] |= {"target": goal, "risk_of_ruin": str(risk_of_ruin(rules, follow, cash, goal))}
    if json:
        print_json(data)
        return
    _print_strategy(rules, text, data)


def _print_strategy(rules: Rulebook, text: StrategyText, data: dict[str, Any]) -> None:
    from fractions import Fraction

    from pitbook.messages.values import in_language

    def money(amount: object) -> str:
        return f"{float(Fraction(str(amount))) / 10**rules.decimals:,.4f}"

    by_chance = data["simulated"]
    strategy = "results.simulate.strategy"
    rows = [
        (say(f"{strategy}.edge"), format_percent(Fraction(data["edge_of_action"]))),
        (say(f"{strategy}.action"), money(data["action_per_roll"])),
        (say(f"{strategy}.loss"), money(data["loss_per_roll"])),
        (say(f"{strategy}.mean", sessions=by_chance["sessions"], rolls=by_chance["rolls"]), money(by_chance["mean"])),
        (say(f"{strategy}.deviation"), money(by_chance["standard_deviation"])),
        (say(f"{strategy}.ahead"), format_percent(Fraction(by_chance["ahead"]))),
    ]
    if "session" in data:
        exact = data["session"]
        rows += [
            (say(f"{strategy}.exact-mean"), money(exact["mean"])),
            (say(f"{strategy}.exact-ahead"), format_percent(Fraction(exact["ahead"]))),
            (say(f"{strategy}.exact-ruined"), format_percent(Fraction(exact["ruined"]))),
        ]
        if "target" in exact:
            rows.append((say(f"{strategy}.risk"), format_percent(Fraction(exact["risk_of_ruin"]))))
    columns = ["", *head("figure")]
    says = in_language(text.zh, language()) if text.zh and language() != "en" else text.says
    print_table(f"{says} ({rules.identity.currency})", columns, rows, right=columns[1:])


def parse_hands(text: str) -> int:
    """Return a number of hands as people write it.

    >>> parse_hands("1e8"), parse_hands("2.5e6"), parse_hands("1_000"), parse_hands("65,536")
    (100000000, 2500000, 1000, 65536)
    """
    found = re.fullmatch(
        r"(\d{1,16})(?:\.(\d{1,16}))?(?:[eE]\+?(\d{1,2}))?", re.sub(r"[_,]", "", text.strip()), re.ASCII
    )
    if found:
        whole, part, power = found[1], found[2] or "", int(found[3] or 0)
        if len(part.rstrip("0")) <= power:
            return int(whole + part.rstrip("0") + "0" * (power - len(part.rstrip("0"))))
    raise InputError("cli.hands", text=quoted(text))


@contextmanager
def _progress_and_stop(unit: str, units: int, *, quiet: bool) -> Iterator[tuple[Callable[[Progress], None], Event]]:
    """Show progress on stderr; the first Ctrl-C asks the run to stop, a second one aborts it."""
    import signal
    from threading import Event, current_thread, main_thread

    stop = Event()
    before: Any = None

    def interrupted(_number: int, _frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    ours = current_thread() is main_thread()
    if ours:
        before = signal.signal(signal.SIGINT, interrupted)
    try:
        with _bar(unit, units, quiet=quiet) as watch:
            yield watch, stop
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(unit: str, units: int, *, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    import sys

    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Bar(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=units, rate="")
        yield lambda now: bar.update(
            task, completed=now.done, rate=say("results.simulate.rate", rate=f"{now.rate:,.0f}", unit=unit)
        )


def _simulate_bets(
    rules: Rulebook,
    words: list[str],
    paytable: list[str] | None,
    hands: str,
    seed: int | None,
    running: dict[str, Any],
    *,
    json: bool,
) -> int | None:
    from pitbook.money import Cents
    from pitbook.simulation.bets import place_bets
    from pitbook.simulation.runner import run

    tables = find_paytables(rules, paytable)
    stakes: dict[str, Cents] = {}
    for word in words:
        one = parse_bet(word, rules, tables)
        if one.before_roll != 1:
            raise InputError("cli.bet-late", bet=quoted(word), roll=one.before_roll)
        stakes[one.wager] = Cents(stakes.get(one.wager, 0) + one.stake)
    number = parse_hands(hands)
    bets = place_bets(rules, stakes, hands=number, seed=SEED if seed is None else seed, paytables=tables)
    with _progress_and_stop(rules.identity.game, bets.units, quiet=json) as (watch, stop):
        found = run(bets, watch=watch, stop=stop, **running)
    if not found.result.hands:
        raise InputError("cli.stopped-early")
    if json:
        print_json(bets_data(rules, bets, found))
    else:
        _print_bets(rules, bets, found)
    return None if found.complete else 130


def _print_rate(progress: Progress, unit: str) -> None:
    """Print the rate to stderr; standard output is the same for the same seed."""
    import sys

    if progress.fresh and sys.stderr.isatty():
        rate = say("results.simulate.rate", rate=f"{progress.rate:,.0f}", unit=unit)
        print(say("results.simulate.took", seconds=f"{progress.seconds:.2f}", rate=rate), file=sys.stderr)


def estimate_data(found: Estimate) -> dict[str, Any]:
    """Return an estimate as JSON."""
    exact = None if found.exact is None else str(found.exact)
    return {"value": found.value, "low": found.low, "high": found.high, "exact": exact, "z": found.z}


def bets_data(rules: Rulebook, bets: Bets, found: Run[Tally]) -> dict[str, Any]:
    """Return the result of simulated bets as JSON; money in minor units. The same seed gives the same bytes."""
    from pitbook.simulation.estimates import CONFIDENCE, estimate

    tally = found.result
    figures = estimate(rules, bets, tally)
    return {
        "book": rules.id,
        "seed": bets.seed,
        "hands": tally.hands,
        "hands_wanted": bets.hands,
        "rolls": tally.rolls,
        "method": bets.method,
        "confidence": CONFIDENCE,
        "stake": bets.stake,
        "bets": [
            {
                "wager": one.bet.wager,
                "stake": one.bet.stake,
                "paytable": one.bet.paytable,
                "mean": estimate_data(one.mean),
                "house_edge": estimate_data(one.house_edge),
                "deviation": one.deviation,
                "deviation_exact": one.deviation_exact,
                "ends": [
                    {"row": end.row, "net": end.net, "count": end.count, "chance": estimate_data(end.chance)}
                    for end in one.ends
                ],
            }
            for one in figures.bets
        ],
        "together": {
            "net": tally.net,
            "mean": estimate_data(figures.together),
            "house_edge": estimate_data(figures.house_edge),
            "deviation": figures.deviation,
            "deviation_if_independent": figures.deviation_if_independent,
            "ahead": float(tally.share(low=1)),
            "behind": float(tally.share(high=-1)),
            "rolls": estimate_data(figures.rolls_a_hand),
            "nets": [{"net": net, "count": count} for net, count in tally.totals.items()],
        },
    }


def _sign(value: float | None) -> str:
    return "—" if value is None else f"{value:+.2f}"


def _print_bets(rules: Rulebook, bets: Bets, found: Run[Tally]) -> None:
    from pitbook.currencies import format_amount
    from pitbook.simulation.estimates import estimate

    tally = found.result
    figures = estimate(rules, bets, tally)

    def money(amount: float) -> str:
        return ("+" if amount > 0 else "") + format_amount(round(amount), rules.decimals)

    def edge(one: Estimate) -> tuple[str, str, str, str]:
        exact = "—" if one.exact is None else format_percent(one.exact)
        return format_percent(one.value), f"{format_percent(one.low)} … {format_percent(one.high)}", exact, _sign(one.z)

    rows = [
        (one.bet.wager, format_amount(one.bet.stake, rules.decimals), *edge(one.house_edge), money(one.deviation)[1:])
        for one in figures.bets
    ]
    if len(rows) > 1:
        staked = format_amount(bets.stake, rules.decimals)
        rows.append((say("results.simulate.all"), staked, *edge(figures.house_edge), money(figures.deviation)[1:]))
    columns = head("bet", "stake", "house-edge", "interval", "exact", "z", "deviation")
    game = rules.identity.game
    title = say("results.simulate.title", count=tally.hands, game=game, book=rules.id, seed=bets.seed)
    print_table(title, columns, rows, right=columns[1:])
    ends = [
        (
            one.bet.wager,
            row_text(end.row),
            money(end.net),
            f"{end.count:,}",
            format_percent(end.chance.value),
            format_percent(end.chance.exact),
            _sign(end.chance.z),
        )
        for one in figures.bets
        for end in one.ends
    ]
    columns = head("bet", "end", "net", "times", "share", "exact", "z")
    print_table(say("results.simulate.ends"), columns, ends, right=columns[2:])
    shares = {"ahead": format_percent(tally.share(low=1)), "behind": format_percent(tally.share(high=-1))}
    nets = {
        "low": tally.percentile(5),
        "high": tally.percentile(95),
        "worst": min(tally.totals),
        "best": max(tally.totals),
    }
    print(say("results.simulate.one", game=game, **shares, **{name: money(net) for name, net in nets.items()}))
    if len(bets.bets) > 1:
        alone, together = (money(d)[1:] for d in (figures.deviation_if_independent, figures.deviation))
        print(say("results.simulate.deviation", together=together, alone=alone))
    print(say(f"results.simulate.{'multinomial' if bets.method == 'multinomial' else 'every-roll'}"))
    print(say("results.simulate.rolls", count=tally.rolls))
    _print_rate(found.progress, game)
    if not found.complete:
        print(say("results.simulate.stopped", done=f"{tally.hands:,}", total=f"{bets.hands:,}", game=game))


def _simulate_scenario(
    path: Path,
    seed: int | None,
    running: dict[str, Any],
    html: Path | None,
    parquet: Path | None,
    *,
    force: bool,
    json: bool,
) -> int | None:
    from pitbook.simulation.parquet import SHEETS, write_parquet
    from pitbook.simulation.runner import run
    from pitbook.simulation.scenario import load_scenario
    from pitbook.simulation.seating import seat

    files = [parquet / f"{name}.parquet" for name in SHEETS] if parquet else []
    for file in (html, *files):
        check_new_file(file, force=force)
    night = seat(load_scenario(path), seed=seed)
    with _progress_and_stop("night", night.units, quiet=json) as (watch, stop):
        found = run(night, watch=watch, stop=stop, **running)
    evening = found.result.in_order()
    if not evening.nights:
        raise InputError("cli.night-stopped-early")
    if parquet:
        write_parquet(parquet, night, evening)
    if html:
        from pitbook.reports.night_report import write_report

        write_report(html, night, evening)
    if json:
        from pitbook.simulation.summary import night_data

        print_json(night_data(night, evening))
    else:
        _print_night(night, evening, found)
    return None if found.complete else 130


def _print_night(night: Night, evening: NightResult, found: Run[NightResult]) -> None:
    from pitbook.currencies import format_amount
    from pitbook.simulation.summary import summarise

    def money(amount: float) -> str:
        return ("+" if amount > 0 else "") + format_amount(round(amount), night.decimals)

    figures = summarise(night, evening)
    rows = [
        (
            one.name,
            f"{one.players:,}",
            money(one.mean),
            *(money(one.percentiles[p]) for p in (5, 50, 95)),
            format_percent(one.ahead),
            format_percent(one.ruined),
            "—" if one.ruin_hours is None else say("results.simulate.hours", hours=f"{one.ruin_hours:.1f}"),
        )
        for one in figures.groups
    ]
    spread = ["5%", *head("median"), "95%"]
    columns = [*head("players", "number", "mean"), *spread, *head("ahead", "ruined", "half-ruined-by")]
    what = {"hours": f"{night.hours:g}", "tables": night.tables, "book": night.book, "seed": night.seed}
    title = say("results.simulate.night-title", nights=evening.nights, **what)
    print_table(title, columns, rows, right=columns[1:])
    house = figures.house
    rows = [
        (say("results.simulate.win"), money(house.mean), *(money(house.percentiles[p]) for p in (5, 50, 95))),
        (
            say("results.simulate.hold"),
            *(format_percent(value) for value in (house.hold, *(house.holds[p] for p in (5, 50, 95)))),
        ),
        (say("results.simulate.worst-hour"), money(house.worst_mean), *(money(house.worst[p]) for p in (5, 50, 95))),
    ]
    columns = ["", *head("mean"), *spread]
    print_table(say("results.simulate.house"), columns, rows, right=columns[1:])
    ends = [(wager, row_text(row), f"{count:,}") for wager, row, count in figures.ends]
    print_table(say("results.simulate.bets-ended"), head("wager", "end", "times"), ends, right=head("times"))
    print(say("results.simulate.extremes", worst=money(house.worst_ever), largest=money(house.largest)))
    print(say("results.simulate.totals", bets=figures.bets, rolls=figures.rolls))
    _print_rate(found.progress, "night")
    if not found.complete:
        print(say("results.simulate.nights-stopped", done=f"{evening.nights:,}", total=f"{night.nights:,}"))
