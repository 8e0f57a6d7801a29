"""Whatever is asked, the API answers as its description says, and a refused request changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import requests
from hypothesis import HealthCheck, Phase, given, settings

from pitbook.house.stores import open_store
from pitbook.journal.entries import HOUSE, Entry
from pitbook.journal.refusal_aggregation import REFUSALS, REFUSED
from pitbook.rulebooks.catalogue import PACKAGED
from tests import loopback
from tests.server.attack.wire import SECURITY
from tests.server.whole.deployment import Deployment
from tests.soaking import SOAK, repetitions, thorough
from tests.waiting import HANG

if TYPE_CHECKING:  # imported where it is used: every process that runs tests collects this module
    from schemathesis import Case, GenerationMode, Response

ANYBODY = "anybody"
ASKERS = (ANYBODY, "demo-ann", "demo-dealer", "demo-manager")
EXAMPLES = repetitions(4, 20)
"""Requests of each kind to each operation."""
STREAMS = ("/api/v1/tables/{table}/stream", "/api/v1/house/stream")
ENDLESS = 0.05
"""So many seconds of a stream will do."""
OPERATIONS_OF_OTHERS = ("electronic tumbler", "server")
"""They continue whatever is asked."""
KNOWN = {
    "table": ["massachusetts", "dice-ology", "house"],
    "book_id": list(PACKAGED),
    "sheet": ["entries", "postings"],
    "name": ["demo-chen", "demo-pit-manager"],
}
"""What paths may name that is really there; without it every answer would be a 404."""


def described(deployment: Deployment) -> Any:
    """Return the API's schema with existing names in its paths."""
    import schemathesis

    document = loopback.get(f"{deployment.process.open_at}/api/v1/openapi.json").json()
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] in KNOWN:
                    there = {"type": "string", "enum": KNOWN[parameter["name"]]}
                    parameter["schema"] = {"anyOf": [there, there, parameter["schema"]]}
    return schemathesis.openapi.from_dict(document)


class Record:
    """The entries of the journal since the last check."""

    def __init__(self, place: str) -> None:
        self.store = open_store(place, read_only=True)
        self._heads = self._read()

    def _read(self) -> dict[str, int]:
        return {table: head.sequence for table, head in self.store.heads().items()}

    def new(self) -> Iterator[Entry]:
        before, self._heads = self._heads, self._read()
        for table, sequence in self._heads.items():
            if sequence > before.get(table, 0):
                yield from self.store.entries(table, before.get(table, 0), sequence - before.get(table, 0))


def send_case(case: Case[Any], address: str, session: requests.Session) -> Response | None:
    """The answer; none of a stream that continues."""
    if case.operation.path in STREAMS:
        try:
            return case.call(base_url=address, session=session, timeout=(5, ENDLESS))
        except requests.exceptions.RequestException:
            return None
    return case.call(base_url=address, session=session, timeout=HANG)


def looked_at(case: Case[Any], answer: Response, record: Record) -> None:
    """Check one answer, and what it left behind."""
    from schemathesis.specs.openapi import checks as conformance

    texts = f"{case.as_curl_command()}: {answer.status_code} {answer.content[:500]!r}"
    assert answer.status_code < 500 or answer.status_code in (501, 503), texts
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == ["application/problem+json"], texts
        assert answer.json()["status"] == answer.status_code, texts
    assert all(name in answer.headers for name in SECURITY), texts
    checks = [conformance.status_code_conformance, conformance.content_type_conformance]
    if case.operation.path not in STREAMS:  # its schema is that of the whole, not of each event
        checks.append(conformance.response_schema_conformance)
    case.validate_response(answer, checks=checks)
    new = [entry for entry in record.new() if entry.actor not in OPERATIONS_OF_OTHERS]
    if answer.status_code >= 400:
        assert {entry.kind for entry in new} <= {REFUSED, REFUSALS}, f"{texts}: {[entry.kind for entry in new]}"


@pytest.fixture(scope="module")
def cases(target_house: Deployment) -> dict[str, list[Case[Any]]]:
    """Some requests to every operation, as it wants them and as it does not: everyone asks the same."""
    from schemathesis import GenerationMode
    from schemathesis.checks import load_all_checks

    load_all_checks()
    return {
        operation.label: [case for mode in GenerationMode for case in generated(operation, mode)]
        for operation in (found.ok() for found in described(target_house).get_all_operations())
    }


def generated(operation: Any, mode: GenerationMode) -> list[Case[Any]]:
    """Some requests of a kind to an operation; other ones in every soak."""
    found: list[Case[Any]] = []

    @settings(
        derandomize=not SOAK,
        database=None,
        deadline=None,
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def one(case: Case[Any]) -> None:
        found.append(case)

    try:
        one()
    except Exception as error:
        if type(error).__name__ not in ("Unsatisfiable", "SkipTest"):  # an operation without input has no invalid input
            raise
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("asker", ["demo-manager", *thorough(*(name for name in ASKERS if name != "demo-manager"))])
def test_every_response_is_as_described_and_a_refusal_changes_nothing(
    target_house: Deployment,
    cases: dict[str, list[Case[Any]]],
    asker: str,
    record_property: Callable[[str, object], None],
) -> None:
    record_property("examples", sum(map(len, cases.values())))
    session = requests.Session()
    if asker != ANYBODY:
        session.headers["Authorization"] = f"Bearer {target_house.visitor(asker).token}"
    record = Record(target_house.place)
    statuses: dict[str, set[int]] = {label: set() for label in cases}
    with closing(session), closing(record.store):
        for label, some in cases.items():
            for case in some:
                answer = send_case(case, target_house.process.open_at, session)
                if answer is not None:
                    looked_at(case, answer, record)
                statuses[label].add(answer.status_code if answer is not None else 200)
    assert len(statuses) > 60
    if asker == ANYBODY:
        opened = {label for label, found in statuses.items() if 200 in found}
        assert {"GET /api/v1/tables", "GET /api/v1/books", "GET /api/v1/policy"} <= opened


def test_every_operation_says_in_which_ways_it_can_fail(target_house: Deployment) -> None:
    document = loopback.get(f"{target_house.process.open_at}/api/v1/openapi.json").json()
    for path, item in document["paths"].items():
        for method, operation in item.items():
            responses = operation["responses"]
            failures = {status for status in responses if status[0] == "4"}
            assert "429" in failures, (method, path)
            if operation.get("requestBody"):
                assert {"400", "413", "415"} <= failures, (method, path)
            if operation.get("parameters"):
                assert "400" in failures, (method, path)
            for status in failures:
                assert list(responses[status]["content"]) == ["application/problem+json"], (method, path, status)
    commands = document["paths"]["/api/v1/tables/{table}/commands"]["post"]["responses"]
    assert {"200", "202", "401", "403", "404", "409", "422"} <= set(commands)


def test_the_house_is_not_a_table_at_any_address(target_house: Deployment) -> None:
    manager = target_house.visitor("demo-manager")
    before = len(target_house.record(HOUSE))
    for path in ("", "/events", "/rounds", "/rounds/1", "/rounds/1/proof", "/stream", "/fairness", "/hold"):
        assert manager.get(f"/tables/{HOUSE}{path}").status_code == 404
    assert manager.command(HOUSE, "CloseTable").status_code == 404
    assert manager.bets(HOUSE, "small=500").status_code in (403, 404)
    assert json.loads(manager.get("/journal").content)["entries"] > 0
    assert {entry.kind for entry in target_house.record(HOUSE)[before:]} <= {REFUSED, REFUSALS, "SignedIn", "TokenMade"}
