"""How many decimals the amounts of a currency have."""

from __future__ import annotations

DECIMALS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI"), 0),
    **dict.fromkeys(("VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}
"""Currencies whose smallest unit is not a hundredth, by ISO 4217."""


def minor_units(currency: str) -> int:
    """Return how many minor units one major unit has.

    >>> minor_units("USD"), minor_units("JPY")
    (100, 1)
    """
    return int(10 ** DECIMALS.get(currency, 2))
