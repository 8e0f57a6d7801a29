"""`pitbook verify-round`: from a proof, and from a journal in which everything can have gone wrong."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.cli import main
from pitbook.house.house import House
from pitbook.journal.decisions import Accepted, Command, Decision, Event
from pitbook.journal.entries import Entry
from pitbook.journal.runner import Runner
from pitbook.journal.sqlite import SqliteStore
from pitbook.journal.states import Domain
from pitbook.ledger.accounts import Account
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.tumbler.mapping import commitment, throw
from pitbook.tumbler.proof import Proof, from_json
from tests.waiting import HANG

SEED = bytes(range(32))
AT = "2026-01-01T00:00:00.000000+00:00"
COUNT: Domain[int] = Domain(lambda _table, content: int(content or b"0"), lambda n, _entry: n + 1, lambda n: b"%d" % n)


class Tumbler:
    """Writes the entries of an automatic table to a journal, as right or as wrong as a test wants it."""

    def __init__(self, path: Path, table: str = "t1") -> None:
        self.path, self.table = path, table
        self.store = SqliteStore(path)
        self.runner = Runner(self.store, COUNT)

    def close(self) -> None:
        self.runner.close()
        self.store.close()

    def write(self, kind: str, throw: int | None = None, **body: Any) -> Entry:
        event = Event(kind, msgspec.json.encode({"type": kind, **body}, order="deterministic"), tag=throw)

        def decide(state: int, balances: Mapping[Account, int], at: str) -> Decision:
            return Accepted((event,), b"done")

        command = Command(self.table, kind.encode(), decide, "electronic tumbler", "tumbler", AT)
        sequence = self.runner.submit(command).result(HANG).sequence
        return next(self.store.entries(self.table, sequence - 1, 1))

    def commit(self, number: int, seed: bytes = SEED) -> None:
        self.write("SeedCommitted", round=number, commitment=commitment(seed), sealed="1.k.n.c", mapping=1, day=AT[:10])

    def nonce(self, player: str, nonce: str) -> None:
        self.write("NonceGiven", player=player, nonce=nonce)

    def no_more_bets(self, number: int) -> str:
        return self.write("BettingClosed", round=number).hash.hex()

    def reveal(self, number: int, close: str, nonces: tuple[str, ...] = (), **changes: Any) -> tuple[int, ...]:
        dice: tuple[int, ...] = ()
        if close:
            dice = throw(SEED, table=self.table, round=number, close=close, nonces=nonces, dice=3)
        body: dict[str, Any] = {
            "seed": SEED.hex(),
            "close": close,
            "nonces": nonces,
            "dice": dice,
            "voided": False,
        } | changes
        self.write("SeedRevealed", round=number, **body)
        return dice

    def play(self, number: int = 1) -> None:
        """A round as it should be, with two players' nonces, one of them changed."""
        self.commit(number)
        self.write("BetPlaced", bet=1, player="ann", wager="small", amount=500)
        self.nonce("ann", "first thought")
        self.nonce("bob", "骰寶")
        self.nonce("ann", "lucky")
        dice = self.reveal(number, self.no_more_bets(number), ("lucky", "骰寶"))
        self.write("StepTaken", throw=number, step="enter-dice", dice=sorted(dice))
        self.write("RoundEnded", round=number)


@pytest.fixture
def tumbler(tmp_path: Path) -> Any:
    with closing(Tumbler(tmp_path / "house.db")) as made:
        yield made


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def words(self) -> str:
        """What was printed, as if lines had no end."""
        return " ".join(self.out.split())

    @property
    def wrong(self) -> dict[str, str]:
        """The steps that were not right."""
        return {step["name"]: step["says"] for step in json.loads(self.out)["steps"] if not step["ok"]}

    @property
    def mistake(self) -> str:
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("pitbook: ")
        assert self.err.count("\n") == 1
        return self.err


class Run:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: object) -> Result:
        with pytest.raises(SystemExit) as stopped:
            main(["verify-round", *map(str, words)])
        captured = self.capsys.readouterr()
        assert isinstance(stopped.value.code, int)
        return Result(stopped.value.code, captured.out, captured.err)

    def on(self, tumbler: Tumbler, *words: object, number: int = 1) -> Result:
        return self("--journal", tumbler.path, "--table", tumbler.table, "--round", number, *words)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


def a_proof(**changes: Any) -> Proof:
    dice = throw(SEED, table="t1", round=7, close="ab" * 32, nonces=("lucky",), dice=3)
    whole = Proof("t1", 7, 1, 3, commitment(SEED), SEED.hex(), "ab" * 32, ("lucky",), dice, False)
    return msgspec.structs.replace(whole, **changes)


# ---------------------------------------------------------------- from a proof


