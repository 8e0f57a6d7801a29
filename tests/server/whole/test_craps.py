"""The base game of craps over HTTP: what its rules forbid is refused with the clause, and nothing is lost."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pitbook.ledger.accounts import escrow
from pitbook.rulebooks.catalogue import SHIPPED, load
from pitbook.rulebooks.composition import digest_of
from pitbook.rulebooks.editions import packaged_digest
from pitbook.table.commands import Limit, Setup
from tests.server.whole.clients import Visitor, done, refused
from tests.server.whole.dealing import see_roll_through
from tests.server.whole.deployment import Deployment
from tests.server.whole.running import fill

TABLE = "craps-over-http"


@pytest.fixture
def dealer(demo_house: Deployment) -> Visitor:
    """A base dealer of a table with the base game, at which Ann shoots."""
    manager, rules = demo_house.visitor("demo-manager"), load("craps")
    setup = Setup("craps", rules.digest, "Test House", rules.identity.currency, limits={"*": Limit(100, 100_000)})
    done(manager.command(TABLE, "OpenTable", setup=msgspec.to_builtins(setup)))
    for role in ("box-person", "base-dealer"):
        for name in (f"demo-{role}", f"demo-{role}-2"):
            done(manager.post(f"/people/{name}/roles", {"role": role, "table": TABLE}))
    fill(demo_house.visitor("demo-box-person"), demo_house.visitor("demo-box-person-2"), TABLE, "box-person", 5_000_000)
    found = demo_house.visitor("demo-base-dealer")
    done(found.command(TABLE, "NewShooter", shooter="demo-ann"))
    return found


def roll(dealer: Visitor, *dice: int) -> None:
    """A roll, and all that it leaves to be done."""
    done(dealer.step(TABLE, "roll", dice=list(dice)))
    see_roll_through(dealer, TABLE)


def test_what_the_rules_forbid_is_refused_with_its_clause_and_nothing_is_lost(
    demo_house: Deployment, dealer: Visitor
) -> None:
    ann, ben = demo_house.visitor("demo-ann"), demo_house.visitor("demo-ben")
    start = ann.balance(TABLE)

    def is_refused(kind: str, clauses: list[str], command: str, **fields: Any) -> None:
        """Refused with its clauses, and the chips are where they were."""
        before = ann.balance(TABLE), demo_house.balances()[escrow(TABLE)]
        problem = refused(ann.command(TABLE, command, **fields), kind, 422 if kind == "not-in-the-book" else 409)
        assert problem["clauses"] == clauses
        assert (ann.balance(TABLE), demo_house.balances()[escrow(TABLE)]) == before

    def bet(*words: str) -> dict[str, Any]:
        pairs = [word.split("=") for word in words]
        return {"bets": [{"wager": wager, "amount": int(amount)} for wager, amount in pairs]}

    done(ann.bets(TABLE, "pass-line=1000"))
    for words, clauses in (("come=1000", ["3.1"]), ("dont-come=1000", ["3.3"]), ("pass-line-odds=1000", ["4.1"])):
        is_refused("window-closed", clauses, "PlaceBets", **bet(words))
        assert refused(ann.bets(TABLE, words), "window-closed", 409)["clauses"] == clauses
    roll(dealer, 2, 2)
    is_refused("window-closed", ["2.2"], "PlaceBets", **bet("pass-line=500"))
    is_refused("window-closed", ["4.1", "4.5"], "PlaceBets", **bet("pass-line-odds=3001"))
    # All or none: the field bet before the refused one is not taken either.
    is_refused("window-closed", ["2.6"], "PlaceBets", **bet("field=500", "dont-pass=500"))
    is_refused("running", ["2.2"], "TakeDown", wager="pass-line")
    is_refused("running", ["2.2"], "TakeDown", wager="pass-line", amount=100)
    is_refused("running", ["2.2"], "MoveBet", wager="pass-line", to="place/6")
    is_refused("not-in-the-book", ["2.1"], "CallBets", how="off", wagers=["pass-line"])
    is_refused("not-now", ["10.6"], "PassDice")
    assert refused(ben.bets(TABLE, "pass-line-odds=1000"), "window-closed", 409)["clauses"] == ["4.1", "4.5"]
    done(ann.bets(TABLE, "pass-line-odds=3000", "come=1000"))
    roll(dealer, 2, 3)
    is_refused("running", ["3.4"], "TakeDown", wager="come", point=5)
    done(ann.command(TABLE, "TakeDown", wager="pass-line-odds"))
    roll(dealer, 3, 4)
    assert ann.balance(TABLE) == start - 1000 - 1000
    assert demo_house.balances()[escrow(TABLE)] == 0


def test_a_manager_opens_a_table_with_several_books_on_one_hand(demo_house: Deployment) -> None:
    manager = demo_house.visitor("demo-manager")
    for books, says in (
        ("craps+craps", "craps cannot be joined with craps"),
        ("craps+nothing", "no table here can run under a book 'craps+nothing'"),
        ("craps+../x.toml", "no table here can run under a book 'craps+../x.toml'"),
        ("craps+maryland-sic-bo", "its game is sic-bo"),
    ):
        digest = digest_of(packaged_digest(part) for part in books.split("+") if part in SHIPPED)
        setup = {"book": books, "digest": digest, "facility": "Test House", "currency": "USD"}
        refusal = manager.command("composed", "OpenTable", setup=setup)
        assert refusal.status_code == 422
        assert says in refusal.text
    book = manager.get_json("/books/craps+craps-bonus+dice-works")
    setup = {"book": book["book"], "digest": book["digest"], "facility": "Test House", "currency": "USD"}
    done(manager.command("composed", "OpenTable", setup=setup))
    limits = manager.table("composed")["rules"]["limits"]
    assert {"pass-line", "fire-bet", "all-lows"} <= set(limits)
