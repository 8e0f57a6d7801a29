"""The audit pages: verification, entries, exports, and rounds replayed on the layout."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from playwright.sync_api import Page, expect

from pitbook.journal.keys import create_key
from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House, Houses
from tests.browser.live_house import BETTING
from tests.browser.people import ApiUser, People, signed_in, table_of
from tests.browser.rounds import until
from tests.browser.test_lobby import fits

pytestmark = pytest.mark.own_house

TABLE = "massachusetts"
CRAPS = "dice-works"
AUTOMATIC = "singapore"
AUDITOR = "demo-auditor"
Picture = Callable[[Page, str], None]


class Crew:
    """Everyone who works at the demo tables."""

    def __init__(self, address: str, people: People) -> None:
        self.address, self._people = address, people

    def __getitem__(self, name: str) -> ApiUser:
        return self._people(name)

    def deals(self, table: str, *dice: int) -> int:
        """Deal a round to its end; return its number."""
        return table_of(self._people, table).play_round(*dice)

    def replayed(self, number: int, table: str = TABLE) -> dict[str, Any]:
        """Return the API's replay of a round."""
        response = self[AUDITOR].client.get(f"/api/v1/journal/{table}/rounds/{number}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found


@pytest.fixture(scope="module")
def crew(demo_address: str, people: People) -> Crew:
    """Round 1 has winners and losers of two players, round 2 a bet; at craps a hand is on its way."""
    crew = Crew(demo_address, people)
    assert crew["demo-chen"].bets("big", 2_00, AUTOMATIC).status_code == 200
    assert crew["demo-ann"].bets("small", 10_00).status_code == 200
    assert crew["demo-ann"].bets("big", 5_00).status_code == 200
    assert crew["demo-ben"].bets("total/6", 2_00).status_code == 200
    assert crew.deals(TABLE, 1, 2, 3) == 1
    assert crew["demo-ben"].bets("small", 7_00).status_code == 200
    shooter = {"type": "NewShooter", "shooter": "demo-ann"}
    assert crew["demo-dealer"].command("dealer", shooter, CRAPS).status_code == 200
    for roll in ((2, 2), (3, 3)):
        crew.deals(CRAPS, *roll)
    return crew


def audits(visit: Visit, address: str, name: str = AUDITOR, **how: Any) -> Page:
    return signed_in(visit, name, address, **how)


@pytest.mark.thorough
def test_an_auditor_plays_a_round_back_step_by_step_and_sees_the_money_of_the_record(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    replay = crew.replayed(1)
    frames = replay["frames"]
    page = audits(visit, f"/audit/rounds/{TABLE}/1")
    expect(page.get_by_role("heading", name="Replay of round 1")).to_be_visible()
    expect(page.locator(".deck-at")).to_have_text(f"Step 0 of {len(frames)}")
    forth = page.get_by_role("button", name="Next step")
    stakes: dict[str, int] = dict(replay["before"].get("stakes", {}))
    lit: list[str] = []
    sums: dict[str, int] = {}
    for place, frame in enumerate(frames, 1):
        forth.click()
        expect(page.locator(".deck-at")).to_have_text(f"Step {place} of {len(frames)}")
        expect(page.locator(".replay-entry").get_by_title(frame["entry"]["actor"])).to_be_visible()
        lit = frame["shows"].get("lit", lit)
        expect(page.locator(".area-lit")).to_have_count(len(lit))
        stakes |= frame["shows"].get("stakes", {})
        for moved in frame["entry"]["transfers"]:
            for leg in moved["legs"]:
                sums[leg["account"]] = sums.get(leg["account"], 0) + leg["amount"]
        texts = page.locator("[data-account]").evaluate_all(
            "rows => Object.fromEntries(rows.map(row =>"
            " [row.dataset.account, Number(row.querySelector('[data-minor]').dataset.minor)]))"
        )
        assert texts == sums, frame["entry"]["says"]
        if frame["entry"]["kind"] == "LosersCollected":
            expect(page.locator(".replay-stage table")).to_contain_text("Ann")
            expect(page.locator(".replay-stage table")).to_contain_text("−US$5.00")
            picture(page, "audit-replay-collected")
            assert violations(page) == []
        if frame["entry"]["kind"] == "WinnersPaid":
            picture(page, "audit-replay-paid")
    assert sum(sums.values()) == 0
    assert not any(stakes.values())
    expect(forth).to_be_disabled()


def test_a_playback_runs_on_its_own_can_be_scrubbed_and_has_a_link_for_each_step(visit: Visit, crew: Crew) -> None:
    frames = crew.replayed(1)["frames"]
    placed = next(one["entry"]["sequence"] for one in frames if one["entry"]["kind"].startswith("Bet"))
    page = audits(visit, f"/audit/rounds/{TABLE}/1?entry={placed}")
    expect(page.locator(".replay-entries [aria-current]")).to_contain_text(str(placed))
    expect(page.locator(".replay-entry")).to_contain_text("Ann")
    page.get_by_role("slider").fill("0")
    expect(page.locator(".deck-at")).to_contain_text("Step 0 ")
    page.get_by_role("button", name="4×").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".deck-at")).to_contain_text(re.compile(r"Step ([3-9]|\d\d) "))
    page.get_by_role("button", name="Pause").click()
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".deck-at")).to_have_text(f"Step {len(frames)} of {len(frames)}")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"{crew.address}/audit/rounds/{TABLE}/1?entry={frames[-2]['entry']['sequence']}")
    page.get_by_role("link", name="Next round").click()
    expect(page.get_by_role("heading", name="Replay of round 2")).to_be_visible()


