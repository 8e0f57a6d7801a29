"""`pitbook reset-password`: let a person choose a new password when nobody can do so through the pages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json
from pitbook.errors import InputError, unknown_name
from pitbook.messages import Message


def reset_password(
    db: Database,
    person: Annotated[str, Parameter(help=say("help.reset-password.person"))],
    *,
    reason: Annotated[str, Parameter(help=say("help.shared.reason"))],
    config: Annotated[Path | None, Parameter(help=say("help.shared.config"))] = None,
    json: Json = False,
) -> None:
    """Remove a person's password, PIN, second factors, sessions and tokens; print a link to choose a new password."""
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.house import House
    from pitbook.house.stores import opened
    from pitbook.people.commands import RecordSessionEnd, ResetFactors
    from pitbook.people.names import fold_name
    from pitbook.server.demo import SERVER
    from pitbook.server.people.setup_link import link_address, password_link, public_address
    from pitbook.server.setting_sources import gather

    settings = gather({"journal": db}, os.environ, config).settings
    with opened(db, read_only=False) as store, House(store) as house, open_auth_store(db) as access:
        identity = access.identities.find(fold_name(person))
        account = house.people.find(person if identity is None else identity.person)
        if account is None:
            raise unknown_name("account", person, list(house.people.accounts), Message("errors.server.this-house"))
        if not account.active:
            raise InputError("cli.account-closed", account=account.name)
        answer = house.manage(SERVER, RecordSessionEnd(account.name, f"password reset by command: {reason}"))
        if answer.refused is not None:
            raise InputError("cli.not-reset", reason=answer.says)
        if account.factors:
            reset = house.manage(SERVER, ResetFactors(account.name, f"reset by command: {reason}"))
            if reset.refused is not None:
                raise InputError("cli.factors-not-reset", reason=reset.says)
        access.delete_person(account.name)
        secret = password_link(house, access, account.name)
    link = link_address(public_address(settings, f"http://{settings.host}:{settings.port}"), secret)
    if json:
        print_json({"person": account.name, "link": link})
    else:
        print(say("results.reset-password.link", person=account.name, link=link))
