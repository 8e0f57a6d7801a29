"""Currencies: their decimals, and amounts as text."""

from __future__ import annotations

from functools import cache


@cache
def find_decimals(currency: str) -> int | None:
    """Return the number of decimals of an ISO 4217 currency, or None for an unknown one."""
    from iso4217 import Currency  # slow to import

    decimals = next((one.exponent for one in Currency if one.code == currency), None)
    return None if decimals is None else int(decimals)


def format_amount(amount: int, decimals: int = 2) -> str:
    """Format minor units as an amount.

    >>> format_amount(123450), format_amount(-500)
    ('1,234.50', '-5.00')
    """
    whole, part = divmod(abs(amount), 10**decimals)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole:,}.{part:0{decimals}d}" if decimals else f"{sign}{whole:,}"
