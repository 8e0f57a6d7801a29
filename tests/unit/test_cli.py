"""The command line, as people and programs use it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from rich.cells import cell_len

from pitbook.cli import COMMANDS, main
from pitbook.cli.columns import fit_columns, wrap_cell
from pitbook.rulebooks.catalogue import PACKAGED, SHIPPED, load

ROOT = Path(__file__).parents[2]


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict:  # type: ignore[type-arg]
        return json.loads(self.out)  # type: ignore[no-any-return]


class Run:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Result:
        with pytest.raises(SystemExit) as stopped:
            main(list(arguments))
        captured = self.capsys.readouterr()
        code = stopped.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


def test_figures_name_the_least_and_the_most_that_a_bet_pays(run: Run) -> None:
    rows = [line.split() for line in run("analyse", "craps", "field", "horn", "pass-line-odds").out.splitlines()]
    pays = {row[0]: " ".join(row[1:8]) for row in rows if row and row[0] in ("field", "horn", "pass-line-odds")}
    assert pays == {
        "field": "1 to 1 … 2 to 1",
        "horn": "3 to 1 … 27 to 4",
        "pass-line-odds": "6 to 5 … 2 to 1",
    }


def test_help_names_every_command_in_a_line(run: Run) -> None:
    result = run("--help")
    assert result.code == 0
    for command in COMMANDS:
        assert command in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    assert run(command, "--help").code == 0


def test_a_wrong_argument_gets_the_nearest_word_and_the_command_s_help(run: Run) -> None:
    data = run("serve", "--prot", "1")
    assert data.code == 2
    assert data.err == "pitbook: unknown option --prot; did you mean --port? See pitbook serve --help\n"
    assert run("audit").err.endswith("; see pitbook audit --help\n")
    assert run("analys").err == 'pitbook: unknown command "analys"; did you mean "analyse"? See pitbook --help\n'


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_sends_to_its_own_help(run: Run, command: str) -> None:
    assert f"pitbook {command} --help" in run(command, "--nonsense-asked").err


def test_compare_names_what_only_one_book_has(run: Run) -> None:
    books = ("massachusetts-sic-bo", "singapore-mbs-sic-bo-v6")
    result = run("compare", *books)
    names = "odd, even, three-singles (20), double-and-single (28), three-from-four (4)"
    assert result.out.endswith(f"\nonly in singapore-mbs-sic-bo-v6: {names}\n")
    assert run("compare", *books, "--json").json["only_in"] == {books[1]: names.split(", ")}
    assert "only in" not in run("compare", *books, "--wager", "small").out
    assert "with one pay table only: high-roller" in run("compare", "dice-works").out


def on_a_terminal(columns: int, *arguments: str) -> str:
    """What a command prints to someone at a terminal of this width."""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"needs a pseudo-terminal, and there is none here: mount /dev/pts ({error})")
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "dumb"}
    command = [sys.executable, "-m", "pitbook", *arguments]
    with subprocess.Popen(command, stdout=theirs, stdin=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        parts = []
        with suppress(OSError):  # the other end was closed
            while part := os.read(ours, 65_536):
                parts.append(part)
        os.close(ours)
    assert process.returncode == 0
    return b"".join(parts).decode()


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [["books"], ["wagers", "dice-works"], ["analyse", "dice-works", "parlay-envy"]])
def test_on_eighty_columns_ids_stay_whole(arguments: list[str]) -> None:
    result = on_a_terminal(80, *arguments)
    assert all(cell_len(line) <= 80 for line in result.splitlines())
    book = load("dice-works")
    ids = (
        PACKAGED if arguments == ["books"] else [name for name in book.wagers if arguments[-1] in (book.id, name[:11])]
    )
    assert ids
    firsts = {line.split()[0] for line in result.splitlines() if line.split()}
    assert set(ids) <= firsts


def test_words_and_odds_stay_whole_as_long_as_there_is_room() -> None:
    clauses = "dice-works/all-lows, dice-works/seven"
    columns = [["wager", "all-lows"], ["pays", "PT1: 34 to 1; PT2: 30 to 1"], ["clauses", clauses]]
    assert fit_columns(columns, 80) == ([8, 26, 37], 3)
    for width in range(44, 80):
        widths, gap = fit_columns(columns, width)
        assert sum(widths) + gap * 2 + 2 <= width
        assert {"dice-works/all-lows,", "dice-works/seven"} <= set(
            wrap_cell(clauses, widths[2]).replace("\n", " ").split()
        )
        assert all("34 to 1" in line or "34" not in line for line in wrap_cell(columns[1][1], widths[1]).split("\n"))
    assert wrap_cell("dice-works/all-lows", 12) == "dice-works/\nall-lows"
    assert wrap_cell("works-seven=any-seven", 12) == "works-seven=\nany-seven"
    assert wrap_cell("works-seven=any-seven", 9) == "works-\nseven=\nany-seven"
    assert wrap_cell("massachusetts", 6) == "massac\nhusett\ns"


def test_books_are_listed(run: Run) -> None:
    assert [entry["book"] for entry in run("books", "--json").json] == list(SHIPPED)
    assert [entry["book"] for entry in run("books", "--json").json if entry["runs_a_table"]] == list(SHIPPED)
    assert "massachusetts-sic-bo" in run("books").out


@pytest.mark.parametrize("book", PACKAGED)
@pytest.mark.parametrize("command", ["show", "wagers", "clauses", "check"])
def test_every_book_is_shown_to_people_and_to_machines(run: Run, command: str, book: str) -> None:
    people, machines = run(command, book), run(command, book, "--json")
    assert people.code == machines.code == 0
    assert len(people.out) > 20
    assert machines.json["book"] == book


def test_show_has_every_part_of_a_book(run: Run) -> None:
    out = run("show", "massachusetts-sic-bo").out
    for part in ("Wagers: 50 areas", "Readings", "Every round", "Equipment", "Inspections", "Irregularities", "Roles"):
        assert part in out
    assert "No more bets" in out
    assert "House options" in run("show", "dice-ology").out


def test_illuminate_names_the_winning_areas(run: Run) -> None:
    data = run("illuminate", "massachusetts-sic-bo", "1-2-3", "--json").json
    assert data == {
        "book": "massachusetts-sic-bo",
        "dice": [1, 2, 3],
        "wins": [
            "total/6",
            "two-dice-combination/1-2",
            "two-dice-combination/1-3",
            "two-dice-combination/2-3",
            "small",
            "one-of-a-kind/1",
            "one-of-a-kind/2",
            "one-of-a-kind/3",
        ],
    }
    assert "lights 8 areas" in run("illuminate", "massachusetts-sic-bo", "1-2-3").out
    assert "nothing" in run("illuminate", "dice-works", "1-2").out


def test_settle_sic_bo(run: Run) -> None:
    settled = run(
        "settle", "massachusetts-sic-bo", "--bet", "small=5", "--bet", "total/6=2.50", "--bet", "big=1",
        "--rolls", "1-2-3", "--json",
    ).json  # fmt: skip
    short = [(w["wager"], w["stake"], w["result"], w["row"], w["pays"], w["net"]) for w in settled["wagers"]]
    assert short == [
        ("small", 500, "win", "win", "1 to 1", 500),
        ("total/6", 250, "win", "win", "14 to 1", 3500),
        ("big", 100, "lose", "lose", None, -100),
    ]
    assert settled["wagers"][1]["clause"] == ["2(a)(4)", "4(b)"]
    assert settled["lammers"] == {}


def test_settle_craps_with_lammers_and_running_bets(run: Run) -> None:
    settled = run("settle", "dice-works", "--bet", "all-lows=5", "--rolls", "3-1 6-6", "--json").json
    (wager,) = settled["wagers"]
    assert (wager["result"], wager["net"], wager["pays"], wager["row"]) == ("running", 0, None, None)
    assert wager["chance"] == "173/4760"
    assert settled["lammers"]["all-lows"] == {"paid": False, "marked": [4], "missing": [2, 3, 5, 6]}


def test_settle_the_base_game_of_craps(run: Run) -> None:
    settled = run(
        "settle", "craps", "--bet", "pass-line=10", "--bet", "pass-line-odds=50@2", "--bet", "place/8=12@2",
        "--bet", "hard/6=1@2", "--take-down", "place/8@4", "--off", "hard/6@3",
        "--rolls", "3-3 4-4 1-1 4-2", "--json",
    ).json  # fmt: skip
    short = [(w["wager"], w["stake"], w["result"], w["net"]) for w in settled["wagers"]]
    assert short == [
        ("pass-line", 1000, "win", 1000),
        ("pass-line-odds", 5000, "win", 6000),
        ("place/8", 1200, "taken-down", 1400),
        ("hard/6", 100, "running", 0),
    ]
    assert settled["net"] == 8400
    assert settled["wagers"][3]["called"] == "off"
    output = run("settle", "craps", "--bet", "place/6=12", "--on", "place/6@1", "--rolls", "3-3").out
    assert "won 1 time and stayed up; called on; chance of winning: 45.4545%" in " ".join(output.split())


def test_settle_prints_every_result_in_the_order_of_the_bets(run: Run) -> None:
    settled = run(
        "settle", "craps",
        "--bet", "world=5", "--bet", "pass-line=10", "--bet", "dont-pass=10", "--bet", "place/6=12",
        "--bet", "hard/6=1", "--bet", "pass-line-odds=50@2", "--bet", "dont-pass-odds=60@2", "--bet", "come=10@2",
        "--bet", "field=5@3",
        "--bet", "place/5=5@4", "--on", "place/6", "--on", "hard/6@2", "--off", "place/6@3", "--off", "hard/6@3",
        "--take-down", "hard/6@4",
        "--rolls", "4-2 3-3 5-4", "--json",
    ).json  # fmt: skip
    assert [(w["wager"], w["stake"], w["result"], w["net"]) for w in settled["wagers"]] == [
        ("world", 500, "lose", -500),
        ("pass-line", 1000, "win", 1000),
        ("dont-pass", 1000, "lose", -1000),
        ("place/6", 1200, "running", 2800),
        ("hard/6", 100, "taken-down", 900),
        ("pass-line-odds", 5000, "win", 6000),
        ("dont-pass-odds", 6000, "lose", -6000),
        ("come", 1000, "running", 0),
        ("field", 500, "win", 500),
        ("place/5", 500, "running", 0),
    ]


def test_simulate_a_strategy_with_exact_figures(run: Run) -> None:
    data = run(
        "simulate", "craps", "--strategy", "pass-and-odds", "--bankroll", "100", "--rolls", "3", "--target", "150",
        "--hands", "1e3", "--json",
    ).json  # fmt: skip
    assert data["edge_of_action"] == "7/1870"
    assert data["session"]["bankroll"] == 10000
    assert 0 < Fraction(data["session"]["risk_of_ruin"]) < 1
    assert "house edge of all bets made" in run("simulate", "craps", "--strategy", "iron-cross", "--hands", "10").out
    for wrong, says in (
        (["--strategy", "martingale"], "martingale"),
        (["--strategy", "iron-cross", "--bet", "field=5"], "leave out --bet"),
        (["--strategy", "iron-cross", "--target", "5"], "needs a --bankroll"),
        (["--rolls", "5", "--bet", "field=5"], "work only with a --strategy"),
    ):
        assert says in run("simulate", "craps", *wrong).err


def test_a_refused_bet_ends_the_command_with_its_clause_and_nothing_is_settled(run: Run) -> None:
    refused = run("settle", "craps", "--bet", "pass-line=10", "--bet", "come=10", "--rolls", "3-3")
    assert (refused.code, refused.out) == (2, "")
    assert "(3.1)" in refused.err


def test_one_book_is_compared_under_two_options_by_ids(run: Run) -> None:
    found = run("compare", "craps", "craps@crapless", "--wager", "pass-line", "--json").json
    assert found["books"] == ["craps", "craps@crapless"]
    edges = {book: bets[0]["house_edge"] for book, bets in found["bets"][0]["in"].items()}
    assert edges == {"craps": "7/495", "craps@crapless": "373/6930"}
    assert "doesn't name a variant" in run("analyse", "craps@").err


def test_check_says_whether_a_book_can_run_a_table(run: Run) -> None:
    for book in ("craps", "dice-works", "craps+dice-works"):
        found = run("check", book, "--json").json
        assert (found["problems"], found["runs_a_table"], found["missing_for_a_table"]) == ([], True, [])


def test_settle_under_another_pay_table_reading_and_option(run: Run) -> None:
    rolls = "1-1 2-1 2-2 3-2 3-3"
    bet = ("settle", "dice-works", "--bet", "all-lows=2", "--rolls", rolls, "--json")
    assert run(*bet).json["wagers"][0]["net"] == 6800
    assert run(*bet, "--paytable", "PT2").json["wagers"][0]["net"] == 6000
    assert run(*bet, "--paytable", "all-lows=PT2").json["wagers"][0]["pays"] == "30 to 1"
    seven = ("settle", "dice-works", "--bet", "all-lows=2", "--rolls", "4-3", "--json")
    assert run(*seven).json["wagers"][0]["result"] == "lose"
    assert run(*seven, "--reading", "works-seven=seven-out").json["wagers"][0]["result"] == "running"
    assert run(*seven, "--as-printed").json["wagers"][0]["result"] == "running"
    late = ("settle", "dice-works", "--bet", "all-lows=2@2", "--rolls", "6-2 4-3", "--json")
    refused = run(*late)
    assert refused.code == 2
    assert "dice-works/window" in refused.err
    assert run(*late, "--option", "works-window=any-roll").json["wagers"][0]["result"] == "lose"


def test_settle_prints_caps_chances_and_dealer_bonuses(run: Run) -> None:
    output = run("settle", "dice-works", "--bet", "parlay-envy/2x2=3", "--bet", "the-works=1", "--rolls", "1-1 1-1").out
    assert "dealers get 2.00" in output
    assert "chance of winning" in output
    assert "+117.00" in output
    assert "On the layout now" in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "masachusetts-sic-bo"], "did you mean massachusetts-sic-bo"),
        (["settle", "dice-works", "--bet", "all-low=5", "--rolls", "1-1"], "did you mean all-lows"),
        (["settle", "dice-works", "--bet", "parlay=5", "--rolls", "1-1"], "needs a selection: parlay/2x2"),
        (["settle", "dice-works", "--bet", "all-lows=5", "--rolls", "1-7"], "a die shows 1 to 6"),
        (["settle", "dice-works", "--bet", "all-lows=5", "--rolls", "1-2-3"], "not a roll of 2 dice"),
        (["settle", "dice-works", "--bet", "all-lows=5", "--rolls", ""], "no rolls given"),
        (["settle", "dice-works", "--bet", "all-lows=0", "--rolls", "1-1"], "more than 0"),
        (["settle", "dice-works", "--bet", "all-lows=-5", "--rolls", "1-1"], "not an amount"),
        (["settle", "dice-works", "--bet", "all-lows=1.005", "--rolls", "1-1"], "at most 2 decimals"),
        (["settle", "dice-works", "--bet", "all-lows", "--rolls", "1-1"], "NAME=VALUE"),
        (["settle", "dice-works", "--bet", "all-lows=5@0", "--rolls", "1-1"], "like @3"),
        (["settle", "dice-works", "--bet", "all-lows=5@9", "--rolls", "1-1"], "before roll 9"),
        (["settle", "dice-works", "--bet", "all-lows=5", "--rolls", "1-1", "--paytable", "PT9"], "PT1"),
        (["settle", "massachusetts-sic-bo", "--bet", "big=5", "--rolls", "123", "--paytable", "PT1"], "without a name"),
        (["settle", "dice-ology", "--bet", "big-ones=11", "--rolls", "1-1"], "maximum of 10 (3)\n"),
        (["settle", "dice-ology", "--bet", "big-ones=0.50", "--rolls", "1-1"], "(3)"),
        (
            ["settle", "craps", "--bet", "place/6=5@x", "--rolls", "1-1"],
            "--bet 'place/6=5@x': after @, write the number of the roll",
        ),
        (["settle", "craps", "--bet", "place/6=5@1@2", "--rolls", "1-1"], "like @3"),
        (["settle", "craps", "--bet", "place/6=5@-1", "--rolls", "1-1"], "like @3"),
        (["settle", "craps", "--bet", "place/6=5@3", "--rolls", "1-1"], "place/6 before roll 3: only 1 roll was given"),
        (["settle", "craps", "--bet", "place/2=5", "--rolls", "1-1"], "not offered here"),
        (
            ["settle", "craps", "--bet", "place/6=5", "--take-down", "place/6@0", "--rolls", "1-1"],
            "--take-down 'place/6@0'",
        ),
        (
            ["settle", "craps", "--bet", "place/6=5", "--take-down", "place/6@3", "--rolls", "1-1"],
            "only 1 roll was given",
        ),
        (
            ["settle", "craps", "--bet", "place/6=5", "--take-down", "place/8", "--rolls", "1-1"],
            "no place/8 bet is on",
        ),
        (
            ["settle", "craps", "--bet", "place/6=5", "--take-down", "plaice/6@2", "--rolls", "1-1"],
            "did you mean place/6",
        ),
        (["settle", "craps", "--bet", "place/6=5", "--take-down", "@2", "--rolls", "1-1"], "unknown wager ''"),
        (["settle", "craps", "--bet", "place/6=5", "--on", "place/6@", "--rolls", "1-1"], "--on 'place/6@': after @"),
        (
            ["settle", "craps", "--bet", "place/6=5", "--off", "place/6@x", "--rolls", "1-1"],
            "--off 'place/6@x': after @",
        ),
        (["settle", "craps", "--bet", "place/6=5@2", "--off", "place/6@1", "--rolls", "1-1"], "no place/6 bet is on"),
        (["settle", "craps", "--bet", "lay/6=5", "--off", "lay/6", "--rolls", "1-1"], "(5.5, 5.2)"),
        (
            ["settle", "craps", "--bet", "place/6=5", "--on", "place/6", "--off", "place/6@1", "--rolls", "1-1"],
            "place/6 before roll 1: called on and off at the same time",
        ),
        (["settle", "craps", "--take-down", "pass-line@1", "--rolls", "1-1"], "--bet"),
        (["wagers", "dice-works", "--reading", "works-seven"], "NAME=VALUE"),
        (["wagers", "dice-works", "--reading", "works-seven=never"], "any-seven"),
        (["wagers", "dice-works", "--option", "work-window=any-roll"], "did you mean works-window"),
        (["wagers", "dice-works", "--option", "groups=none"], "unknown group 'none'"),
        (["illuminate", "maryland-sic-bo", "1-2"], "not a roll of 3 dice"),
        (["draw", "dice-works", "all-lose"], "did you mean all-lows"),
        (["draw", "dice-works", "all-lows", "--output", "x.png"], "the extension doesn't name a format"),
        (["shwo"], "shwo"),
        (["show"], "book"),
        (["serve", "--port", "99999"], "--port"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(run: Run, arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert says in result.err
    assert result.err.startswith("pitbook: ")
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err
    assert result.out == ""


def test_check_reports_every_problem_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[book]\nid="x"\nextends="maryland-sic-bo"\n[wager.small]\npays="1 to 2"\n[wager.big]\npays="1 to 3"\n'
    )
    result = run("check", str(path), "--json")
    assert result.code == 1
    assert [problem["key"] for problem in result.json["problems"]] == ["wager.small.pays", "wager.big.pays"]
    assert "2 problems" in run("check", str(path)).out
    assert run("show", str(path)).code == 2


@pytest.mark.parametrize(
    "arguments",
    [["draw", "dice-works", "all-lows", "--output"], ["analyse", "dice-works", "all-lows", "--html"]],
)
def test_a_file_that_is_there_is_not_overwritten(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "mine.svg"
    path.write_text("years of work")
    result = run(*arguments, str(path))
    assert (result.code, path.read_text()) == (2, "years of work")
    assert result.err == f"pitbook: the file {path} already exists; name another one, or overwrite it with --force\n"


def test_a_clause_number_without_quotation_marks_is_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[wager.small]\nclause = "3.1"\n[clauses]\n3.1 = { kind = "definition", says = "small" }\n')
    problems = {one["key"]: one["right"] for one in run("check", str(path), "--json").json["problems"]}
    assert problems["wager.small.clause"] == 'write its number in quotation marks: "3.1" = …'


def test_a_section_of_a_book_that_is_empty_is_not_shown(run: Run, tmp_path: Path) -> None:
    guide = (ROOT / "docs/guides/own-book.md").read_text(encoding="utf-8")
    path = tmp_path / "two-ends.toml"
    path.write_text(guide.split("# two-ends.toml\n")[1].split("```")[0], encoding="utf-8")
    output = run("show", str(path)).out
    assert "Every roll" in output
    assert "Equipment" not in output
    assert "Irregularities" not in output
