"""Past-posting: hundreds of bets that race against the dealer's close."""

from __future__ import annotations

import asyncio

from tests.server.whole.deployment import Deployment
from tests.server.whole.racing import TABLE, check_record, race

RACES = 500


def test_no_bet_is_accepted_after_the_close_in_five_hundred_races(demo_house: Deployment) -> None:
    dealer = demo_house.visitor("demo-dealer")
    start = dealer.table(TABLE)["sequence"]
    address = demo_house.process.open_at
    races = asyncio.run(race([address], [address, address], demo_house, RACES))
    assert races.run == RACES
    check_record(demo_house.record(TABLE, start), races)
    assert races.mixed > RACES / 10, f"only {races.mixed} races were close: nothing would be proved"
    assert len(races.accepted) + len(races.refused) == RACES * 12
