"""A scenario file: players with bankrolls and plans, tables, hours. All errors are reported at once."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pitbook.engine.settle import check_stake
from pitbook.errors import InputError, correction, quoted
from pitbook.messages import compose
from pitbook.money import Cents, parse_amount
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.errors import InvalidBook
from pitbook.simulation.toml_reader import read_toml
from pitbook.simulation.validation import InvalidScenario, ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pitbook.messages import Message
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager
    from pitbook.simulation.validation import ScenarioErrorKind

OpenBook: TypeAlias = "Callable[..., Rulebook]"
"""Returns a book by its name, with `readings` and `options`."""

PLAYERS_MAX = 100_000
NIGHTS_MAX = 1_000_000
PLAYER_NIGHTS_MAX = 20_000_000
"""Results of players that are kept: more would not fit into ordinary memory."""

_KINDS = ("int", "str")
"""Pydantic adds the kinds of a union to the place of an error; people do not need them."""

Amount = Annotated[int | str, Field(description="whole units, or a text like 2.50")]


class Part(BaseModel):
    """A part of a scenario, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Limit(Part):
    """The house's own limits for a wager, in units of the currency; the text's apply as well."""

    least: Amount | None = None
    greatest: Amount | None = None


class Plan(Part):
    """A player's bet on a wager, made whenever its window is open and they have no bet on it."""

    wager: str
    plan: Literal["flat", "list", "until won", "progression"] = "flat"
    stake: Amount | None = None
    """The stake of every plan but a list: the first one of a progression."""
    stakes: list[Amount] | None = Field(None, min_length=1, max_length=1000)
    """The stakes of a list, bet after bet, in a cycle."""
    factor: Annotated[float, Field(gt=1, le=100)] | None = None
    """The factor of a progression."""
    after: Literal["loss", "win"] = "loss"
    """When a progression goes up; the other end resets it to its first stake."""
    limit: Amount | None = None
    """The highest stake of a progression."""


class Players(Part):
    """A number of equal players."""

    name: str = Field(min_length=1, max_length=60)
    count: int = Field(1, ge=1, le=PLAYERS_MAX)
    bankroll: Amount
    stop_loss: Amount | None = None
    """They make no more bets once they have lost so much."""
    stop_win: Amount | None = None
    bets: list[Plan] = Field(min_length=1, max_length=100)


class Text(Part):
    """A whole scenario file."""

    book: str
    seed: int = Field(1, ge=0, lt=2**63)
    nights: int = Field(100, ge=1, le=NIGHTS_MAX)
    hours: float = Field(gt=0, le=1000)
    rolls_per_hour: float = Field(gt=0, le=100_000)
    tables: int = Field(1, ge=1, le=10_000)
    readings: dict[str, str] = {}
    options: dict[str, str] = {}
    paytables: dict[str, str] = {}
    limits: dict[str, Limit] = {}
    players: list[Players] = Field(min_length=1, max_length=1000)


@dataclass(frozen=True)
class Scenario:
    """A valid scenario."""

    text: Text
    rules: Rulebook

    def cents(self, amount: Amount) -> Cents:
        """Return an amount in minor units."""
        return parse_amount(str(amount), self.rules.decimals)

    def stake_limits(self, wager: Wager) -> tuple[int, int]:
        """Return the least and the greatest stake: the narrower of the text's and the house's own."""
        least, greatest = 1, 2**53
        if wager.limits:
            least = int(self.rules.cents(wager.limits.stake_min)) if wager.limits.stake_min else least
            greatest = int(self.rules.cents(wager.limits.stake_max)) if wager.limits.stake_max else greatest
        own = self.text.limits.get(wager.id)
        if own:
            least = max(least, self.cents(own.least)) if own.least is not None else least
            greatest = min(greatest, self.cents(own.greatest)) if own.greatest is not None else greatest
        return least, greatest


def load_scenario(path: Path) -> Scenario:
    """Return the scenario of a file; raise all errors at once."""
    try:
        content = path.read_bytes().decode()
    except OSError as error:
        raise InputError("simulation.scenario-not-read", file=path, reason=error.strerror or error) from None
    except UnicodeDecodeError:
        raise InputError("simulation.scenario-encoding", file=path) from None
    return read_scenario(content, str(path))


