"""`pitbook disable-demo`: take the published password away from the demo accounts of a house."""

from __future__ import annotations

from pitbook.cli.language import say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json


def disable_demo(db: Database, *, json: Json = False) -> None:
    """Disable every demo account that still has the published password."""
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.house import House
    from pitbook.house.stores import open_store
    from pitbook.people.commands import RecordSessionEnd, ResetFactors
    from pitbook.server.demo import DEMO, SERVER, known_accounts

    with House(open_store(db)) as house, open_auth_store(db) as access:
        names = known_accounts(house, access)
        for name in names:
            account = house.people.find(name)
            if account is not None and account.factors:
                house.manage(SERVER, ResetFactors(name, "the demo password was disabled"))
            access.delete_person(name)
            house.manage(SERVER, RecordSessionEnd(name, "the demo password was disabled"))
        access.delete_setting(DEMO)
    if json:
        print_json({"disabled": names})
    elif names:
        print(say("results.disable-demo.disabled", count=len(names), names=names))
    else:
        print(say("results.disable-demo.none"))
