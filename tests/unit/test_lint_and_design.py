"""Comparing, questioning and designing pay tables."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

import pitbook
from pitbook.analysis.compare import compare
from pitbook.analysis.design import Design, Targets, design
from pitbook.analysis.ladder_search import EDGE_TOLERANCE, EDGE_TOLERANCE_BESIDE, VARIANCE_TOLERANCE
from pitbook.analysis.lint import Severity, lint
from pitbook.analysis.signatures import signature
from pitbook.engine.analyse import analyse
from pitbook.errors import InputError
from pitbook.rulebooks.catalogue import PACKAGED, build, load, packaged_raw
from pitbook.rulebooks.model import Rulebook
from pitbook.rulebooks.wagers import Count
from tests.clauses.copies import patched
from tests.unit.test_cli import Run, run

__all__ = ["run"]

MASSACHUSETTS = load("massachusetts-sic-bo")
SINGAPORE = load("singapore-mbs-sic-bo-v6")
WORKS = load("dice-works")


def test_the_same_bet_is_found_by_what_decides_it_not_by_its_name() -> None:
    rows = {row.name: row for row in compare([MASSACHUSETTS, SINGAPORE])}
    triple = rows["Three of a kind 1"]
    assert triple.found["singapore-mbs-sic-bo-v6"][0].wager.id == "specific-triple/1"
    assert [round(float(edge) * 100, 2) for edge in rows["Total 4"].edges] == [29.17, 12.5]
    assert len(rows) == 50, "every Massachusetts bet is offered in Singapore too"


def test_collecting_bets_of_two_books_are_the_same_bets() -> None:
    names = {row.name for row in compare([WORKS, load("dice-ology")])}
    assert names == {"All Lows", "All Highs", "The Works"}


def test_one_book_compares_its_own_pay_tables() -> None:
    rows = {row.name: row for row in compare([WORKS])}
    assert len(rows["Roll the Line"].edges) == 7
    assert "High Roller" not in rows, "it has one pay table only"


def test_a_mirror_image_has_the_same_signature_turned_over() -> None:
    for a, b in [("small", "big"), ("total/4", "total/17"), ("two-of-a-kind/2", "two-of-a-kind/5")]:
        first, second = MASSACHUSETTS.wagers[a].spec, MASSACHUSETTS.wagers[b].spec
        assert signature(first, 3) != signature(second, 3)
        assert signature(first, 3) == signature(second, 3, mirror=True)
    lows, highs = WORKS.wagers["all-lows"].spec, WORKS.wagers["all-highs"].spec
    assert signature(lows, 2, mirror=True) == signature(highs, 2)


def test_the_misprints_are_found_by_mathematics() -> None:
    works = lint(load("dice-works", as_printed=True))
    errors = {(f.rule, f.wager) for f in works if f.severity is Severity.ERROR}
    assert ("ladder-falls", "high-roller") in errors, "43 to 1"
    assert ("player-edge", "high-roller") in errors
    for wager in ("all-lows", "all-highs", "the-works", "parlay/2x2", "parlay/8x6", "parlay-envy/10x10"):
        assert ("player-edge", wager) in errors, "sevens of Dice Works and Parlay"
    steep = {(f.wager, f.paytable) for f in works if f.rule == "keeps-more-than-half"}
    assert steep == {("roll-the-line", f"PT{n}") for n in range(1, 8)}, "sevens of Roll the Line"
    printed = lint(load("massachusetts-sic-bo", as_printed=True))
    assert {f.wager for f in printed if f.rule == "pays-less-than-it-risks"} == {
        f"one-of-a-kind/{n}" for n in range(1, 7)
    }
    assert {s for f in works for s in f.suspects} == {
        "high-roller-three=forty-three-to-one",
        "works-seven=seven-out",
        "parlay-seven=seven-out",
        "roll-the-line-seven=any-seven",
    }


@pytest.mark.parametrize("book", PACKAGED)
def test_under_the_default_readings_nothing_serious_is_found(book: str) -> None:
    assert [f for f in lint(load(book)) if f.severity is not Severity.NOTE] == []


@pytest.mark.parametrize(
    ("key", "value", "rule", "wager"),
    [
        ("wager.big.pays", "2 to 1", "mirror-pays-differently", "big"),
        ("wager.total.pays.4", "60 to 1", "mirror-pays-differently", "total/17"),
        ("wager.total.pays.9", "60 to 1", "player-edge", "total/9"),
        ("wager.one-of-a-kind.pays.three dice", "1 to 1", "ladder-falls", "one-of-a-kind/1"),
        ("wager.any-three-of-a-kind.pays", "5 to 1", "keeps-more-than-half", "any-three-of-a-kind"),
    ],
)
def test_each_kind_of_doubt_is_raised(key: str, value: str, rule: str, wager: str) -> None:
    book = build(patched(packaged_raw("massachusetts-sic-bo"), {key: value}), "mine.toml")
    found = {(f.rule, f.wager) for f in lint(book)}
    assert any(kind == rule and (who == wager or rule == "mirror-pays-differently") for kind, who in found)


def test_a_floor_for_the_return_is_the_users() -> None:
    under = {f.wager for f in lint(MASSACHUSETTS, Fraction(3, 4)) if f.rule == "return-under-floor"}
    assert under == {
        figures.wager.id
        for wager in MASSACHUSETTS.wagers.values()
        if (figures := analyse(MASSACHUSETTS, wager)).return_to_player < Fraction(3, 4)
    }
    assert "total/5" in under
    assert "small" not in under


@pytest.mark.parametrize("target", ["0.02", "0.08", "0.15", "0.4"])
@pytest.mark.parametrize("wager", ["total/4", "small", "two-of-a-kind/1", "one-of-a-kind/1"])
def test_no_neighbouring_whole_pay_comes_closer_than_the_design(wager: str, target: str) -> None:
    found = design(MASSACHUSETTS, MASSACHUSETTS.wagers[wager], Fraction(target))
    off = abs(found.off_by)
    for step in found.steps:
        assert abs(step.house_edge - found.target) >= off or len({s.row for s in found.steps}) > 1
    for end in found.proposal.ends:
        assert end.odds.gain == int(end.odds.gain)


def test_a_ladder_keeps_its_shape_and_comes_close() -> None:
    for paytable in ("PT1", "PT4"):
        found = design(WORKS, WORKS.wagers["roll-the-line"], Fraction(5, 100), paytable)
        assert abs(found.off_by) < Fraction(1, 1000)
        spec = WORKS.wagers["roll-the-line"].spec
        gains = {end.row: end.odds.gain for end in found.proposal.ends}
        assert isinstance(spec, Count)
        ladder = [gains[row] for row in spec.rows]
        assert ladder == sorted(ladder)


def test_a_design_below_the_minimum_says_so_and_an_impossible_one_is_refused() -> None:
    found = design(MASSACHUSETTS, MASSACHUSETTS.wagers["total/4"], Fraction(1, 2))
    assert [str(line) for line in found.below_minimum] == ["win: 35 to 1, and 4(b) asks for 50 to 1"]
    with pytest.raises(InputError, match="between -100% and 100%"):
        design(MASSACHUSETTS, MASSACHUSETTS.wagers["total/4"], Fraction(1))
    with pytest.raises(InputError, match="nothing would be left"):
        design(MASSACHUSETTS, MASSACHUSETTS.wagers["total/4"], Fraction(999, 1000))


# ---------------------------------------------------------------- on the command line


def test_analyse_gives_fractions_in_lowest_terms(run: Run) -> None:
    data = run("analyse", "massachusetts-sic-bo", "total/4", "--json").json
    (wager,) = data["wagers"]
    assert data["book"] == "massachusetts-sic-bo"
    assert wager["wager"] == "total/4"
    assert wager["paytable"] is None
    assert wager["ends"][0] == {"row": "win", "pays": "50 to 1", "probability": "1/72"}
    assert (wager["win_probability"], wager["house_edge"], wager["expected_rolls"]) == ("1/72", "7/24", "1")
    assert wager["clauses"] == ["2(a)(4)", "4(b)"]


def test_analyse_without_a_pay_table_gives_all_of_them(run: Run) -> None:
    data = run("analyse", "dice-works", "roll-the-line", "--json").json
    assert [wager["paytable"] for wager in data["wagers"]] == [f"PT{n}" for n in range(1, 8)]
    one = run("analyse", "dice-works", "roll-the-line", "--paytable", "PT6", "--json").json
    assert [wager["paytable"] for wager in one["wagers"]] == ["PT6"]
    both = run("analyse", "dice-works", "all-lows", "--paytable", "PT1", "--all-readings", "--json").json
    assert [wager["readings"] for wager in both["wagers"]] == [
        {"works-seven": "any-seven"},
        {"works-seven": "seven-out"},
    ]


def test_analyse_for_people_in_csv_from_a_state_with_duration_and_covariance(run: Run) -> None:
    assert "7.7613%" in run("analyse", "dice-works", "all-lows").out
    lines = run("analyse", "dice-works", "dice-works", "--csv").out.splitlines()
    assert len(lines) == 1 + 3 * 2 * 2
    assert lines[0].startswith("book,wager,paytable")
    after = run("analyse", "dice-works", "all-lows", "--after", "1-1 2-1 2-2 3-2", "--json").json
    assert after["wagers"][0]["win_probability"] == "5/11"
    refused = run("analyse", "dice-works", "all-lows", "--after", "1-1 2-1 2-2 3-2 3-3")
    assert refused.code == 2
    assert "waiting for a seven" in refused.err
    extra = run("analyse", "dice-works", "parlay/2x2", "parlay/12x2", "--duration", "2", "--covariance", "--json").json
    assert extra["durations"][0]["ends_on"] == ["1/6", "181/1296"]
    assert extra["covariances"][0]["wagers"] == ["parlay/2x2", "parlay/12x2"]
    output = run("analyse", "dice-works", "parlay/2x2", "parlay/12x2", "--duration", "2", "--covariance").out
    assert "correlation" in output
    assert "ends on roll" in output


def test_compare_lint_design_and_spread_speak_to_people_and_machines(run: Run) -> None:
    result = run("compare", "massachusetts-sic-bo", "singapore-mbs-sic-bo-v6", "--wager", "total/4")
    assert "29.1667%" in result.out
    assert "12.5000%" in result.out
    data = run("compare", "massachusetts-sic-bo", "singapore-mbs-sic-bo-v6", "--wager", "total/4", "--json").json
    assert data["bets"][0]["in"]["singapore-mbs-sic-bo-v6"][0]["house_edge"] == "1/8"
    printed = run("lint", "dice-works", "--as-printed")
    assert printed.code == 1
    assert "ladder-falls" in printed.out
    assert run("lint", "dice-ology").code == 0
    assert run("lint", "massachusetts-sic-bo", "--min-return", "75%", "--json").json["findings"][0]["rule"]
    proposal = run("design", "massachusetts-sic-bo", "total/4", "--target-edge", "8%", "--json").json
    assert proposal["pays"] == {"win": "65 to 1"}
    assert "65 to 1" in run("design", "massachusetts-sic-bo", "total/4", "--target-edge", "8%").out
    joined = run(
        "spread", "massachusetts-sic-bo", "--bet", "small=1", "--bet", "big=1", "--rounds", "10", "--json"
    ).json
    assert joined["nets"] == [{"net": -200, "probability": "1/36"}, {"net": 0, "probability": "35/36"}]
    assert joined["rounds"][0]["method"] == "exact"
    assert "After many rounds" in run("spread", "massachusetts-sic-bo", "--bet", "small=1", "--rounds", "10").out


def test_lint_reports_a_broken_book_as_findings(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mean.toml"
    path.write_text('[book]\nid="x"\nextends="maryland-sic-bo"\n[wager.small]\npays="1 to 2"\n')
    result = run("lint", str(path), "--json")
    assert result.code == 1
    assert "6.A.19 requires at least 1 to 1" in json.dumps(result.json, ensure_ascii=False)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["analyse", "dice-works", "all-low"], "did you mean all-lows"),
        (["analyse", "dice-works", "--covariance", "all-lows", "--paytable", "PT1"], "two or more wagers"),
        (["analyse", "dice-works", "parlay-envy", "--covariance"], "at most 12"),
        (["analyse", "dice-works", "all-lows", "--all-readings", "--after", "1-1"], "one reading at a time"),
        (["analyse", "dice-works", "all-lows", "--html", "x.html", "--json"], "on its own"),
        (["compare", "massachusetts-sic-bo", "dice-works"], "no bet is offered by more than one"),
        (["compare", "dice-works", "dice-works"], "named twice"),
        (["compare", "dice-works", "--wager", "smal"], "smal"),
        (["lint", "dice-works", "--min-return", "lots"], "not a share"),
        (["lint", "dice-works", "--min-return", "750%"], "more than 100%"),
        (["design", "dice-works", "all-lows", "--target-edge", "8%", "--paytable", "PT9"], "PT1"),
        (["spread", "craps", "--bet", "pass-line-odds=5"], "at the start of a hand"),
        (["spread", "massachusetts-sic-bo", "--bet", "small=5@2"], "leave out @2"),
        (["spread", "massachusetts-sic-bo", "--bet", "small=5", "--rounds", "0"], "at least one"),
    ],
)
def test_mistakes_in_judging_are_one_clear_line(run: Run, arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert says in result.err
    assert result.err.count("\n") == 1


# ---------------------------------------------------------------- the proof of a design


@pytest.mark.parametrize(
    ("book", "wager", "target", "denominators", "reason"),
    [
        (MASSACHUSETTS, "total/4", "0.08", 1, "neighbours"),
        (MASSACHUSETTS, "one-of-a-kind/1", "0.05", 1, "lattice"),
        (MASSACHUSETTS, "one-of-a-kind/1", "0.031", 20, "met"),
        (load("craps"), "field", "0.02", 3, "lattice"),
        (WORKS, "roll-the-line", "0.111", 1, "met"),
    ],
)
def test_no_pay_table_between_the_bounds_of_a_proof_comes_closer(
    book: Rulebook, wager: str, target: str, denominators: int, reason: str
) -> None:
    found = design(book, book.wager(wager), Fraction(target), denominators=denominators)
    chances = {end.row: end.probability for end in found.now.ends}
    gains = {end.row: end.odds.gain for end in found.proposal.ends if end.row in found.proof.lowest}
    assert found.proof.reason == reason
    assert [gains[row] for row in found.proof.lowest] == sorted(gains.values()), "no higher row pays less"
    whole = math.lcm(*range(1, denominators + 1))
    scale = whole * math.lcm(found.target.denominator, *(chance.denominator for chance in chances.values()))
    tables = [(0, int((found.proposal.house_edge - found.target) * scale))]  # in whole numbers: there are many of them
    for row, low in found.proof.lowest.items():
        odds = {
            Fraction(numerator, denominator)
            for denominator in range(1, denominators + 1)
            for numerator in range(1, 90 * denominator)
            if low.gain <= Fraction(numerator, denominator) <= found.proof.highest[row].gain
        }
        steps = [(int(gain * whole), int(chances[row] * (gain - gains[row]) * scale)) for gain in odds]
        tables = [(gain, off - less) for before, off in tables for gain, less in steps if gain >= before]
    assert len(tables) == found.proof.examined
    assert Fraction(min(abs(off) for _, off in tables), scale) == abs(found.off_by)
    assert found.proof.met == (abs(found.off_by) <= EDGE_TOLERANCE)


def test_a_variance_out_of_reach_has_the_closest_pay_table_of_all() -> None:
    """The two rows that pay, in plain loops over all pays that could come closer."""
    craps = load("craps")
    wanted = Targets(Fraction(1, 20), None, Fraction(40))
    found = design(craps, craps.wager("field"), wanted)
    chances = {end.row: end.probability for end in found.proposal.ends}
    losing = sum((end.probability for end in found.proposal.ends if not end.odds.wins), Fraction(0))

    def miss(gains: dict[str, int]) -> Fraction:
        mean = sum((chances[row] * gain for row, gain in gains.items()), -losing)
        variance = sum((chances[row] * gain**2 for row, gain in gains.items()), losing) - mean**2
        return max(abs(-mean - wanted.edge) * 10_000, abs(variance - 40) / 40 * 200)

    ours = miss({end.row: int(end.odds.gain) for end in found.proposal.ends if end.odds.wins})
    rows = list(found.proof.lowest)
    best = min(
        miss(dict(zip(rows, (first, second, third), strict=True)))
        for first in range(1, 10)
        for second in range(first, 60)
        for third in range(second, 60)
    )
    assert (found.proof.reason, ours) == ("all", best)
    assert not found.proof.met


def test_a_ladder_may_fall_if_the_caller_allows_it() -> None:
    wager = WORKS.wager("roll-the-line")
    rising, free = (
        design(WORKS, wager, Targets(Fraction(1, 10), None, Fraction(2)), "PT1", rising=r) for r in (True, False)
    )

    def ladder(found: Design) -> list[Fraction]:
        gains = {end.row: end.odds.gain for end in found.proposal.ends}
        return [gains[row] for row in found.proof.lowest]

    assert ladder(rising) == sorted(ladder(rising))
    assert ladder(free) != sorted(ladder(free))
    assert abs(free.proposal.variance - 2) < abs(rising.proposal.variance - 2)


def test_numbers_that_are_not_targets_are_refused() -> None:
    book = pitbook.rulebook("massachusetts-sic-bo")
    for wrong in (float("nan"), float("inf"), "lots"):
        with pytest.raises(InputError, match=r"edge .* is not a"):
            book.design("total/4", edge=wrong)
    for variance in (0, -1.0, 1e12):
        with pytest.raises(InputError, match="the variance must be more than 0"):
            book.design("total/4", edge="8%", variance=variance)


def test_any_odds_can_be_designed() -> None:
    craps = load("craps")
    for wager, pays in [("place/6", "7 to 6"), ("place/5", "7 to 5"), ("place/4", "9 to 5")]:
        edge = analyse(craps, craps.wager(wager)).house_edge
        found = design(craps, craps.wager(wager), edge, denominators=6)
        assert [str(end.odds) for end in found.proposal.ends if end.odds.wins] == [pays]
        assert found.proof.met


def test_edge_hit_frequency_and_variance_are_met_together() -> None:
    wager = WORKS.wager("roll-the-line")
    targets = Targets(Fraction(1, 10), Fraction(1, 4), Fraction(12))
    found = design(WORKS, wager, targets, "PT1")
    hits = dict(found.proof.hits)
    assert found.proposal.win_probability == min(hits.values(), key=lambda hit: abs(hit - Fraction(1, 4)))
    assert abs(found.off_by) <= EDGE_TOLERANCE_BESIDE
    assert abs(found.proposal.variance - 12) <= 12 * VARIANCE_TOLERANCE
    assert found.proof.met
    assert "pay tables" in str(found.proof)


def test_design_on_the_command_line_takes_several_targets_and_tells_the_proof(run: Run) -> None:
    arguments = ("design", "craps", "place/6", "--target-edge", "1.5152%", "--denominators", "6")
    data = run(*arguments, "--json").json
    assert data["pays"] == {"win": "7 to 6"}
    assert data["proof"]["examined"] >= 2
    assert "none is closer" in run(*arguments).out.replace("\n  ", " ")
    refused = run("design", "craps", "place/6", "--target-edge", "2%", "--denominators", "0")
    assert refused.code == 2
    assert "denominators up to" in refused.err