def read_scenario(content: str, name: str = "scenario", open_book: OpenBook = load) -> Scenario:
    """Return a scenario from its text; `name` is used in errors, `open_book` finds its book."""
    raw = read_toml(content, name)
    flaws: list[ScenarioError] = []
    text: Text | None = None
    try:
        text = Text.model_validate(raw)
    except ValidationError as error:
        flaws += [ScenarioError(_format_place(one["loc"]), *_error_message(one)) for one in error.errors()]
    rules = _load_book(raw, flaws, open_book)
    if rules is not None:
        readable, repaired = (text, frozenset[str]()) if text is not None else _repair(raw, rules)
        if readable is not None:
            flaws += [
                flaw for flaw in _find_errors(Scenario(readable, rules)) if not _is_consequence(flaw.place, repaired)
            ]
    if flaws or text is None or rules is None:
        raise InvalidScenario(name, flaws)
    return Scenario(text, rules)


def _repair(raw: dict[str, Any], rules: Rulebook) -> tuple[Text | None, frozenset[str]]:
    """Return the file with errors removed or filled in, so that the rest can be checked, and where that was done."""
    plan = {"wager": next(iter(rules.wagers), ""), "stake": 1}
    fillers: dict[str, Any] = {"hours": 1, "rolls_per_hour": 100, "bankroll": 1, "wager": plan["wager"], "bets": [plan]}
    fillers["players"] = [{"name": "nobody", "bankroll": 1, "bets": [plan]}]
    data, repaired = deepcopy(raw), set[str]()
    for _ in range(4):
        try:
            return Text.model_validate(data), frozenset(repaired)
        except ValidationError as error:
            for one in error.errors():
                place = [part for part in one["loc"] if part not in _KINDS]
                repaired.add(_format_place(tuple(place)))
                _repair_at(data, place, one["type"] != "extra_forbidden", fillers)
    return None, frozenset(repaired)


def _repair_at(data: Any, place: list[int | str], wanted: bool, fillers: dict[str, Any]) -> None:
    with suppress(KeyError, IndexError, TypeError):  # another repair may have removed the place
        *way, last = place
        for part in way:
            data = data[part]
        if isinstance(last, int):
            data[last] = deepcopy(fillers[str(way[-1])][0]) if str(way[-1]) in fillers else 1
        elif wanted and last in fillers:
            data[last] = deepcopy(fillers[last])
        elif wanted and last == "name":
            data[last] = f"nobody {way[-1]}"
        else:
            data.pop(last, None)


def _is_consequence(key: str, repaired: frozenset[str]) -> bool:
    """Return whether an error is only about what was filled in."""
    if any(key == place or key.startswith((f"{place}.", f"{place}[")) for place in repaired):
        return True
    bet, _, last = key.rpartition(".")
    return f"{bet}.plan" in repaired and last != "wager"


def _format_place(location: tuple[int | str, ...]) -> str:
    """Return a place in the file as people write it: players[2].bets[1].stake, counted from 1."""
    words = ""
    for part in location:
        if isinstance(part, int):
            words += f"[{part + 1}]"
        elif part not in _KINDS:
            words += f".{part}" if words else part
    return words


def _error_message(error: Any) -> tuple[ScenarioErrorKind, Message]:
    kind, given = error["type"], error.get("input")
    if kind == "missing":
        return "missing", _problem("missing")
    if kind == "extra_forbidden":
        return "unknown", _problem("unknown-key")
    if error["loc"][-1] in _KINDS:
        return "amount", _problem("not-an-amount", given=quoted(given))
    return "value", _problem("wrong-value", given=quoted(given), right=correction(error))


def _problem(id: str, /, **params: Any) -> Message:  # noqa: A002
    return compose(f"errors.simulation.flaws.{id}", **params)


def _load_book(raw: dict[str, Any], flaws: list[ScenarioError], open_book: OpenBook) -> Rulebook | None:
    def words(key: str) -> dict[str, str]:
        found = raw.get(key)
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    if not isinstance(raw.get("book"), str):
        return None
    try:
        return open_book(raw["book"], readings=words("readings"), options=words("options"))
    except InvalidBook as broken:
        flaws += [ScenarioError("book", "book", problem.message) for problem in broken.problems]
    except InputError as error:
        flaws.append(ScenarioError("book", "book", error.message))
    return None


