"""Webhooks of real processes: nothing is lost and nothing is out of order, whoever is down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests import loopback
from tests.server.webhooks.receiver import Received, Receiver, in_order
from tests.server.whole.clients import Visitor, done
from tests.server.whole.dealing import whole_round
from tests.server.whole.deployment import Deployment
from tests.soaking import thorough
from tests.waiting import until

TABLE = "massachusetts"
ALLOWED = "127.0.0.0/8"
SETTLED = ("LosersCollected", "WinnersPaid", "RoundEnded")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as one:
        yield one


@pytest.fixture(params=["sqlite", *thorough("postgres")])
def deployment(request: pytest.FixtureRequest, make_deployment: Callable[..., Deployment]) -> Deployment:
    return make_deployment(request.getfixturevalue("postgres_url") if request.param == "postgres" else None)


def add(manager: Visitor, url: str, *topics: str) -> dict[str, Any]:
    answer: dict[str, Any] = done(manager.post("/webhooks", {"url": url, "topics": list(topics)}), 201)
    return answer


def play(deployment: Deployment) -> None:
    done(deployment.visitor("demo-ann").bets(TABLE, "small=500"))
    done(deployment.visitor("demo-ben").bets(TABLE, "big=500"))
    whole_round(deployment.visitor("demo-dealer"), TABLE, (1, 2, 3))


def recorded(deployment: Deployment, after: int = 0) -> list[tuple[str, int]]:
    """The settlements of the record itself."""
    return [(TABLE, one.sequence) for one in deployment.record(TABLE, after) if one.kind in SETTLED]


def rounds(count: int) -> Callable[[list[Received]], bool]:
    def ended(found: list[Received]) -> bool:
        return len({one.id for one in found if one.status < 300 and one.payload["kind"] == "RoundEnded"}) >= count

    return ended


def test_nothing_is_lost_while_receiver_or_server_are_down(deployment: Deployment, receiver: Receiver) -> None:
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    made = add(deployment.visitor("demo-manager"), receiver.url, "settlements")
    start = len(deployment.record(TABLE))
    play(deployment)
    receiver.until(rounds(1))
    first = receiver.accepted
    assert [one.payload["kind"] for one in first] == list(SETTLED)
    paid = next(one.payload for one in first if one.payload["kind"] == "WinnersPaid")
    assert [(line["player"], line["net"]) for line in paid["event"]["lines"]] == [("demo-ann", 500)]
    assert sum(leg["amount"] for moved in paid["transfers"] for leg in moved["legs"]) == 0
    assert all(one.signed_by(made["secret"]) for one in receiver.received)

    receiver.status = 503  # down; the house continues
    play(deployment)
    receiver.until(lambda found: found[-1].status == 503)
    deployment.process.kill()
    receiver.status = 200
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    play(deployment)
    receiver.until(rounds(3))
    assert in_order(receiver.accepted) == recorded(deployment, start)

    assert deployment.process.process.poll() is None
    deployment.process.kill()  # again, with nothing to send: nothing is sent twice
    seen = len(receiver.received)
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    play(deployment)
    receiver.until(rounds(4))
    assert in_order(receiver.accepted[seen:])[0][1] > start
    assert in_order(receiver.accepted) == recorded(deployment, start)
    deployment.audited()


def test_a_message_under_way_when_the_server_is_killed_comes_again(
    make_deployment: Callable[..., Deployment], receiver: Receiver
) -> None:
    deployment = make_deployment()
    process = deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    add(deployment.visitor("demo-manager"), receiver.url, "settlements")
    start = len(deployment.record(TABLE))
    receiver.answering.clear()
    play(deployment)
    receiver.until(len)
    process.kill()
    receiver.answering.set()
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    receiver.until(rounds(1))
    first, again = receiver.received[:2]
    assert (first.id, first.body) == (again.id, again.body)
    assert in_order(receiver.received) == recorded(deployment, start)


def test_a_failing_webhook_raises_an_alarm_that_other_webhooks_receive(
    make_deployment: Callable[..., Deployment], receiver: Receiver
) -> None:
    deployment = make_deployment()
    process = deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    manager = deployment.visitor("demo-manager")
    gone = Receiver()
    gone.close()
    add(manager, receiver.url, "alarms")
    failing = add(manager, gone.url, "settlements")
    play(deployment)
    raised = receiver.until_kinds("AlarmRaised")[0].payload
    assert raised["event"]["kind"] == "webhook failing"
    assert "nothing listens there" in raised["event"]["words"]
    alarm = next(one for one in manager.get_json("/alarms")["alarms"] if one["kind"] == "webhook failing")
    assert alarm["message"]["params"]["id"] == failing["id"]
    ready = loopback.get(f"{process.open_at}/ready")
    assert ready.status_code == 200
    assert any(gone.url in one for one in ready.json()["warnings"])
    assert "pitbook_webhooks_failing 1.0" in loopback.get(f"{process.open_at}/metrics").text
    listed = {one["id"]: one for one in manager.get_json("/webhooks")["webhooks"]}
    assert listed[failing["id"]]["failures"] >= 3
    assert listed[failing["id"]]["behind"][TABLE] > 0

    with Receiver(gone.port) as back:
        back.until(rounds(1))
        ended = receiver.until_kinds("AlarmRaised", "AlarmEnded")[-1].payload
        assert ended["event"] == {**ended["event"], "id": raised["event"]["id"], "kind": "webhook failing"}
    assert manager.ask("DELETE", f"/webhooks/{failing['id']}").status_code == 204
    assert [one["id"] for one in manager.get_json("/webhooks")["webhooks"]] != [failing["id"]]
    deployment.audited()


def test_approvals_are_sent_and_a_changed_secret_signs_beside_the_former_one(
    make_deployment: Callable[..., Deployment], receiver: Receiver
) -> None:
    deployment = make_deployment()
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    manager, fay, flo = (deployment.visitor(f"demo-{name}") for name in ("manager", "floorperson", "floorperson-2"))
    made = add(manager, receiver.url, "approvals")
    new = done(manager.post(f"/webhooks/{made['id']}/secret"))
    assert new["secret"] != made["secret"]
    second = {"name": flo.name, "role": "floorperson"}
    waiting = done(fay.command(TABLE, "Fill", amount=50_000, second=second), 202)["approval"]
    done(flo.approve(waiting))
    data = receiver.until_kinds("ApprovalAsked", "ApprovalGiven", "ApprovalUsed")
    assert [one.payload["kind"] for one in data] == ["ApprovalAsked", "ApprovalGiven", "ApprovalUsed"]
    assert {one.payload["event"]["id"] for one in data} == {waiting}
    assert {one.payload["table"] for one in data} == {"house"}
    for one in data:
        assert one.signed_by(made["secret"])
        assert one.signed_by(new["secret"])
        assert not one.signed_by("whsec_AAAA")
    stored = (deployment.folder / "house.db-access").read_bytes() + (deployment.folder / "house.db").read_bytes()
    for secret in (made["secret"], new["secret"]):
        assert secret.encode() not in stored
        assert secret.removeprefix("whsec_").encode() not in stored


@pytest.mark.thorough
def test_one_of_two_processes_delivers_and_the_other_takes_over(
    make_deployment: Callable[..., Deployment], postgres_url: str, receiver: Receiver
) -> None:
    deployment = make_deployment(postgres_url)
    first = deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    second = deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    made = add(deployment.visitor("demo-manager"), receiver.url, "settlements")
    start = len(deployment.record(TABLE))
    play(deployment)
    receiver.until(rounds(1))
    assert len(receiver.received) == len(recorded(deployment, start)), "only one of them delivers"
    carrier = next(one for one in (first, second) if 'outcome="delivered"' in metrics(one.open_at))
    carrier.kill()
    play(deployment)
    receiver.until(rounds(2))
    assert in_order(receiver.accepted) == recorded(deployment, start)
    assert all(one.signed_by(made["secret"]) for one in receiver.received)
    until(lambda: deployment.visitor("demo-manager").get_json("/webhooks")["webhooks"][-1]["failures"] == 0)


def test_a_paused_webhook_waits_and_a_test_goes_out_at_once(deployment: Deployment, receiver: Receiver) -> None:
    deployment.start(PITBOOK_WEBHOOK_NETWORKS=ALLOWED)
    manager = deployment.visitor("demo-manager")
    made = add(manager, receiver.url, "settlements")
    address, start = f"/webhooks/{made['id']}", len(deployment.record(TABLE))
    assert manager.post(f"{address}/pause").status_code == 204
    assert manager.post(f"{address}/pause").status_code == 409
    play(deployment)
    due = len(recorded(deployment, start))

    def listed() -> dict[str, Any]:
        (found,) = manager.get_json("/webhooks")["webhooks"]
        return dict(found)

    assert (listed()["paused"], listed()["pending"], receiver.received) == (True, due, [])
    receiver.status = 418
    assert done(manager.post(f"{address}/test")) == {"status": 418, "reason": "refused", "error": "it answered 418"}
    receiver.status = 204
    assert done(manager.post(f"{address}/test")) == {"status": 204, "reason": None, "error": ""}
    first, second = receiver.received
    assert first.id != second.id
    assert second.signed_by(made["secret"])
    assert (second.payload["type"], second.payload["actor"], second.payload["event"]) == ("test", "demo-manager", {})
    assert manager.get_json(f"{address}/deliveries") == {"deliveries": []}, "a test is not a delivery"

    assert manager.post(f"{address}/resume").status_code == 204
    assert manager.post(f"{address}/resume").status_code == 409
    receiver.until(lambda found: len(found) == 2 + due)
    until(lambda: listed()["pending"] == 0)
    assert in_order(receiver.received[2:]) == recorded(deployment, start)
    deliveries = manager.get_json(f"{address}/deliveries")["deliveries"]
    assert [one["id"] for one in deliveries] == [one.id for one in reversed(receiver.received[2:])]
    assert {(one["status"], one["tries"], one["reason"]) for one in deliveries} == {(204, 1, None)}
    assert manager.get_json(f"{address}/deliveries?limit=1")["deliveries"] == deliveries[:1]

    assert manager.post(f"{address}/pause").status_code == 204
    assert manager.ask("DELETE", address).status_code == 204
    assert manager.post(f"{address}/test").status_code == 404
    deployment.audited()


def metrics(address: str) -> str:
    return loopback.get(f"{address}/metrics").text


def test_addresses_that_nothing_is_ever_sent_to_are_refused(demo_house: Deployment) -> None:
    manager = demo_house.visitor("demo-manager")
    before = len(demo_house.record("house"))
    for url in (
        "http://cage.example/hook",
        "ftp://cage.example/hook",
        "https://user:secret@cage.example/hook",
        "https:///nowhere",
        "https://cage.example/#part",
        "https://cage.example:99999/",
        "https://127.0.0.1/hook",
        "http://127.0.0.1:9/hook",
        "https://10.0.0.7/hook",
        "https://169.254.169.254/latest",
        "https://[::1]/hook",
        "https://[fd00::1]/hook",
    ):
        response = manager.post("/webhooks", {"url": url, "topics": ["alarms"]})
        assert response.status_code == 422, url
        assert response.json()["detail"]
    for body in ({"url": "https://cage.example/"}, {"url": "https://cage.example/", "topics": ["secrets"]}):
        assert manager.post("/webhooks", body).status_code == 400
    assert manager.ask("DELETE", "/webhooks/none").status_code == 404
    for act in ("secret", "pause", "resume", "test"):
        assert manager.post(f"/webhooks/none/{act}").status_code == 404
    assert manager.get("/webhooks/none/deliveries").status_code == 404
    assert [one.kind for one in demo_house.record("house")[before:] if one.kind.startswith("Webhook")] == []
