"""A rulebook, read and checked: what a regulator's text says, under chosen readings and house options."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pitbook.errors import InputError, quoted, unknown_name
from pitbook.money import Cents, Favour, Odds, decimals_of
from pitbook.rulebooks.patches import split_key
from pitbook.rulebooks.text import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pitbook.messages import Message
    from pitbook.rulebooks.text import (
        Clause,
        Equipment,
        Forbids,
        Group,
        Identity,
        Inspection,
        Irregularity,
        Layout,
        OddsRule,
        Option,
        Procedure,
        Ranks,
        Reading,
        Role,
        Step,
    )
    from pitbook.rulebooks.wagers import HandRule, Wager

PASSIVE = ("take bets", "confirm bet", "place tip", "re-bet")
"""Acts of a procedure that block nothing: they continue while betting is open."""
ROUND_STEPS_MAX = 256


@dataclass(frozen=True, eq=False, repr=False)
class Rulebook:
    """One regulator's or licensee's book. Everything that runs a table reads it from here."""

    file: str
    digest: str
    """SHA-256 over the book's data, before readings and options are chosen."""
    identity: Identity
    odds: OddsRule
    hand: HandRule
    groups: Mapping[str, Group]
    wagers: Mapping[str, Wager]
    """The wagers on offer, by id, in the book's order."""
    every: Mapping[str, Wager]
    """All wagers of the book, on offer or not: a window may watch the lammers of one that is not."""
    withheld: Mapping[str, Message]
    """Wagers of the book that this house does not offer, each with the reason."""
    excluded: Mapping[str, Sequence[str]]
    """Those of them that the text itself does not offer, with its clauses."""
    forbids: Forbids
    readings: Mapping[str, Reading]
    readings_chosen: Mapping[str, str]
    options: Mapping[str, Option]
    options_chosen: Mapping[str, str]
    procedure: Procedure
    equipment: Mapping[str, Equipment]
    inspections: Mapping[str, Inspection]
    irregularities: Mapping[str, Irregularity]
    roles: Mapping[str, Role]
    ranks: Ranks
    layout: Layout
    clauses: Mapping[str, Clause]
    own_limits: frozenset[tuple[str, str]] = frozenset()
    """Limits that a licensee has set inside the regulator's: wager and bound, like ("little-ones", "stake_max")."""
    wager_book: Mapping[str, str] = field(default_factory=dict)
    """Of several books on one hand: the side book of each of its wagers."""
    step_book: Mapping[str, str] = field(default_factory=dict)
    """Of several books on one hand: the side book of each step that concerns only its areas."""
    side_forbids: Mapping[str, Forbids] = field(default_factory=dict)
    """The prohibitions of each side book."""

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {len(self.wagers)} wagers>"

    @property
    def id(self) -> str:
        """The book's id, as every command, address and page uses it."""
        return self.identity.id

    @property
    def dice(self) -> int:
        """How many dice are thrown."""
        return self.identity.dice

    @property
    def favour(self) -> Favour:
        """In whose favour fractions of a cent are rounded: paying less than a minimum would violate it."""
        return Favour.PLAYER if self.odds.basis == "minimum" else Favour.HOUSE

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The wagers' families, in the book's order."""
        return tuple(dict.fromkeys(wager.family for wager in self.wagers.values()))

    @cached_property
    def betting_step(self) -> Step | None:
        """The step in which wagers are made."""
        return next((step for step in self.procedure.round if step.act == "take bets"), None)

    def round_steps(self, shaker: str, called: tuple[str, ...]) -> tuple[Step, ...]:
        """Return the steps that someone must take in a round with a shaker, after irregularities were called."""
        found = self._round_steps.get((shaker, called))
        if found is None:
            if len(self._round_steps) >= ROUND_STEPS_MAX:
                self._round_steps.clear()
            found = self._round_steps[shaker, called] = tuple(
                step
                for step in self.procedure.round
                if step.act not in PASSIVE and step.shaker in (None, shaker) and step.only_after in (None, *called)
            )
        return found

    @cached_property
    def _round_steps(self) -> dict[tuple[str, tuple[str, ...]], tuple[Step, ...]]:
        return {}

    def concerns(self, step: Step, wager_id: str) -> bool:
        """Return whether a step that every book takes for itself is about a wager."""
        return self.step_book.get(step.id) == self.wager_book.get(wager_id)

    def forbids_of(self, wager_id: str) -> Forbids:
        """Return what the book of a wager forbids."""
        return self.side_forbids.get(self.wager_book.get(wager_id, ""), self.forbids)

    def wager(self, wager_id: str) -> Wager:
        """Return a wager on offer by its id; raise an error that names similar ids."""
        if wager_id in self.wagers:
            return self.wagers[wager_id]
        if wager_id in self.withheld:
            raise InputError("rulebooks.withheld", wager=quoted(wager_id), reason=self.withheld[wager_id])
        of_family = [other for other in self.wagers if other.startswith(f"{wager_id}/")]
        if of_family:
            raise InputError("rulebooks.selection", wager=quoted(wager_id), selections=", ".join(of_family))
        raise unknown_name("wager", wager_id, self.wagers, self.id)

    def not_offered(self, wager_id: str) -> Sequence[str]:
        """Return the clauses that forbid a wager which is not on offer: none where the licensee leaves it out."""
        if wager_id in self.excluded:
            return self.excluded[wager_id]
        if wager_id in self.withheld:
            group = self.every[wager_id].group
            of_group = group is not None and not any(wager.group == group for wager in self.wagers.values())
            return (of_group and self.forbids_of(wager_id).groups) or ()
        family = wager_id.partition("/")[0]
        of_family = next((wager.id for wager in self.every.values() if wager.family == family), None)
        if of_family is not None:
            forbids = self.forbids_of(of_family)
            return forbids.selections.get(family) or forbids.wagers or ()
        return self.forbids.wagers or ()

    def paytable(self, wager: Wager, name: str | None = None) -> str | None:
        """Return the name of a wager's pay table: the one requested, or the first."""
        if name is None:
            return wager.paytables[0]
        if name not in wager.paytables:
            if wager.paytables == (None,):
                raise InputError("rulebooks.unnamed-paytable", wager=quoted(wager.id), table=quoted(name))
            raise unknown_name("pay-table", name, [str(known) for known in wager.paytables], wager.id)
        return name

    def readings_of(self, wager: Wager) -> dict[str, str]:
        """Return the readings with a choice that changes this wager's figures, and the choice in force."""
        own = ("wager", wager.family)

        def touches(key: str) -> bool:
            parts = split_key(key)
            return parts[:2] == own[: len(parts)] and parts[2:3] != ("window",)

        return {
            name: self.readings_chosen[name]
            for name, reading in self.readings.items()
            if any(touches(key) for choice in reading.choices.values() for key in choice.set)
        }

    def family_name(self, family: str) -> Label:
        """Return what the names of a family's areas have in common: the name without the selection."""
        areas = [wager for wager in self.wagers.values() if wager.family == family]
        found = {lang: {_without_selection(area, lang) for area in areas} for lang in ("en", "zh")}
        plain = family.replace("-", " ").capitalize()
        return Label(**{lang: names.pop() if len(names) == 1 else plain for lang, names in found.items()})

    def printed(self, odds: Odds) -> str:
        """Return odds in a wording that this book allows."""
        return odds.printed(self.odds.wording)

    def cents(self, units: int) -> Cents:
        """Return whole units of the book's currency in minor units."""
        return Cents(units * 10**self.decimals)

    @property
    def decimals(self) -> int:
        """How many decimals the currency has."""
        return decimals_of(self.identity.currency)


def _without_selection(wager: Wager, language: str) -> str:
    name: str = getattr(wager.name, language)
    without = name.replace(wager.selection, "") if wager.selection else name
    return re.sub(r"\s+(（|$)", r"\1", re.sub(r"\s+", " ", without)).strip()
