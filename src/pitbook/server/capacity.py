"""How many connections, streams and requests the process's limit on open files allows."""

from __future__ import annotations

import logging
import resource
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

SPARE = 64
"""Connections beyond those of streams and requests, so that clients can be refused with a reason."""
OWN_FILES = 192
"""Files for the databases, the log and worker processes, and connections that arrive faster than others are closed."""
CONNECTIONS_MIN = 32
"""The fewest connections that a server accepts."""
MACOS_LIMIT = 10_240
"""macOS refuses more, whatever its hard limit says."""


def connections_max(settings: Settings) -> int:
    """Return how many connections may be open at the same time."""
    return settings.watchers_max + settings.in_flight_max + SPARE


def fit_settings(settings: Settings) -> Settings:
    """Raise the limit on open files as far as needed; return settings that fit into it.

    Log a warning if fewer streams or requests fit than are set.
    """
    limit = _raise_limit(connections_max(settings) + OWN_FILES)
    room = max(CONNECTIONS_MIN, limit - OWN_FILES - SPARE)
    if settings.watchers_max + settings.in_flight_max <= room:
        return settings
    requests = min(settings.in_flight_max, max(room // 2, room - settings.watchers_max))
    watchers = min(settings.watchers_max, room - requests)
    log.warning(
        "this process may open %d files only: at most %d streams (not %d) and %d requests (not %d) at the same time;"
        " raise the limit, for example with LimitNOFILE in systemd or with ulimit -n",
        *(limit, watchers, settings.watchers_max, requests, settings.in_flight_max),
    )
    return settings.model_copy(update={"watchers_max": watchers, "in_flight_max": requests})


def _raise_limit(wanted: int) -> int:
    """Raise the soft limit on open files towards the hard one; return the resulting limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (wanted, MACOS_LIMIT):
        target = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft != resource.RLIM_INFINITY and soft < target:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
                return target
    return wanted if soft == resource.RLIM_INFINITY else soft