@pytest.mark.parametrize(("language", "lit", "off"), [("en", "Areas lit", "Lights off"), ("zh", "亮燈", "熄燈")])
def test_an_entry_that_turns_the_lights_off_is_named_so(
    visit: Visit, crew: Crew, language: str, lit: str, off: str
) -> None:
    page = audits(visit, f"/audit/journal/{TABLE}?kind=Illuminated&round=1", language=language)
    tags = page.locator(".audit-entry .tag")
    expect(tags).to_have_text([off, lit])
    off_sequence = page.locator(".audit-entry").first.get_attribute("data-sequence")
    page.goto(f"{crew.address}/audit/rounds/{TABLE}/1?entry={off_sequence}")
    expect(page.locator(".replay-entry .tag").first).to_have_text(off)


def test_the_rolls_of_a_hand_are_played_back_with_their_lammers(visit: Visit, crew: Crew, picture: Picture) -> None:
    replay = crew.replayed(2, CRAPS)
    rolled = next(one["entry"]["sequence"] for one in replay["frames"] if one["entry"]["kind"] == "Illuminated")
    page = audits(visit, f"/audit/rounds/{CRAPS}/2?entry={rolled}")
    expect(page.locator(".replay-hand li")).to_have_count(2)
    expect(page.locator(".replay-dice")).to_contain_text("Point 4")
    picture(page, "audit-replay-craps")
    assert violations(page) == []


