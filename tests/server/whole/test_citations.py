"""What a refusal rests on, over HTTP: clauses, a reading of the text, or house policy."""

from __future__ import annotations

from tests.server.whole.clients import refused
from tests.server.whole.deployment import Deployment

BIG = {"wager": "small", "amount": 100_000_000}


def test_a_problem_carries_the_clauses_the_reading_or_that_it_is_policy(demo_house: Deployment) -> None:
    ann = demo_house.visitor("demo-ann")
    cited = refused(ann.bets("massachusetts", "no-such-area=500"), "unknown-wager", 422)
    assert (cited["clauses"], cited.get("reading"), cited["policy"]) == (["2(a)"], None, False)
    read = refused(ann.bets("singapore", "small=100000000"), "over-maximum", 422)
    assert (read["clauses"], read["reading"], read["policy"]) == ([], "found-on-layout", False)
    house = refused(ann.bets("massachusetts", "small=100000000"), "over-maximum", 422)
    assert (house["clauses"], house.get("reading"), house["policy"]) == ([], None, True)
    assert house["detail"] == "The maximum on Small is US$500."
    short = refused(ann.bets("massachusetts", "small=0"), "bad-amount", 422)
    assert short["policy"] is False, "a fact is not a policy"
    ann.http.headers["Accept-Language"] = "zh-TW"
    response = ann.post("/tables/massachusetts/bets", {"bets": [BIG]})
    assert response.json()["message"] == {
        "id": "refusals.bets.over-maximum",
        "params": {"area": {"en": "Small", "zh": "小"}, "most": {"amount": 50_000, "currency": "USD"}},
        "text": "小的上限為 US$500。",
    }
