"""The clauses that the texts have, listed a second time from reading them, apart from the books' registers."""

from __future__ import annotations

from tests.clauses import (
    numbering_dice_ology,
    numbering_dice_works,
    numbering_house,
    numbering_maryland,
    numbering_massachusetts,
    numbering_singapore,
)

NUMBERING = {
    "massachusetts-sic-bo": set(numbering_massachusetts.CLAUSES),
    "maryland-sic-bo": set(numbering_maryland.CLAUSES),
    "singapore-mbs-sic-bo-v6": set(numbering_singapore.CLAUSES),
    "dice-works": set(numbering_dice_works.CLAUSES),
    "dice-ology": set(numbering_dice_ology.CLAUSES),
    "craps": set(numbering_house.clauses_of("craps")),
    "craps-bonus": set(numbering_house.clauses_of("craps-bonus")),
}