def _find_errors(scenario: Scenario) -> Iterator[ScenarioError]:
    """Yield what does not fit the book, or does not fit together."""
    text, rules = scenario.text, scenario.rules
    for wager_id, table in text.paytables.items():
        where = f"paytables.{wager_id}"
        yield from _attempt_errors(where, "paytable", lambda w=wager_id, t=table: rules.paytable(rules.wager(w), t))
    for wager_id, limit in text.limits.items():
        yield from _attempt_errors(f"limits.{wager_id}", "wager", lambda w=wager_id: rules.wager(w))
        for key in ("least", "greatest"):
            amount = getattr(limit, key)
            if amount is not None:
                yield from _amount_errors(scenario, f"limits.{wager_id}.{key}", amount)
    count = sum(players.count for players in text.players)
    if count > PLAYERS_MAX:
        yield ScenarioError("players", "too many", _problem("players", count=count, most=PLAYERS_MAX))
    if count * text.nights > PLAYER_NIGHTS_MAX:
        too_many = _problem("player-nights", players=count, nights=text.nights, most=PLAYER_NIGHTS_MAX)
        yield ScenarioError("nights", "too many", too_many)
    if round(text.hours * text.rolls_per_hour) < 1:
        yield ScenarioError("rolls_per_hour", "no rolls", _problem("no-rolls"))
    names = [players.name for players in text.players]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield ScenarioError("players", "named twice", _problem("named-twice", name=quoted(name)))
    for place, players in enumerate(text.players, 1):
        where = f"players[{place}]"
        for key in ("bankroll", "stop_loss", "stop_win"):
            amount = getattr(players, key)
            if amount is not None:
                yield from _amount_errors(scenario, f"{where}.{key}", amount)
        wagers = [plan.wager for plan in players.bets]
        for wager in sorted({wager for wager in wagers if wagers.count(wager) > 1}):
            yield ScenarioError(f"{where}.bets", "planned twice", _problem("planned-twice", wager=wager))
        for number, plan in enumerate(players.bets, 1):
            yield from _plan_errors(scenario, f"{where}.bets[{number}]", plan)


def _plan_errors(scenario: Scenario, where: str, plan: Plan) -> Iterator[ScenarioError]:
    wanted = {"list": ["stakes"], "progression": ["stake", "factor", "limit"]}.get(plan.plan, ["stake"])
    for key in ("stake", "stakes", "factor", "limit"):
        given = getattr(plan, key) is not None
        if given and key not in wanted:
            yield ScenarioError(f"{where}.{key}", "not in plan", _problem("not-in-plan", plan=quoted(plan.plan)))
        if not given and key in wanted:
            yield ScenarioError(
                f"{where}.{key}", "missing in plan", _problem("missing-in-plan", plan=quoted(plan.plan))
            )
    if plan.after == "win" and plan.plan != "progression":
        yield ScenarioError(f"{where}.after", "not in plan", _problem("not-in-plan", plan=quoted(plan.plan)))
    try:
        wager = scenario.rules.wager(plan.wager)
    except InputError as error:
        yield ScenarioError(f"{where}.wager", "wager", error.message)
        return
    stakes = [("stake", plan.stake), ("limit", plan.limit)] if plan.stakes is None else []
    stakes += [(f"stakes[{at}]", stake) for at, stake in enumerate(plan.stakes or (), 1)]
    for key, amount in stakes:
        if amount is None:
            continue
        bad = list(_amount_errors(scenario, f"{where}.{key}", amount))
        yield from bad
        if not bad and key != "limit":
            yield from _stake_errors(scenario, f"{where}.{key}", wager, scenario.cents(amount))


def _stake_errors(scenario: Scenario, where: str, wager: Wager, stake: Cents) -> Iterator[ScenarioError]:
    bad = list(_attempt_errors(where, "stake", lambda: check_stake(scenario.rules, wager, stake)))
    yield from bad
    try:
        least, greatest = scenario.stake_limits(wager)
    except InputError:
        return  # the limit itself is wrong, and reported
    if not bad and not least <= stake <= greatest:
        yield ScenarioError(where, "house limits", _problem("house-limits", wager=wager.id))


def _amount_errors(scenario: Scenario, where: str, amount: Amount) -> Iterator[ScenarioError]:
    yield from _attempt_errors(where, "amount", lambda: scenario.cents(amount))


def _attempt_errors(where: str, kind: ScenarioErrorKind, attempt: Any) -> Iterator[ScenarioError]:
    try:
        attempt()
    except InputError as error:
        yield ScenarioError(where, kind, error.message)
