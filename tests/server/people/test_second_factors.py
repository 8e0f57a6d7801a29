"""Second factors over HTTP: enrolment, confirmation, recovery, lock-out and reset, and what attackers try."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.people import commands as people
from pitbook.people.values import Policy
from pitbook.server.people.passkeys import relying_party
from pitbook.server.people.second_factors import Proof
from pitbook.server.settings import Settings
from pitbook.tumbler.seals import SealingKeys
from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.authenticators import SoftKey, code_of
from tests.server.people.conftest import BOSS, ORIGIN, PASSWORD, Casino, Guest

__all__ = ["postgres_role", "postgres_server", "postgres_url"]

pytestmark = pytest.mark.anyio

OTHER = {"name": "other", "roles": []}


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, make_casino: Callable[..., Casino]) -> Casino:
    """A house whose managers and auditors need a second factor, on both databases."""
    place = None if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))
    return make_casino(factors=True, place=place)


@pytest.fixture
async def guests(house: Casino, anyio_backend: object) -> AsyncIterator[Callable[..., Guest]]:
    async with house.open() as guest:
        yield guest


async def entered(guest: Guest, name: str) -> Guest:
    response = await guest.sign_in(name)
    assert response.status_code == 200, response.text
    return guest


async def confirm(guest: Guest, **proof: Any) -> tuple[int, str]:
    response = await guest.post("/me/second-factor", proof)
    return response.status_code, str(response.json().get("type", "")).removeprefix("/problems/")


async def with_passkey(guest: Guest, key: SoftKey, name: str = "key") -> Any:
    options = (await guest.post("/me/factors/passkey")).json()["options"]
    return await guest.post("/me/factors/passkey/confirmation", {"credential": key.create(options), "name": name})


async def challenge(guest: Guest) -> dict[str, Any]:
    found: dict[str, Any] = (await guest.post("/me/second-factor/challenge")).json()["options"]
    return found


# ---------------------------------------------------------------- enrolment


async def test_a_manager_without_a_factor_is_led_to_enrolment_and_can_do_nothing_else(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    zoe = guests()
    body = (await zoe.sign_in("zoe")).json()
    assert (body["second_factor"], body["roles"], body["lock"]) == ("enrol", [], None)
    for answer in (
        await zoe.get("/people"),
        await zoe.post("/people", OTHER),
        await zoe.put("/policy", {"registration": True, "real_money_automatic": True}),
        await zoe.post("/me/tokens", {"name": "a bot", "scopes": ["manage"]}),
        await zoe.post("/me/password", {"old": PASSWORD, "new": "green felt and nine dice"}),
        await zoe.put("/me/pin", {"password": PASSWORD, "pin": "480263"}),
        await zoe.get("/me/sessions"),
        await zoe.get("/me/factors"),
        await zoe.post("/me/unlock", {"password": PASSWORD}),
    ):
        assert (answer.status_code, answer.json()["type"]) == (401, "/problems/second-factor-required")
    secret, codes = await zoe.enrol(house.now)
    assert len(codes) == 10
    assert (await zoe.post("/people", OTHER)).status_code == 201
    factors = (await zoe.get("/me/factors")).json()
    assert [one["name"] for one in factors["factors"]] == ["phone"]
    assert (factors["recovery_codes"], factors["required"], factors["passkeys"]) == (10, True, True)
    assert secret not in str(factors)


async def test_the_first_factor_confirms_its_session_under_a_new_cookie(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    zoe, other = await entered(guests(), "zoe"), await entered(guests(), "zoe")
    before = zoe.cookie
    await zoe.enrol(house.now)
    assert zoe.cookie != before
    thief = guests()
    thief.http.cookies.set("pitbook", before or "")
    assert (await thief.get("/me")).status_code == 401
    body = (await other.get("/me")).json()
    assert (body["second_factor"], body["roles"]) == ("confirm", [])


async def test_a_player_needs_no_factor_and_may_have_one(house: Casino, guests: Callable[..., Guest]) -> None:
    ann = guests()
    assert (await ann.sign_in("ann")).json()["second_factor"] is None
    await ann.enrol(house.now)
    again = guests()
    assert (await again.sign_in("ann")).json()["second_factor"] == "confirm"
    (phone,) = house.access.factors.of_person("ann")
    assert (await ann.delete(f"/me/factors/{phone.id}")).status_code == 204
    assert house.access.factors.recovery_codes_left("ann") == 0, "without a factor, there is nothing to recover"
    assert (await guests().sign_in("ann")).json()["second_factor"] is None


def test_a_proof_hides_its_secrets() -> None:
    assert "secret" not in repr(Proof(code="secret", recovery_code="secret", passkey={"a": "secret"}))


async def test_a_session_that_lacks_the_factor_cannot_add_another(house: Casino, guests: Callable[..., Guest]) -> None:
    await (await entered(guests(), "zoe")).enrol(house.now)
    thief = await entered(guests(), "zoe")
    for path in ("/me/factors/totp", "/me/factors/passkey", "/me/factors/recovery-codes"):
        assert (await thief.post(path)).status_code == 401
    response = await thief.post("/me/factors/totp/confirmation", {"code": "123456", "name": "mine"})
    assert response.json()["type"] == "/problems/second-factor-required"


async def test_a_stolen_old_session_cannot_enrol_its_own_device(house: Casino, guests: Callable[..., Guest]) -> None:
    ann = await entered(guests(), "ann")
    house.later(minutes=11)
    response = await ann.post("/me/factors/totp")
    assert (response.status_code, response.json()["type"]) == (403, "/problems/recent-factor-required")


async def test_an_enrolment_ends_with_its_time_and_with_a_wrong_code(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    zoe = await entered(guests(), "zoe")
    secret = (await zoe.post("/me/factors/totp")).json()["secret"]
    wrong = await zoe.post("/me/factors/totp/confirmation", {"code": "000000", "name": "phone"})
    assert wrong.json()["type"] == "/problems/second-factor-failed"
    house.later(minutes=10)
    late = await zoe.post("/me/factors/totp/confirmation", {"code": code_of(secret, house.now), "name": "phone"})
    assert late.json()["type"] == "/problems/recent-factor-required"
    assert house.house.people.find("zoe").factors == ()  # type: ignore[union-attr]


async def test_the_qr_code_is_a_path_and_the_secret_is_sealed_at_rest(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    zoe = await entered(guests(), "zoe")
    begun = (await zoe.post("/me/factors/totp")).json()
    assert begun["qr"]["path"].startswith("M4 4h7v1h-7z")
    assert begun["qr"]["size"] >= 45
    code = code_of(begun["secret"], house.now)
    assert (await zoe.post("/me/factors/totp/confirmation", {"code": code, "name": "phone"})).status_code == 200
    (stored,) = house.access.factors.of_person("zoe")
    assert begun["secret"] not in stored.secret
    assert stored.secret.startswith("1.")
    everything = str([entry.body for entry in house.record()])
    assert begun["secret"] not in everything
    assert code not in everything


# ---------------------------------------------------------------- codes


async def test_each_code_works_once_within_a_small_window(house: Casino, guests: Callable[..., Guest]) -> None:
    secret, _ = await (await entered(guests(), "zoe")).enrol(house.now)
    replayed = await entered(guests(), "zoe")
    assert await confirm(replayed, code=code_of(secret, house.now)) == (422, "second-factor-failed")
    house.later(seconds=30)
    code = code_of(secret, house.now)
    assert (await confirm(replayed, code=code))[0] == 200
    assert await confirm(await entered(guests(), "zoe"), code=code) == (422, "second-factor-failed")
    house.later(seconds=90)
    assert await confirm(await entered(guests(), "zoe"), code=code) == (422, "second-factor-failed")
    whys = [entry.answer or b"" for entry in house.record()]
    assert sum(b"was used before" in why for why in whys) == 2, "the third was not used; it is too old"


@pytest.mark.parametrize("key", ["lost", "damaged", "other"])
async def test_without_the_sealing_key_nobody_is_let_in(house: Casino, guests: Callable[..., Guest], key: str) -> None:
    secret, codes = await (await entered(guests(), "zoe")).enrol(house.now)
    house.later(seconds=30)
    file = house.settings.sealing_key_path
    file.unlink()
    if key == "damaged":
        file.write_text("no key", encoding="utf-8")
    elif key == "other":
        SealingKeys.make(file)
    zoe = await entered(guests(), "zoe")
    assert await confirm(zoe, code=code_of(secret, house.now)) == (500, "internal-error")
    assert (await confirm(zoe, recovery_code=codes[0]))[0] == 200


async def test_an_app_that_was_set_up_after_a_passkey_confirms(house: Casino, guests: Callable[..., Guest]) -> None:
    zoe = await entered(guests(), "zoe")
    assert (await with_passkey(zoe, SoftKey(ORIGIN))).status_code == 200
    begun = (await zoe.post("/me/factors/totp")).json()["secret"]
    first = {"code": code_of(begun, house.now), "name": "phone"}
    assert (await zoe.post("/me/factors/totp/confirmation", first)).status_code == 200
    again = await zoe.post("/me/factors/totp/confirmation", {**first, "name": "tablet"})
    assert (again.status_code, again.json()["type"]) == (409, "/problems/conflict"), "one set-up adds one app"
    house.later(seconds=30)
    assert (await confirm(await entered(guests(), "zoe"), code=code_of(begun, house.now)))[0] == 200


async def test_of_those_who_send_one_code_at_once_one_gets_in(house: Casino, guests: Callable[..., Guest]) -> None:
    secret, _ = await (await entered(guests(), "zoe")).enrol(house.now)
    house.later(seconds=30)
    thieves = [await entered(guests(), "zoe") for _ in range(4)]
    code = code_of(secret, house.now)
    answers = await asyncio.gather(*(confirm(one, code=code) for one in thieves))
    assert sorted(status for status, _ in answers) == [200, 422, 422, 422]


async def test_a_recovery_code_confirms_once(house: Casino, guests: Callable[..., Guest]) -> None:
    _, codes = await (await entered(guests(), "zoe")).enrol(house.now)
    zoe = await entered(guests(), "zoe")
    assert (await confirm(zoe, recovery_code=codes[3]))[0] == 200
    assert await confirm(await entered(guests(), "zoe"), recovery_code=codes[3]) == (422, "second-factor-failed")
    fresh = (await zoe.post("/me/factors/recovery-codes")).json()["codes"]
    assert await confirm(await entered(guests(), "zoe"), recovery_code=codes[4]) == (422, "second-factor-failed")
    assert (await confirm(await entered(guests(), "zoe"), recovery_code=fresh[0]))[0] == 200
    assert house.kinds().count("RecoveryCodeUsed") == 2


@pytest.mark.parametrize("proof", [{}, {"code": "1", "recovery_code": "2"}, {"code": "1", "passkey": {}}])
async def test_exactly_one_proof_is_given(house: Casino, guests: Callable[..., Guest], proof: dict[str, Any]) -> None:
    zoe = await entered(guests(), "zoe")
    await zoe.enrol(house.now)
    assert (await confirm(zoe, **proof))[0] == 422


async def test_guessing_locks_the_factors_on_record_and_for_all_processes(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    secret, codes = await (await entered(guests(), "zoe")).enrol(house.now)
    house.later(minutes=1)
    thief = await entered(guests(), "zoe")
    for number in range(4):
        wrong = await thief.post("/me/second-factor", {"code": f"{number:06}"})
        assert wrong.json()["type"] == "/problems/second-factor-failed"
        assert f"{4 - number} more attempt" in wrong.json()["detail"]
    assert await confirm(thief, code="000004") == (429, "second-factor-locked")
    owner = await entered(guests(), "zoe")
    assert await confirm(owner, code=code_of(secret, house.now)) == (429, "second-factor-locked")
    assert await confirm(owner, recovery_code=codes[0]) == (429, "second-factor-locked")
    assert house.kinds().count("FactorsLocked") == 1
    house.later(minutes=5)
    assert (await confirm(owner, code=code_of(secret, house.now)))[1] == "second-factor-locked"
    answers = [entry.answer or b"" for entry in house.record()]
    assert any(b'"name":"zoe"' in answer and b"the second factors are locked" in answer for answer in answers)
    house.later(minutes=10)
    assert (await confirm(await entered(guests(), "zoe"), code=code_of(secret, house.now)))[0] == 200


async def test_many_guesses_at_once_get_no_more_tries(house: Casino, guests: Callable[..., Guest]) -> None:
    await (await entered(guests(), "zoe")).enrol(house.now)
    thief = await entered(guests(), "zoe")
    answers = await asyncio.gather(*(confirm(thief, code=f"{number:06}") for number in range(20)))
    assert [kind for _, kind in answers].count("second-factor-failed") == 4


async def test_a_stranger_without_the_password_cannot_lock_anyone_out(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    await (await entered(guests(), "zoe")).enrol(house.now)
    answers = [await confirm(guests(), code="123456") for _ in range(6)]
    assert answers == [(401, "not-signed-in")] * 6
    assert house.access.factors.locked_until("zoe", house.desk.now()) is None


# ---------------------------------------------------------------- passkeys


async def test_a_passkey_is_set_up_and_confirms(house: Casino, guests: Callable[..., Guest]) -> None:
    key = SoftKey(ORIGIN)
    zoe = await entered(guests(), "zoe")
    made = await with_passkey(zoe, key)
    assert made.status_code == 200, made.text
    assert len(made.json()["recovery_codes"]) == 10
    again = await entered(guests(), "zoe")
    options = await challenge(again)
    assert options["rpId"] == "localhost"
    assert options["userVerification"] == "required"
    key.counter = 2
    assert (await confirm(again, passkey=key.get(options)))[0] == 200
    assert (await again.get("/people")).status_code == 200


async def test_several_passkeys_have_names_and_the_last_factor_stays(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    first, second = SoftKey(ORIGIN), SoftKey(ORIGIN)
    zoe = await entered(guests(), "zoe")
    await with_passkey(zoe, first, "desk")
    options = (await zoe.post("/me/factors/passkey")).json()["options"]
    assert len(options["excludeCredentials"]) == 1, "a device is not added twice"
    same = await with_passkey(zoe, second, "desk")
    assert same.json()["refusal"] == "name-taken"
    assert (await with_passkey(zoe, second, "ring")).status_code == 200
    listed = {one["name"]: one["id"] for one in (await zoe.get("/me/factors")).json()["factors"]}
    assert set(listed) == {"desk", "ring"}
    assert (await zoe.delete(f"/me/factors/{listed['desk']}")).status_code == 204
    assert [one.id for one in house.access.factors.of_person("zoe")] == [listed["ring"]]
    last = await zoe.delete(f"/me/factors/{listed['ring']}")
    assert last.json()["refusal"] == "last-factor"
    assert (await zoe.delete("/me/factors/none")).status_code == 404
    third = await entered(guests(), "zoe")
    options = await challenge(third)
    assert len(options["allowCredentials"]) == 1
    assert await confirm(third, passkey=first.get(options)) == (422, "second-factor-failed")


@pytest.mark.parametrize(
    "changes",
    [{"origin": "http://evil.example"}, {"origin": f"{ORIGIN}.evil.example"}, {"domain": "evil.example"},
     {"verified": False}],
)  # fmt: skip
async def test_a_passkey_of_another_origin_or_without_verification_is_refused(
    house: Casino, guests: Callable[..., Guest], changes: dict[str, Any]
) -> None:
    zoe = await entered(guests(), "zoe")
    wrong = SoftKey(**{"origin": ORIGIN, **changes})
    refused = await with_passkey(zoe, wrong, "wrong")
    assert refused.json()["type"] == "/problems/second-factor-failed"
    good = SoftKey(ORIGIN)
    assert (await with_passkey(zoe, good)).status_code == 200
    again = await entered(guests(), "zoe")
    good.counter += 1
    for name, value in changes.items():
        setattr(good, name, value)
    assert await confirm(again, passkey=good.get(await challenge(again))) == (422, "second-factor-failed")


@pytest.mark.parametrize("counter", [4, 5])
async def test_a_copied_passkey_is_noticed_by_its_counter(
    house: Casino, guests: Callable[..., Guest], counter: int
) -> None:
    key = SoftKey(ORIGIN, counter=5)
    await with_passkey(await entered(guests(), "zoe"), key)
    again = await entered(guests(), "zoe")
    key.counter = counter
    assert await confirm(again, passkey=key.get(await challenge(again))) == (422, "second-factor-failed")
    assert any(b"counter decreased" in (entry.answer or b"") for entry in house.record())


async def test_a_passkey_without_a_counter_keeps_working(house: Casino, guests: Callable[..., Guest]) -> None:
    key = SoftKey(ORIGIN, counter=0)
    await with_passkey(await entered(guests(), "zoe"), key)
    for _ in range(2):
        again = await entered(guests(), "zoe")
        assert (await confirm(again, passkey=key.get(await challenge(again))))[0] == 200


async def test_an_answer_is_good_for_one_challenge_of_one_session(house: Casino, guests: Callable[..., Guest]) -> None:
    key = SoftKey(ORIGIN)
    await with_passkey(await entered(guests(), "zoe"), key)
    one, two = await entered(guests(), "zoe"), await entered(guests(), "zoe")
    key.counter = 2
    response = key.get(await challenge(one))
    await challenge(two)
    assert await confirm(two, passkey=response) == (422, "second-factor-failed")
    assert (await confirm(one, passkey=response))[0] == 200
    assert await confirm(one, passkey=response) == (422, "second-factor-failed")


async def test_the_key_of_another_person_is_refused(house: Casino, guests: Callable[..., Guest]) -> None:
    zoes, maxs = SoftKey(ORIGIN), SoftKey(ORIGIN)
    await with_passkey(await entered(guests(), "zoe"), zoes)
    await with_passkey(await entered(guests(), "max"), maxs)
    zoe = await entered(guests(), "zoe")
    maxs.counter = 2
    assert await confirm(zoe, passkey=maxs.get(await challenge(zoe))) == (422, "second-factor-failed")
    forged = SoftKey(ORIGIN, counter=2, id=zoes.id)
    assert await confirm(zoe, passkey=forged.get(await challenge(zoe))) == (422, "second-factor-failed")
    kim = await entered(guests(), "kim")
    taken = await with_passkey(kim, zoes, "not mine")
    assert taken.status_code == 409


@pytest.mark.parametrize("answer", [{}, {"id": 5}, {"id": "AAAA", "response": None}, {"id": "AAAA", "rawId": "BBBB"}])
async def test_a_malformed_answer_is_refused(
    house: Casino, guests: Callable[..., Guest], answer: dict[str, Any]
) -> None:
    zoe = await entered(guests(), "zoe")
    await zoe.post("/me/factors/passkey")
    made = await zoe.post("/me/factors/passkey/confirmation", {"credential": answer, "name": "x"})
    assert made.json()["type"] == "/problems/second-factor-failed"
    await zoe.enrol(house.now)
    assert await confirm(zoe, passkey=answer) == (422, "second-factor-failed")


def test_passkeys_belong_to_the_domain_of_the_settings(tmp_path: Path) -> None:
    def party(address: str, **settings: Any) -> Any:
        found = relying_party(Settings(**settings), address)
        return None if found is None else (found.domain, found.origins)

    assert party("http://127.0.0.1:8000") == ("localhost", ("http://localhost:8000",))
    assert party("http://192.0.2.7:8000") is None
    pit = "https://pit.example"
    assert party("http://127.0.0.1:8000", public_origins=(pit,)) == ("pit.example", (pit,))
    both = (pit, "https://desk.pit.example")
    assert party("", public_origins=both, passkey_domain="pit.example") == ("pit.example", both)


# ---------------------------------------------------------------- recent confirmations


async def test_a_token_needs_a_recent_confirmation(house: Casino, guests: Callable[..., Guest]) -> None:
    zoe = await entered(guests(), "zoe")
    secret, _ = await zoe.enrol(house.now)
    wanted = {"name": "a bot", "scopes": ["manage"]}
    for seconds in (240, 240, 119.5):  # with input, so that the screen does not lock
        house.later(seconds=seconds)
        assert (await zoe.post("/me/activity")).status_code == 204
    assert (await zoe.post("/me/tokens", wanted)).status_code == 201
    house.later(seconds=1)
    old = await zoe.post("/me/tokens", wanted)
    assert (old.status_code, old.json()["type"]) == (403, "/problems/recent-factor-required")
    for path in ("/me/factors/recovery-codes", "/me/factors/totp", "/people/max/factor-reset"):
        refused = await zoe.post(path, {"words": "x"} if "reset" in path else None)
        assert refused.json()["type"] == "/problems/recent-factor-required"
    policy = {"registration": False, "real_money_automatic": False}
    assert (await zoe.put("/policy", {**policy, "factor_roles": []})).status_code == 403
    assert (await zoe.put("/policy", {**policy, "bet_consent": True})).status_code == 200
    assert (await confirm(zoe, code=code_of(secret, house.now)))[0] == 200
    assert (await zoe.post("/me/tokens", wanted)).status_code == 201


# ---------------------------------------------------------------- reset


async def test_another_manager_resets_factors_and_nobody_resets_their_own(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    zoe, boss = await entered(guests(), "zoe"), await entered(guests(), "max")
    secret, codes = await zoe.enrol(house.now)
    await boss.enrol(house.now)
    own = await zoe.post("/people/zoe/factor-reset", {"words": "I would like another"})
    assert (own.status_code, own.json()["refusal"]) == (403, "own-act")
    kim = await entered(guests(), "kim")
    await kim.enrol(house.now)
    assert (await kim.post("/people/zoe/factor-reset", {"words": "x"})).status_code == 403
    assert (await boss.post("/people/zoe/factor-reset", {"words": ""})).status_code in (400, 422)
    done = await boss.post("/people/zoe/factor-reset", {"words": "lost the phone"})
    assert (done.status_code, done.json()["factors"]) == (200, [])
    assert (await zoe.get("/me")).status_code == 401
    again = guests()
    assert (await again.sign_in("zoe")).json()["second_factor"] == "enrol"
    assert (await confirm(again, code=code_of(secret, house.now)))[0] == 409
    assert house.access.factors.recovery_codes_left("zoe") == 0
    assert not house.access.factors.use_recovery_code("zoe", codes[0])
    reset = [entry for entry in house.record() if entry.kind == "FactorsReset"]
    assert [(entry.actor, b"lost the phone" in entry.body) for entry in reset] == [("max", True)]


async def test_a_reset_unlocks_a_person_who_was_locked_out(house: Casino, guests: Callable[..., Guest]) -> None:
    await (await entered(guests(), "zoe")).enrol(house.now)
    thief = await entered(guests(), "zoe")
    for number in range(5):
        await confirm(thief, code=f"{number:06}")
    boss = await entered(guests(), "max")
    await boss.enrol(house.now)
    await boss.post("/people/zoe/factor-reset", {"words": "locked out"})
    zoe = await entered(guests(), "zoe")
    await zoe.enrol(house.now)
    assert (await zoe.get("/people")).status_code == 200


# ---------------------------------------------------------------- policy


async def test_a_role_that_needs_a_factor_takes_effect_in_running_sessions(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    dan = await entered(guests(), "dan")
    assert (await dan.get("/me")).json()["roles"]
    house.open_table()
    house.done(BOSS, people.SetPolicy(replace(house.house.people.policy, factor_roles=("manager", "dealer"))))
    body = (await dan.get("/me")).json()
    assert (body["second_factor"], body["roles"]) == ("enrol", [])
    assert (await dan.post("/tables/t1/commands", {"command": {"type": "TakeOver"}})).status_code == 401


async def test_the_policy_that_needs_no_factor_is_a_choice_on_record(
    house: Casino, guests: Callable[..., Guest]
) -> None:
    house.done(BOSS, people.SetPolicy(Policy(factor_roles=())))
    zoe = guests()
    assert (await zoe.sign_in("zoe")).json()["second_factor"] is None
    assert (await zoe.get("/policy")).json()["factor_roles"] == []


async def test_signing_out_works_before_the_second_factor(house: Casino, guests: Callable[..., Guest]) -> None:
    zoe = await entered(guests(), "zoe")
    assert (await zoe.post("/sign-out")).status_code == 204
    assert (await zoe.get("/me")).status_code == 401


async def test_a_page_of_another_origin_cannot_confirm(house: Casino, guests: Callable[..., Guest]) -> None:
    secret, _ = await (await entered(guests(), "zoe")).enrol(house.now)
    house.later(seconds=30)
    zoe = await entered(guests(), "zoe")
    code = {"code": code_of(secret, house.now)}
    foreign = await zoe.post("/me/second-factor", code, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    forged = await zoe.post("/me/second-factor", code, headers={"X-CSRF-Token": "guess"})
    assert forged.status_code == 403
    assert (await zoe.get("/me")).json()["second_factor"] == "confirm"


async def test_the_auditor_follows_everything_about_factors(house: Casino) -> None:
    async with house.open() as guests:
        zoe, boss = await entered(guests(), "zoe"), await entered(guests(), "max")
        secret, codes = await zoe.enrol(house.now)
        await with_passkey(zoe, SoftKey(ORIGIN))
        listed = (await zoe.get("/me/factors")).json()["factors"]
        house.later(seconds=30)
        again = await entered(guests(), "zoe")
        await confirm(again, code=code_of(secret, house.now))
        await confirm(await entered(guests(), "zoe"), recovery_code=codes[0])
        await zoe.delete(f"/me/factors/{listed[1]['id']}")
        thief = await entered(guests(), "zoe")
        for number in range(5):
            await confirm(thief, code=f"{number:06}")
        await boss.enrol(house.now)
        await boss.post("/people/zoe/factor-reset", {"words": "lost"})
        await boss.post("/me/lock")
        await boss.post("/me/unlock", {"password": PASSWORD})
    wanted = {
        "FactorAdded", "FactorRemoved", "FactorUsed", "FactorsLocked", "FactorsReset", "RecoveryCodesMade",
        "RecoveryCodeUsed", "SessionUnlocked",
    }  # fmt: skip
    assert wanted <= set(house.kinds())
    house.house.store.close()
    report = audit(house.place)
    assert report.good, report
