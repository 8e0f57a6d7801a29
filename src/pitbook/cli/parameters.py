"""Parameters that many commands share, and their parsing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.errors import InputError, quoted
from pitbook.messages import compose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.engine.play import Act, Bet
    from pitbook.rulebooks.model import Rulebook

BookName = Annotated[str, Parameter(help=say("help.shared.book"))]
Database = Annotated[str, Parameter(help=say("help.shared.db"))]
Json = Annotated[bool, Parameter(name="--json", negative="", help=say("help.shared.json"))]
Force = Annotated[bool, Parameter(name="--force", negative="", help=say("help.shared.force"))]
OwnBooks = Annotated[
    list[Path] | None,
    Parameter(name="--book", negative="", help=say("help.shared.own-book")),
]
Audited = Annotated[
    bool,
    Parameter(
        name="--audit",
        negative="--no-audit",
        help=say("help.shared.audit"),
    ),
]
Readings = Annotated[
    list[str] | None,
    Parameter(name="--reading", negative="", help=say("help.shared.reading")),
]
Options = Annotated[
    list[str] | None,
    Parameter(name="--option", negative="", help=say("help.shared.option")),
]
Paytables = Annotated[
    list[str] | None,
    Parameter(name="--paytable", negative="", help=say("help.shared.paytable")),
]
AsPrinted = Annotated[bool, Parameter(name="--as-printed", negative="", help=say("help.shared.as-printed"))]


def open_book(
    book: str, readings: Sequence[str] | None, options: Sequence[str] | None, *, as_printed: bool = False
) -> Rulebook:
    """Return the book named, under the readings and options given; BOOK@OPTION=CHOICE,… names options, too."""
    from pitbook.rulebooks.catalogue import load

    name, sign, variant = book.partition("@")
    named = dict(_variant_option(word, book) for word in variant.split(",")) if sign else {}
    return load(
        name,
        readings=dict(parse_pair(word, "--reading", "double-with-triple=exactly-two") for word in readings or ()),
        options=named | parse_options(options),
        as_printed=as_printed,
    )


def _variant_option(word: str, book: str) -> tuple[str, str]:
    """Return an option of a variant: NAME=CHOICE, or a NAME that is turned on."""
    name, sign, value = word.partition("=")
    if not name.strip() or (sign and not value.strip()):
        raise InputError("cli.variant", book=quoted(book))
    return name.strip(), value.strip() if sign else "on"


def parse_options(options: Sequence[str] | None) -> dict[str, str]:
    """Return house options by name."""
    return dict(parse_pair(word, "--option", "works-window=any-roll") for word in options or ())


def parse_pair(word: str, option: str, example: str) -> tuple[str, str]:
    """Return the parts of NAME=VALUE."""
    name, sign, value = word.partition("=")
    if not (sign and name.strip() and value.strip()):
        raise InputError("cli.pair", option=option, word=quoted(word), example=example)
    return name.strip(), value.strip()


def find_paytables(book: Rulebook, words: Sequence[str] | None) -> dict[str, str]:
    """Return the pay table of each wager that one was named for."""
    chosen: dict[str, str] = {}
    for word in words or ():
        if "=" in word:
            name, table = parse_pair(word, "--paytable", "all-lows=PT2")
            wagers = [w for w in book.wagers.values() if name in (w.id, w.family, w.group)] or [book.wager(name)]
            chosen |= {wager.id: str(book.paytable(wager, table)) for wager in wagers}
        else:
            having = [wager.id for wager in book.wagers.values() if word in wager.paytables]
            if not having:
                known = sorted({str(table) for w in book.wagers.values() for table in w.paytables if table})
                named = (
                    compose("errors.common.there-are", names=known)
                    if known
                    else compose("errors.cli.unnamed-paytables")
                )
                raise InputError("cli.no-paytable", book=book.id, table=quoted(word), known=named)
            chosen |= dict.fromkeys(having, word)
    return chosen


def parse_bet(word: str, book: Rulebook, paytables: dict[str, str]) -> Bet:
    """Return the bet of WAGER=AMOUNT, or WAGER=AMOUNT@K for a bet made before roll K."""
    from pitbook.engine.play import Bet
    from pitbook.money import parse_amount

    wager, value = parse_pair(word, "--bet", "small=5 or all-lows=5@3")
    amount, before = _before_roll(value, f"--bet {quoted(word)}")
    book.wager(wager)
    return Bet(wager, parse_amount(amount, book.decimals), before, paytables.get(wager))


def parse_act(word: str, what: Literal["take down", "on", "off"]) -> Act:
    """Return what is done to the bets on a wager: WAGER, or WAGER@K before roll K."""
    from pitbook.engine.play import Act

    wager, before = _before_roll(word.strip(), f"--{what.replace(' ', '-')} {quoted(word)}")
    return Act(what, wager, before)


def _before_roll(word: str, option: str) -> tuple[str, int]:
    """Return the part before the @, and the roll after it; the first unless given."""
    what, sign, before = word.partition("@")
    if sign and not re.fullmatch(r"0{0,8}[1-9]\d{0,8}", before, re.ASCII):
        raise InputError("cli.before-roll", option=option)
    return what, int(before) if sign else 1
