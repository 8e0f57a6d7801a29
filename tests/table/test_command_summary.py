"""What a refused command asked for, in words, for the record."""

from __future__ import annotations

import msgspec
import pytest

from pitbook.messages.catalogue import entries
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table.command_summary import LONGEST, PLAIN, WITH_MORE, summarise
from pitbook.table.refusals import Reason
from pitbook.table.state import Table
from tests.table.craps import BASE, STICK, craps_table, placed
from tests.table.sic_bo import SicBoTable

NEW = Table("t1")


@pytest.fixture(scope="module")
def table() -> Table:
    sic_bo = SicBoTable(raw=packaged_raw("massachusetts-sic-bo"))
    sic_bo.open_table()
    return sic_bo.table


def test_every_command_has_its_words() -> None:
    assert set(PLAIN) | set(WITH_MORE) == set(c.COMMANDS)
    assert not set(PLAIN) & set(WITH_MORE)


@pytest.mark.parametrize("command", PLAIN)
def test_the_parameters_of_a_message_are_fields_of_the_command(command: type[c.Command]) -> None:
    message, named = PLAIN[command]
    assert set(named) <= {field.name for field in msgspec.structs.fields(command)}
    assert set(named) == set(entries()[f"commands.{message}"].params)


@pytest.mark.parametrize(("command", "words"), [
    (c.PlaceBets(()), "bet nothing"),
    (c.PlaceBets((c.BetRequest("small", 5_00),), verbal_cash=True), "make a verbal cash bet: US$5 on Small"),
    (c.PlaceBets((c.BetRequest("small", 5_00),) * 5), "bet US$5 on Small, US$5 on Small, US$5 on Small and 2 more"),
    (c.TakeDown("small", 2_00), "take US$2 off Small"),
    (c.TakeDown("small", player="ann"), "take the bet off Small for ann"),
    (c.RecordFound("ann", "small", 7_00), "record US$7 of ann, found on Small"),
    (c.MoveBet("small", "big"), "move the bet on Small to Big"),
    (c.BuyIn(1_000_00), "exchange US$1,000 for chips"),
    (c.CorrectDice((1, 2), "as the stick called"), "correct the dice to 1-2"),
    (c.TakeStep("no-such-step", (3, 4)), "take the step “no-such-step” with 3-4"),
])  # fmt: skip
def test_commands_in_words(command: c.Command, words: str, table: Table) -> None:
    assert summarise(command, table).text() == words


def test_a_table_that_was_never_open_has_no_names_and_no_money() -> None:
    assert summarise(c.PlaceBets((c.BetRequest("small", 5_00),)), NEW).text() == "bet ¤5 on small"


def test_invented_names_stay_on_one_short_line() -> None:
    assert summarise(c.NewShooter("ann\n12:00:00  max (manager) closed the table"), NEW).text().count("\n") == 0
    assert len(summarise(c.NewShooter("x" * 100_000), NEW).text()) == len("give the dice to ") + LONGEST
    assert summarise(c.NewShooter("{0.__class__}"), NEW).text() == "give the dice to {0.__class__}"


def test_a_refusal_says_what_was_requested() -> None:
    table = craps_table("dice-ology")
    over = table.refused(BASE, placed("little-ones=11", player="ann"), Reason.OVER_MAXIMUM).asked
    assert over is not None
    assert over.text() == "bet US$11 on Little Ones for ann"
    early = table.refused(STICK, c.TakeStep("mark"), Reason.NOT_DUE).asked
    assert early is not None
    assert early.text("zh-Hant") == "放置標記牌"