def test_a_right_proof_is_shown_step_by_step(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(a_proof().to_json())
    result = run(path)
    assert result.code == 0
    assert "Table t1, round 7" in result.out
    for step in ("seed", "commitment", "message 0", "block 0", "byte 1", "dice", "result"):
        assert step in result.out
    assert "WRONG" not in result.out
    assert result.out.rstrip().endswith(
        "Verified: the seed produces these dice, and it is the one that was committed to."
    )


def test_a_wrong_proof_says_what_is_wrong_and_exits_with_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(a_proof(result=(6, 6, 6)).to_json())
    result = run(path)
    assert result.code == 1
    assert "WRONG" in result.out
    assert "This draw is not proved: result." in result.out
    answer = run(path, "--json")
    assert answer.code == 1
    assert list(answer.wrong) == ["result"]
    assert json.loads(answer.out)["good"] is False


def test_a_proof_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(a_proof().to_json())))
    answer = run("-", "--json")
    assert answer.code == 0
    assert json.loads(answer.out)["proof"] == json.loads(a_proof().to_json())


def test_names_cannot_write_to_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(a_proof(table="\x1b[2Jt1").to_json())
    assert "\x1b" not in run(path).out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "name a round's proof"),
        (["--unknown"], "unknown option '--unknown'"),
        (["-x", "--json"], "unknown option '-x'"),
        (["good.json", "--unknown"], "--unknown"),
        (["none.json"], "cannot read none.json"),
        (["bad.json"], "this is not a round's proof"),
        (["long.json"], "too long"),
        (["."], "cannot read ."),
        (["good.json", "--journal", "x.db"], "not both"),
        (["good.json", "--table", "t1"], "name the --journal too"),
        (["good.json", "--proof", "bad.json"], "the file bad.json already exists"),
        (["good.json", "--proof", "none/x.json"], "cannot write none/x.json"),
        (["--journal", "x.db"], "--table NAME --round N"),
        (["--journal", "x.db", "--table", "t1", "--round", "1"], "there is no journal x.db"),
        (["--journal", "x.db", "--table", "t1", "--round", "one"], "--round"),
    ],
    ids=" ".join,
)
def test_mistakes_are_one_clear_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_bytes(a_proof().to_json())
    Path("bad.json").write_text('{"table": 7}')
    with Path("long.json").open("wb") as file:
        file.truncate(10_000_001)
    assert says in run(*words).mistake


# ---------------------------------------------------------------- from a journal


