from __future__ import annotations
from tests.server.whole.premises import Premises, body
import pytest
from collections.abc import Callable

def test_x(module_postgres_url: str, make_premises: Callable[..., Premises]) -> None:
    p = make_premises(module_postgres_url)
    a = [p.begin() for _ in range(3)]
    for one in a: one.opened(); print(one.lines)
    for one in a: print(one.log.read_text())
    print(len(p.record("house")), [e.kind for e in p.record("house")].count("PersonAdded"), p.audited())
    assert 0