def test_the_journal_is_filtered_by_person_and_round_in_an_address_to_share(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    page = audits(visit, "/audit")
    page.get_by_role("link", name="Table 1 · Sic Bo (MA)").click()
    expect(page.locator(".audit-entry").first).to_be_visible()
    picture(page, "audit-journal")
    page.get_by_label("Person").fill("demo-ben")
    page.get_by_label("Round").fill("1")
    page.get_by_role("button", name="Search").click()
    api = crew[AUDITOR].client.get(f"/api/v1/journal/{TABLE}", params={"person": "demo-ben", "round": 1}).json()
    wanted = [str(one["sequence"]) for one in reversed(api["entries"])]
    element = page.locator(".audit-entry")
    expect(element).to_have_count(len(wanted))
    assert element.evaluate_all("all => all.map(one => one.dataset.sequence)") == wanted
    bet = element.filter(has_text="Bet placed").first
    expect(bet).to_contain_text("Ben’s chips −US$2.00")
    expect(bet).to_contain_text("On the layout +US$2.00")
    assert violations(page) == []

    again = audits(visit, page.url)
    expect(again.get_by_label("Person")).to_have_value("demo-ben")
    expect(again.locator(".audit-entry")).to_have_count(len(wanted))
    entry = again.locator(".audit-entry").last
    entry.get_by_text("Details").click()
    expect(entry).to_contain_text(api["entries"][0]["hash"])
    expect(entry).to_contain_text(api["entries"][0]["before"])
    again.get_by_label("Text").fill("no such words anywhere")
    again.keyboard.press("Enter")
    expect(again.get_by_text("No matching entries")).to_be_visible()
    again.get_by_role("button", name="Clear filters").click()
    expect(again.locator(".audit-entry").first).to_be_visible()


def test_a_long_journal_is_paged_both_ways_and_followed_as_it_is_written(visit: Visit, crew: Crew) -> None:
    for _ in range(70):
        assert crew["demo-ann"].bets("small", 1_00, "maryland").status_code == 200
    page = audits(visit, "/audit/journal/maryland")
    newest = crew[AUDITOR].client.get("/api/v1/journal/maryland").json()["head"]
    expect(page.locator(".audit-entry").first).to_have_attribute("data-sequence", str(newest))
    page.get_by_role("link", name="Earlier").first.click()
    expect(page.locator(".audit-entry").first).to_have_attribute("data-sequence", str(newest - 50))
    page.get_by_role("link", name="Newest").first.click()
    page.get_by_role("link", name="Oldest").first.click()
    expect(page.locator(".audit-entry").last).to_have_attribute("data-sequence", "1")
    page.get_by_role("link", name="Later").first.click()
    expect(page.locator(".audit-entry").last).to_have_attribute("data-sequence", "51")
    page.get_by_role("link", name="Newest").first.click()
    page.get_by_label("Follow live").check()
    expect(page.get_by_text("New entries appear at the top")).to_be_visible()
    assert crew["demo-chen"].bets("big", 3_00, "maryland").status_code == 200
    expect(page.locator(".audit-entry").first).to_have_attribute("data-sequence", str(newest + 1))
    expect(page.locator(".audit-entry").first).to_contain_text("Chen")


@pytest.mark.thorough
def test_a_round_of_many_hundred_entries_is_played_back_to_its_end(visit: Visit, crew: Crew) -> None:
    """It comes in parts, and only some of its entries are listed at a time."""
    ben = crew["demo-ben"]
    for _ in range(205):
        assert ben.bets("total/6", 1_00, "maryland").status_code == 200
        down = {"type": "TakeDown", "wager": "total/6", "kind": "cash", "amount": 1_00}
        assert ben.command("player", down, "maryland").status_code == 200
    assert ben.bets("total/6", 2_00, "maryland").status_code == 200
    last = crew[AUDITOR].client.get("/api/v1/journal/maryland").json()["head"]
    page = audits(visit, "/audit/rounds/maryland/1")
    expect(page.locator(".replay-entries li")).to_have_count(200)
    expect(page.get_by_text("Loading the rest of the round")).to_have_count(0)
    page.get_by_role("button", name="Go to end").click()
    expect(page.locator(".replay-entry .audit-number")).to_have_text(str(last))
    expect(page.locator('[data-wager="total/6"]')).to_have_attribute("aria-label", re.compile(r"staked US\$2$"))
    bought = 1_000_00
    moved = page.locator('[data-account="player:demo-ben:USD"] [data-minor]')
    expect(moved).to_have_attribute("data-minor", str(bought - 2_00))
    page.get_by_role("button", name="Earlier").click()
    expect(page.locator('.replay-entries [aria-current="step"]')).to_be_visible()
    assert violations(page) == []


@pytest.fixture
def another_key(tmp_path: Path) -> Path:
    """Return the public half of a key that this house does not use."""
    create_key(tmp_path / "another.key")
    return tmp_path / "another.key.pub"


def test_verify_now_is_green_and_a_checkpoint_and_sheets_are_taken_out(
    visit: Visit, crew: Crew, picture: Picture, another_key: Path, tmp_path: Path
) -> None:
    page = audits(visit, "/audit")
    expect(page.get_by_text("Not verified since")).to_be_visible()
    expect(page.locator("#records")).to_contain_text("not signed")
    names = page.locator("#records tbody th[scope=row]")
    expect(names.first).to_have_text("House")
    expect(names.filter(has_text="Table 1 ")).to_have_text("Table 1 · Sic Bo (MA)")
    expect(names.filter(has_text="Table 7 ")).to_have_text("Table 7 · Craps")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Create checkpoint").click()
    checkpoint = json.loads(taken.value.path().read_text(encoding="utf-8"))
    assert taken.value.suggested_filename.startswith("checkpoint-")
    assert {one["table"] for one in checkpoint["tables"]} >= {TABLE, "house"}
    expect(page.locator("#checkpoints")).to_contain_text(checkpoint["signer"])
    expect(page.locator("#records")).to_contain_text("all entries")

    path = taken.value.path()
    page.get_by_label("Compare with a checkpoint (optional)", exact=True).set_input_files(
        {"name": "checkpoint.json", "mimeType": "application/json", "buffer": path.read_bytes()}
    )
    page.get_by_role("button", name="Verify journal").click()
    expect(page.get_by_text("The journal is correct")).to_be_visible()
    expect(page.locator("#records")).to_contain_text("✓ verified")
    expect(page.locator(".audit-report")).to_contain_text("valid signature")
    expect(page.locator(".audit-report")).to_contain_text("This is the server's own key")
    assert violations(page) == []
    picture(page, "audit-right")
    page.get_by_label("Public key you were given (optional)", exact=True).set_input_files(another_key)
    page.get_by_role("button", name="Verify again").click()
    report = page.locator(".audit-report")
    expect(report).to_contain_text(f"signed by another key: {checkpoint['signer']}")
    expect(report).to_contain_text("The record is consistent, but a checkpoint isn't genuine")
    expect(page.locator("#records")).not_to_contain_text("✗ error")
    page.get_by_label("Compare with the key you were given").set_input_files(another_key)
    expect(page.locator(".audit-compare")).to_contain_text("Different key")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download public key").click()
    page.get_by_label("Compare with the key you were given").set_input_files(taken.value.path())
    expect(page.locator(".audit-compare")).to_contain_text("Same key")
    assert violations(page) == []
    picture(page, "audit-another-key")

    # a later checkpoint that the record does not match, as if it had been rewritten in between
    for _ in range(2):
        assert crew["demo-chen"].bets("big", 1_00, "maryland").status_code == 200
    later = crew[AUDITOR].client.post("/api/v1/checkpoints").json()
    had = {one["table"]: one["count"] for one in checkpoint["tables"]}
    (signed,) = [one for one in later["tables"] if one["table"] == "maryland"]
    signed["head"] = "00" * 32
    for name, content in (("first.json", checkpoint), ("later.json", later)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    page.get_by_label("Compare with a checkpoint (optional)", exact=True).set_input_files(
        [tmp_path / "later.json", tmp_path / "first.json"]
    )
    page.get_by_label("Public key you were given (optional)", exact=True).set_input_files([])
    page.get_by_role("button", name="Verify again").click()
    expect(page.locator(".audit-findings")).to_contain_text(
        f"changed between entries {had['maryland'] + 1} and {signed['count']}."
    )
    expect(page.locator(".audit-findings")).to_contain_text("matches;")
    expect(report).to_contain_text(f"not signed by key {checkpoint['signer']}")
    picture(page, "audit-narrowed")

    page.get_by_label("Record", exact=True).select_option(TABLE)
    with page.expect_download() as taken:
        page.get_by_role("link", name="Settlements: the result of every bet as CSV").click()
    assert taken.value.suggested_filename == f"{TABLE}-settlements.csv"
    rows = taken.value.path().read_text(encoding="utf-8").splitlines()
    assert sum("demo-ann" in row for row in rows) == 2
    page.get_by_label("First day").fill("2999-01-01")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Settlements: the result of every bet as JSON lines").click()
    assert taken.value.path().read_text(encoding="utf-8") == ""
    page.get_by_label("Last day").fill("2998-01-01")
    expect(page.get_by_text("The first day is after the last one")).to_be_visible()


def test_a_void_round_is_announced_and_the_stakes_are_returned(visit: Visit, crew: Crew, picture: Picture) -> None:
    dealer = crew["demo-dealer"]
    for step in ({"step": "close"}, {"step": "shake-manual", "shakes": 3}, {"step": "uncover"}):
        assert dealer.command("dealer", {"type": "TakeStep", **step}).status_code == 200
    foreseen = dealer.client.get(f"/api/v1/tables/{TABLE}").json()["staff"]["irregularities"]
    fault = next(one["id"] for one in foreseen if one["remedy"] == "return wagers")
    called = dealer.command("dealer", {"type": "Call", "irregularity": fault, "words": "a die leans"})
    assert called.status_code == 200, called.text
    page = audits(visit, f"/audit/rounds/{TABLE}/2")
    expect(page.locator(".page-head")).to_contain_text("Void")
    page.get_by_role("button", name="Go to end").click()
    expect(page.locator('[data-account="player:demo-ben:USD"] [data-minor]')).to_have_attribute("data-minor", "0")
    picture(page, "audit-replay-void")
    mine = signed_in(visit, "demo-ben", f"/tables/{TABLE}/rounds/2")
    expect(mine.get_by_text("Void round")).to_be_visible()
    assert violations(mine) == []


def test_a_player_finds_a_past_round_with_their_own_wagers_and_no_other_names(
    visit: Visit, crew: Crew, picture: Picture
) -> None:
    page = signed_in(visit, "demo-ann", f"/tables/{TABLE}/rounds/1")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    lit = crew["demo-ann"].client.get(f"/api/v1/tables/{TABLE}/rounds/1").json()["lit"]
    expect(page.locator(".area-lit")).to_have_count(len(lit))
    expect(page.locator(".past-result")).to_contain_text("+US$5.00")
    expect(page.locator(".past-below")).to_contain_text("Other bets")
    expect(page.locator(".past-below")).not_to_contain_text("Ben")
    expect(page.locator(".past-said")).to_contain_text("No more bets")
    expect(page.get_by_role("link", name="Replay this round")).to_have_count(0)
    assert violations(page) == []
    picture(page, "past-round")
    anybody = visit(f"/tables/{TABLE}/rounds/1", width=360, height=740, language="zh")
    expect(anybody.get_by_role("heading", name="第 1 局")).to_be_visible()
    expect(anybody.locator(".past-below")).not_to_contain_text("demo-")
    expect(anybody.locator(".past-said")).to_contain_text("「停止下注」")
    assert fits(anybody)
    picture(anybody, "past-round-phone-zh")


def test_a_past_round_of_an_automatic_table_leads_to_its_proof(visit: Visit, crew: Crew, own_house: House) -> None:
    ann = crew["demo-ann"].client
    thrown = f"/api/v1/tables/{AUTOMATIC}/rounds/1"
    own_house.advance_clock(BETTING)
    until(lambda: ann.get(thrown).json().get("proof"), "the throw")
    page = visit(f"/tables/{AUTOMATIC}/rounds/1")
    page.get_by_role("link", name="Verify the dice yourself").click()
    expect(page).to_have_url(f"{crew.address}/verify?table={AUTOMATIC}&round=1")
    expect(page.locator(".checked")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["demo-ann", "demo-dealer"])
def test_people_who_may_not_read_the_record_learn_why_and_where_to_go(visit: Visit, crew: Crew, who: str) -> None:
    page = audits(visit, "/audit/journal/house", who)
    expect(page.get_by_role("heading", name="You can't read the record")).to_be_visible()
    page.goto(f"/audit/rounds/{TABLE}/1")
    expect(page.get_by_role("heading", name="You can't read the record")).to_be_visible()
    assert violations(page) == []


def test_a_supervisor_plays_back_the_rounds_of_the_table_and_reads_no_journal(visit: Visit, crew: Crew) -> None:
    page = audits(visit, f"/audit/rounds/{TABLE}/1", "demo-casino-supervisor")
    expect(page.locator(".deck")).to_be_visible()
    expect(page.get_by_role("link", name="Show in journal")).to_have_count(0)
    page.goto("/audit")
    expect(page.get_by_role("heading", name="You can't read the record")).to_be_visible()


@pytest.mark.thorough
def test_the_pages_fit_a_phone_in_chinese(visit: Visit, crew: Crew, picture: Picture) -> None:
    page = audits(visit, "/audit", width=360, height=740, language="zh")
    expect(page.get_by_role("heading", name="稽核")).to_be_visible()
    expect(page.locator("#records")).to_contain_text("場所")
    assert fits(page)
    assert violations(page) == []
    picture(page, "audit-phone-zh")
    page.goto(f"/audit/journal/{TABLE}?person=demo-ann")
    expect(page.locator(".audit-entry").first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    picture(page, "audit-journal-phone-zh")
    page.goto(f"/audit/rounds/{TABLE}/1")
    page.get_by_role("button", name="下一步").click()
    expect(page.locator(".deck-at")).to_contain_text("第 1 步")
    assert fits(page)
    assert violations(page) == []
    picture(page, "audit-replay-phone-zh")


@pytest.fixture
def forged(houses: Houses) -> Iterator[str]:
    """A house of its own, in whose journal someone has given a bet to another person."""
    with houses.open() as house:
        ann = ApiUser(house.address, "demo-ann")
        assert ann.bets("small", 10_00).status_code == 200
        ann.client.close()
        connection = apsw.Connection(str(house.journal))
        connection.setbusytimeout(5_000)
        guard = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'entries_not_updated'").get
        connection.execute("DROP TRIGGER entries_not_updated")
        connection.execute(
            "UPDATE entries SET actor = 'demo-eve' WHERE table_name = ? AND sequence ="
            " (SELECT max(sequence) FROM entries WHERE table_name = ?)",
            (TABLE, TABLE),
        )
        connection.execute(guard)  # as if no one had been there
        connection.close()
        yield house.address


def test_a_forged_journal_is_found_and_the_page_tells_which_entry_is_wrong(
    visit: Visit, forged: str, picture: Picture
) -> None:
    page = visit(f"{forged}/sign-in")
    page.goto(f"{forged}/sign-in?to=%2Faudit")
    page.locator("input").nth(0).fill(AUDITOR)
    page.locator("input[type=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Verify journal").click()
    expect(page.get_by_text("1 error found")).to_be_visible()
    auditor = ApiUser(forged, AUDITOR)
    heads = {one["table"]: one for one in auditor.client.get("/api/v1/journal").json()["records"]}
    auditor.client.close()
    wrong = heads[TABLE]["entries"]
    finding = page.locator(".audit-findings li")
    expect(finding).to_contain_text(f"Table 1 · Entry {wrong} · Round 1")
    expect(finding.get_by_role("link", name="Show round")).to_be_visible()
    expect(page.locator("#records tr", has_text="Table 1")).to_contain_text(f"error at entry {wrong}")
    assert violations(page) == []
    picture(page, "audit-wrong")
    finding.get_by_role("link", name="Show entry").click()
    expect(page.get_by_text("The hash chain is broken from here on")).to_be_visible()
    expect(page.locator(".audit-entry").first).to_have_attribute("data-sequence", str(wrong - 1))
    page.get_by_role("button", name="繁體中文").click()
    expect(page.get_by_text("雜湊鏈由此起中斷")).to_be_visible()
    page.goto(f"{forged}/audit")
    expect(finding).to_contain_text("此條的內容與其雜湊值不符")
    expect(finding).to_contain_text("內容與雜湊值不符")
    expect(finding).not_to_contain_text("hash")
    picture(page, "audit-wrong-zh")