def test_a_round_of_a_journal_is_proved_and_its_proof_written(run: Run, tumbler: Tumbler, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        tumbler.play(number)
    displayed = run.on(tumbler, "--proof", tmp_path / "proof.json", number=2)
    assert (displayed.code, displayed.err) == (0, "")
    for words in ("Committed by entry 10 at", "which closed betting", "2 nonces, as given by players", "settles on"):
        assert words in displayed.words
    proof = from_json((tmp_path / "proof.json").read_bytes())
    assert (proof.round, proof.nonces) == (2, ("lucky", "骰寶"))
    assert run(tmp_path / "proof.json").code == 0


def test_a_round_that_is_not_there(run: Run, tumbler: Tumbler) -> None:
    tumbler.play()
    assert "has no round 2 with a seed" in run.on(tumbler, number=2).mistake
    assert "unknown table 'nine'" in run("--journal", tumbler.path, "--table", "nine", "--round", 1).mistake


def test_a_round_whose_seed_is_still_sealed_or_lost_is_not_proved(run: Run, tumbler: Tumbler, tmp_path: Path) -> None:
    tumbler.commit(1)
    tumbler.no_more_bets(1)
    answer = run.on(tumbler, "--json")
    assert answer.code == 1
    assert answer.wrong == {"revealed": "The seed has not been revealed yet"}
    assert "This round can't be checked: revealed." in run.on(tumbler).out
    assert "this round has no proof" in run.on(tumbler, "--proof", tmp_path / "p.json").mistake
    assert not (tmp_path / "p.json").exists()
    tumbler.write("TumblerFailed", words="the key is gone", lost=True)
    tumbler.write("RoundVoided", round=1, returned=())
    assert "The seed was lost (entry 3," in run.on(tumbler, "--json").wrong["revealed"]


def test_a_round_voided_before_the_close(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    tumbler.write("RoundVoided", round=1, returned=())
    tumbler.reveal(1, "", voided=True)
    assert run.on(tumbler).code == 0


def test_a_round_voided_after_the_close(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    close = tumbler.no_more_bets(1)
    tumbler.write("RoundVoided", round=1, returned=())
    tumbler.reveal(1, close, voided=True)
    assert "these would have been its dice" in run.on(tumbler).words
    assert run.on(tumbler).code == 0


def test_a_void_that_the_record_does_not_hold(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    tumbler.reveal(1, tumbler.no_more_bets(1), voided=True)
    assert list(run.on(tumbler, "--json").wrong) == ["void"]


def test_another_seed_than_the_one_committed_to(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1, bytes(32))
    tumbler.reveal(1, tumbler.no_more_bets(1))
    assert list(run.on(tumbler, "--json").wrong) == ["commitment"]


def test_a_second_commitment(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    tumbler.commit(1, bytes(range(1, 33)))
    tumbler.reveal(1, tumbler.no_more_bets(1))
    assert "2 commitments, 1 close and 1 reveal" in run.on(tumbler, "--json").wrong["once"]


def test_a_commitment_after_the_close(run: Run, tumbler: Tumbler) -> None:
    close = tumbler.no_more_bets(1)
    tumbler.commit(1)
    tumbler.reveal(1, close)
    assert list(run.on(tumbler, "--json").wrong) == ["order"]


def test_the_hash_of_another_entry_than_the_close(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    tumbler.no_more_bets(1)
    tumbler.reveal(1, tumbler.write("BetsConfirmed", bets=()).hash.hex())
    assert list(run.on(tumbler, "--json").wrong) == ["close"]


def test_a_close_that_the_record_does_not_hold(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    tumbler.reveal(1, "ab" * 32)
    assert list(run.on(tumbler, "--json").wrong) == ["close"]


@pytest.mark.parametrize("kind", ["BetPlaced", "BetTakenDown"])
def test_a_bet_that_changed_after_the_close(run: Run, tumbler: Tumbler, kind: str) -> None:
    tumbler.commit(1)
    close = tumbler.no_more_bets(1)
    tumbler.write(kind, bet=1, amount=5)
    tumbler.reveal(1, close)
    assert run.on(tumbler, "--json").wrong == {"bets": "Bets changed after the close, by these entries: 3"}


@pytest.mark.parametrize("used", [(), ("first",), ("lucky", "mine"), ("lucky", "lucky")])
def test_nonces_that_were_chosen_after_the_close(run: Run, tumbler: Tumbler, used: tuple[str, ...]) -> None:
    tumbler.commit(1)
    tumbler.nonce("ann", "first")
    tumbler.nonce("ann", "lucky")
    close = tumbler.no_more_bets(1)
    tumbler.nonce("bob", "mine")
    tumbler.reveal(1, close, used)
    assert list(run.on(tumbler, "--json").wrong) == ["nonces"]


def test_a_round_settled_on_other_dice(run: Run, tumbler: Tumbler) -> None:
    tumbler.commit(1)
    dice = tumbler.reveal(1, tumbler.no_more_bets(1))
    tumbler.write("Rolled", throw=1, dice=[die % 6 + 1 for die in dice], call="")
    assert list(run.on(tumbler, "--json").wrong) == ["settled"]


@pytest.mark.parametrize("changes", [{"seed": 7}, {"dice": None}, {"nonces": "x"}, {"dice": [1] * 101}], ids=str)
def test_what_no_tumbler_writes(run: Run, tumbler: Tumbler, changes: dict[str, Any]) -> None:
    tumbler.commit(1)
    tumbler.reveal(1, tumbler.no_more_bets(1), **changes)
    assert "can't be read" in run.on(tumbler, "--json").wrong["revealed"]


def test_a_record_that_was_altered_before_the_close(run: Run, tmp_path: Path) -> None:
    with closing(Tumbler(tmp_path / "house.db")) as tumbler:
        tumbler.play()
    with closing(sqlite3.connect(tumbler.path)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE entries SET at = '2026-01-01T00:00:01.000000+00:00' WHERE sequence = 2")
        connection.commit()
    answer = run.on(tumbler, "--json")
    assert answer.code == 1
    assert "entry 2: its content does not match its hash" in answer.wrong["record"]


# ---------------------------------------------------------------- from a house


@pytest.mark.parametrize(
    ("book", "wager", "shaker"),
    [("singapore-mbs-sic-bo-v6", "small", "automated"), ("dice-ology", "little-ones", "manual")],
)
def test_a_round_of_an_automatic_table_is_proved(
    run: Run, tmp_path: Path, book: str, wager: str, shaker: c.Shaker
) -> None:
    rules, path = load(book), tmp_path / "house.db"
    setup = c.Setup(rules.id, rules.digest, "The House", rules.identity.currency, shaker=shaker)
    setup = msgspec.structs.replace(setup, automatic=c.Automatic(betting_seconds=20, reveal_seconds=60))
    player, drawer = Person("ann", "player"), Person("electronic tumbler", "tumbler")
    seconds = count(0, 30)
    start = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with House(SqliteStore(path), clock=lambda: start + timedelta(seconds=next(seconds))) as house:
        for who, command in (
            (Person("max", "manager"), c.OpenTable(setup)),
            (player, c.BuyIn(1_000_00)),
            (drawer, c.CommitSeed(commitment(SEED), "sealed", 1)),
            (player, c.PlaceBets((c.BetRequest(wager, 10_00),))),
            (player, c.GiveNonce("lucky")),
            (drawer, c.StartCountdown()),
            (drawer, c.CloseBetting()),
            (drawer, c.RevealSeed(SEED.hex())),
        ):
            answer = house.ask("t1", who, command)
            assert answer.refused is None, answer.says
    result = run("--journal", path, "--table", "t1", "--round", 1, "--json")
    assert result.wrong == {}
    assert result.code == 0
    assert {"order", "close", "bets", "nonces", "settled", "result"} <= {
        step["name"] for step in json.loads(result.out)["steps"]
    }
