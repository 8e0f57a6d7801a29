"""Players: whose chips staff may move, and who may not play at a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.roles import PLAYERS
from pitbook.audit.witnesses import check_colleague, check_known

if TYPE_CHECKING:
    from pitbook.audit.roster import Roster
    from pitbook.audit.state import Actor, Body, State

APPROVED_COMMANDS = {
    "BoughtIn": ("BuyIn",),
    "CashedOut": ("CashOut",),
    "BetPlaced": ("PlaceBets", "MoveBet"),
    "BetsPlaced": ("PlaceBets",),
    "WagerFound": ("RecordFound",),
}
"""The commands whose approval allows an event."""


def check_patron(state: State, player: str) -> None:
    """Check that someone who plays here is neither excluded nor works at the table."""
    if state.roster is None:
        return
    ensure(not state.roster.excluded(player, state.at), "excluded", "role", player=player)
    works = state.roster.works_at(player, state.name, state.at)
    ensure(not works, "works-here", "role", player=player)


def check_behalf(state: State, event: Body, who: Actor) -> None:
    """Check that a bet names the member of staff who placed it, with consent where the table requires it."""
    if "by" not in event:
        return  # older records do not say so
    by = None if who.role in PLAYERS else who.name
    ensure(event["by"] == by, "other-bettor", "role", by=event["by"], who=who.name, role=who.role)
    if state.setup.get("bet_consent"):
        check_consent(state, event, who)


def check_consent(state: State, event: Body, who: Actor) -> None:
    """Check that staff moved the chips of a player with an account only as that player or a second person agreed."""
    if who.role in PLAYERS or "consent" not in event:
        return  # players act for themselves; older records have no consents
    player, consent = event["player"], event["consent"]
    if consent is None:
        if state.roster is not None and state.roster.has_account(player, state.at):
            raise CheckFailed("no-consent", about="witness", who=who.name, player=player)
        return
    how, by = consent["how"], consent["by"]
    if how == "second person":
        check_colleague(state, by, who)
    else:
        ensure(how in ("device", "pin"), "consent-how", "witness", how=how)
        own = by == {"name": player, "role": "player"}
        ensure(own, "consent-other", "witness", name=by["name"], role=by["role"], player=player)
        check_known(state, by)
    if state.roster is not None and how == "pin":
        ensure(player in state.roster.pins, "consent-pin", "witness", player=player)
    elif state.roster is not None:
        _check_approval(state, state.roster, event, who)


def _check_approval(state: State, roster: Roster, event: Body, who: Actor) -> None:
    """Check that the approval of a consent was given by that person for this very command, and not used before."""
    consent, by = event["consent"], event["consent"]["by"]
    approval = roster.given.pop(consent["approval"], None)
    if approval is None:
        raise CheckFailed("consent-approval", about="witness", approval=consent["approval"])
    given = approval["table"], approval["asker"], approval["by"], approval["role"]
    command = json.loads(approval["command"])["command"]
    same = given == (state.name, who.name, by["name"], by["role"]) and command["player"] == event["player"]
    same = (
        same
        and command["type"] in APPROVED_COMMANDS[event["type"]]
        and command.get("amount") in (None, event.get("amount"))
    )
    same = same and _is_laid(event, command)
    ensure(same, "consent-to-other", "witness", name=by["name"], command=command)
    ensure(approval["given_at"] <= state.at, "consent-late", "witness", name=by["name"])


def _is_laid(event: Body, command: Body) -> bool:
    """Return whether the stakes of an event are those of the command to which someone agreed."""
    match command["type"]:
        case "PlaceBets":
            wanted = command["bets"]
        case "MoveBet":
            wanted = [{**command, "wager": command["to"], "amount": command["amount"] or event["amount"]}]
        case "RecordFound":
            wanted = [command]
        case _:
            return True
    fields = ("wager", "amount", "kind")
    return [[bet[one] for one in fields] for bet in event.get("bets", [event])] == [
        [bet[one] for one in fields] for bet in wanted
    ]
