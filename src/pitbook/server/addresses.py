"""Network addresses: loopback, and membership in networks."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("pit.example")
    (True, True, False, False)
    """
    if host.lower().rstrip(".") in ("localhost", "ip6-localhost"):
        return True
    address = parse_address(host.strip("[]"))
    return address is not None and address.is_loopback


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, IPv4-mapped IPv6 as IPv4, or None for anything else."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Networks:
    """A set of networks that caches lookups."""

    def __init__(self, networks: Iterable[Network]) -> None:
        self._networks = tuple(networks)
        self._known = lru_cache(maxsize=4096)(self._contains)

    def __contains__(self, text: object) -> bool:
        return bool(self._networks) and isinstance(text, str) and self._known(text)

    def _contains(self, text: str) -> bool:
        address = parse_address(text)
        return address is not None and any(address in network for network in self._networks)
