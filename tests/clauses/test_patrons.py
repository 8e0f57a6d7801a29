"""What patrons are shown, by the clauses that ask for it: odds, announcements, names and signs."""

from __future__ import annotations

from typing import Any

from pitbook.server.presenters.tables import build_rules, build_view, summary
from pitbook.server.schemas.tables import Name
from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.sic_bo import ANN, BOSS, DEALER, MARYLAND, MASSACHUSETTS, SINGAPORE, SicBoTable
from tests.table.sic_bo import ready as ready_table

MA_WORDS = ("to", "win")


def ready(copy: Copy, shaker: str = "manual", **changes: Any) -> SicBoTable:
    return ready_table(copy.raw, shaker, **changes)


def announced(table: SicBoTable) -> tuple[str, str | None, list[str]] | None:
    """Return the last announcement, as every visitor of the table gets it, and see that it is in Chinese, too."""
    found = build_view(table.table, table.now).announced
    if found is None:
        return None
    assert found.says.zh != found.says.en
    return found.says.en, found.act, found.clause


@holds(MASSACHUSETTS, "4(a)")
def test_ma_4a_all_odds_shown_at_a_table_are_stated_with_to_or_win(copy: Copy) -> None:
    rules = ready(copy).table.rules
    printed = [
        rules.printed(odds)
        for wager in rules.wagers.values()
        for rows in wager.pays.values()
        for odds in rows.values()
        if odds.wins
    ]
    assert printed
    assert all(set(text.replace("wins", "win").split()) & set(MA_WORDS) for text in printed)
    assert not any("for" in text.split() for text in printed)


@holds(MASSACHUSETTS, "5(c)")
def test_ma_5c_no_more_bets_is_shown_until_betting_opens_again(copy: Copy) -> None:
    table = ready(copy)
    assert announced(table) is None
    table.bet(ANN, "small=10")
    table.go("close")
    assert announced(table) == ("No more bets", "close betting", ["5(c)"])
    table.go("collect")
    assert announced(table) == ("No more bets", "close betting", ["5(c)"])
    table.finish()
    assert announced(table) is None


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_no_roll_is_shown_until_the_next_announcement(copy: Copy) -> None:
    for reading in ("returned", "stand"):
        table = ready(copy, readings={"no-roll-wagers": reading})
        table.bet(ANN, "small=10")
        table.go("uncover")
        table.does(DEALER, c.Call("no-roll"))
        assert announced(table) == ("No Roll", None, ["6(a)"])
        table.go("close")
        assert announced(table) == ("No more bets", "close betting", ["5(c)"])


@holds(MARYLAND, "7.A")
def test_md_7A_no_roll_is_shown_in_the_words_of_the_text(copy: Copy) -> None:
    table = ready(copy)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.Call("no-roll"))
    assert announced(table) == ("No roll", None, ["7.A"])


@holds(SINGAPORE, "3.1")
def test_sg_3_1_place_your_bets_please_is_shown_when_play_commences(copy: Copy) -> None:
    table = ready(copy, "automated")
    assert announced(table) is None
    table.take("open")
    assert announced(table) == ("Place your bets, please", "open betting", ["3.1"])
    table.take("tumble")
    assert announced(table) == ("Place your bets, please", "open betting", ["3.1"])


@holds(SINGAPORE, "3.2")
def test_sg_3_2_no_more_bets_is_shown_until_the_next_round_commences(copy: Copy) -> None:
    table = ready(copy, "automated")
    table.bet(ANN, "small=10")
    table.go("close")
    assert announced(table) == ("No more bets", "close betting", ["3.2", "3.9"])
    table.finish()
    assert announced(table) == ("No more bets", "close betting", ["3.2", "3.9"])
    table.take("open")
    assert announced(table) == ("Place your bets, please", "open betting", ["3.1"])


def test_md_1C1_the_facilitys_name_is_sent_to_every_visitor_and_cannot_be_missing() -> None:
    table = ready(Copy.packaged(MARYLAND))
    assert build_rules(table.table).setup.facility == "Test House"
    lobby = summary(table.table, table.now)
    assert lobby is not None
    assert lobby.facility == "Test House"
    nameless = c.Setup(**{**{f: getattr(table.setup(), f) for f in c.Setup.__struct_fields__}, "facility": "  "})
    table.refused(BOSS, c.ChangeSetup(nameless), Reason.CONFIGURATION)


def test_md_1C3_the_sign_has_every_wager_its_limits_and_their_effective_date() -> None:
    table = ready(Copy.packaged(MARYLAND))
    rules = build_rules(table.table)
    assert set(rules.limits) == set(rules.paytables) == set(table.table.rules.wagers)
    first = rules.since
    assert first
    table.later(hours=1)
    narrow = {"*": c.Limit(5_00, 500_00), "three-of-a-kind": c.Limit(1_00, 50_00)}
    table.does(BOSS, c.ChangeSetup(table.setup(limits=narrow)))
    changed = build_rules(table.table)
    assert changed.since
    assert changed.since > first
    assert [(one.names, one.stake_min, one.stake_max) for one in changed.limit_groups] == [
        ((Name("Three of a kind", "圍骰", "围骰"),), 1_00, 50_00),
        ((), 5_00, 500_00),
    ]
    table.later(hours=1)
    table.does(BOSS, c.CloseTable())
    table.does(BOSS, c.OpenTable(table.setup(limits=narrow)))
    assert build_rules(table.table).since == changed.since


@holds(SINGAPORE, "6.3")
def test_sg_6_3_a_wrong_display_leaves_the_dice_and_the_announcement_as_they_are(copy: Copy) -> None:
    table = ready(copy, "automated")
    table.bet(ANN, "small=10")
    table.go("collect")
    before = build_view(table.table, table.now)
    table.does(DEALER, c.Call("wrong-display", "it shows 5-6-6"))
    after = build_view(table.table, table.now)
    assert (after.dice, after.lit, after.announced) == (before.dice, before.lit, before.announced)
    table.finish()
    assert table.holds("ann") == 1_010_00
