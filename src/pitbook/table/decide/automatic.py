"""Automatic tables: the electronic tumbler takes the steps of the book, its seed committed to before anyone bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.irregularities import void
from pitbook.table.decide.rounds import perform
from pitbook.table.decide.suspension import check_countdown, check_runs, later
from pitbook.table.people import MANAGER, is_supervisor
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open, due, in_play, overdue
from pitbook.tumbler.mapping import MAPPING, check_nonce, commitment, throw

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft
    from pitbook.table.state import Draw


def commit_seed(draft: Draft, command: c.CommitSeed) -> None:
    table = draft.table
    check_runs(draft)
    if table.draw is not None:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.draw-runs", round=table.draw.round)
    if len(command.commitment) != 64 or command.mapping != MAPPING or not command.sealed:
        draft.refuse(Reason.BAD_SEED, "tables.automatic.commitment")
    day = draft.context.at[:10]
    draft.emit(e.SeedCommitted(table.round.number, command.commitment, command.sealed, command.mapping, day))
    while not betting_open(draft.table):
        _take_due(draft)
    if in_play(draft.table):
        _count_down(draft)


def start_countdown(draft: Draft, _command: c.StartCountdown) -> None:
    draw = _draw(draft)
    check_runs(draft)
    if draw.until is not None or not betting_open(draft.table):
        draft.refuse(Reason.NOT_NOW, "tables.automatic.counting")
    if not in_play(draft.table):
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.nobody-bet")
    _count_down(draft)


def _count_down(draft: Draft) -> None:
    assert draft.table.automatic is not None
    until = later(draft.context.at, draft.table.automatic.betting_seconds)
    draft.emit(e.CountdownStarted(draft.table.round.number, until))


def give_nonce(draft: Draft, command: c.GiveNonce) -> None:
    if not betting_open(draft.table):
        draft.refuse(Reason.BETTING_CLOSED, "tables.automatic.entries-closed")
    check_countdown(draft)
    wrong = check_nonce(command.nonce)
    if wrong:
        draft.refuse(Reason.BAD_SEED, wrong)
    draft.emit(e.NonceGiven(draft.person.name, command.nonce))


def close_betting(draft: Draft, _command: c.CloseBetting) -> None:
    draw = _draw(draft)
    check_runs(draft)
    if not betting_open(draft.table) or draw.until is None:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.no-countdown")
    if later(draft.context.at, 0) < draw.until:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.closes-at", until=draw.until)
    if draft.table.craps and draft.table.shooter is None:
        draft.emit(e.ShooterNamed(_next_shooter(draft)))
    while any(step.act == "close betting" for step in draft.rules.procedure.round) and betting_open(draft.table):
        _take_due(draft)
    assert draft.table.automatic is not None
    reveal_by = later(draft.context.at, draft.table.automatic.reveal_seconds)
    draft.emit(e.BettingClosed(draft.table.round.number, reveal_by))


def _next_shooter(draft: Draft) -> str:
    """Return the next player with a wager after the last shooter: the dice go round."""
    there = sorted({bet.player for bet in draft.table.bets.values()})
    last = draft.table.last_shooter or ""
    return next((name for name in there if name > last), there[0])


def reveal_seed(draft: Draft, command: c.RevealSeed) -> None:
    """Reveal the seed, from which the dice follow; that of a void round is revealed, too, and settles nothing.

    After the time by which the dice are due nothing is revealed: someone could have known them, and waited.
    """
    draw = _draw(draft)
    if draw.closed is None and not draw.voided:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.betting-open")
    if not draw.voided and overdue(draw, draft.context.at):
        draft.refuse(Reason.NOT_NOW, "tables.automatic.overdue", until=draw.reveal_by)
    seed = _seed(draft, command.seed)
    if commitment(seed) != draw.commitment:
        draft.refuse(Reason.BAD_SEED, "tables.automatic.other-seed")
    nonces = tuple(sorted(draw.nonces.values()))
    dice: tuple[int, ...] = ()
    if draw.closed is not None:
        dice = throw(
            seed,
            table=draft.table.id,
            round=draw.round,
            close=draw.closed,
            nonces=nonces,
            dice=draft.rules.dice,
            mapping=draw.mapping,
        )
    draft.emit(e.SeedRevealed(draw.round, command.seed.lower(), draw.closed or "", nonces, dice, draw.voided))
    if draw.voided:
        return
    while due(draft.table) is not None:
        _take_due(draft, dice)
    draft.emit(e.RoundEnded(draft.table.round.number))


def _seed(draft: Draft, text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        draft.refuse(Reason.BAD_SEED, "tables.automatic.seed-length")
    return seed


def _take_due(draft: Draft, dice: tuple[int, ...] = ()) -> None:
    """Take the step of the book that is due, in its electronic form."""
    step = due(draft.table)
    assert step is not None
    perform(draft, step, c.TakeStep(step.id, dice=dice, shakes=step.at_least or 1))


def _draw(draft: Draft) -> Draw:
    draw = draft.table.draw
    if draw is None:
        draft.refuse(Reason.NOT_NOW, "tables.automatic.no-draw")
    return draw


# ---------------------------------------------------------------- failed, void


def correct_clock(draft: Draft, command: c.CorrectClock) -> None:
    """Continue at the clock's time. A countdown starts again; a closed round is void: how long ago is not known."""
    if not draft.context.ahead:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.not-ahead")
    if not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.reason")
    draw = draft.table.draw
    draft.emit(e.ClockCorrected(command.words.strip()))
    if draw is None or draw.voided:
        return
    if draw.closed is not None:
        void(draft)
    elif draw.until is not None:
        _count_down(draft)


def report_tumbler(draft: Draft, command: c.ReportTumbler) -> None:
    draw = draft.table.draw
    draft.emit(e.TumblerFailed(command.words, command.lost and draw is not None))
    if draw is not None and not draw.voided:
        void(draft)


def propose_void(draft: Draft, command: c.ProposeVoid) -> None:
    draw = _draw(draft)
    if draw.voided:
        draft.refuse(Reason.NOTHING_TO_DO, "tables.automatic.already-void")
    if not command.words.strip():
        draft.refuse(Reason.NOTHING_TO_DO, "rounds.reason")
    draft.emit(e.VoidProposed(draw.round, draft.person.name, command.words))


def approve_void(draft: Draft, command: c.ApproveVoid) -> None:
    table = draft.table
    if table.void_by is None or table.draw is None or table.draw.round != command.round:
        draft.refuse(Reason.NO_SUCH_PROPOSAL, "tables.automatic.no-void", round=command.round)
    if table.void_by == draft.person.name:
        draft.refuse(Reason.OWN_ACT, "rights.second-person")
    assert is_supervisor(draft.rules, draft.person.role) or draft.person.role == MANAGER
    void(draft)
