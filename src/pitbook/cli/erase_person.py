"""`pitbook erase-person`: erase what is stored of a person beside the journal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json
from pitbook.errors import InputError, unknown_name
from pitbook.messages import Message


def erase_person(
    db: Database,
    person: Annotated[str, Parameter(help=say("help.erase-person.person"))],
    *,
    reason: Annotated[str, Parameter(help=say("help.erase-person.reason"))],
    json: Json = False,
) -> None:
    """Erase a person's names, password, PIN, factors, sessions, tokens and devices; the record keeps the pseudonym."""
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.house import House
    from pitbook.house.stores import opened
    from pitbook.people.commands import RecordSessionEnd
    from pitbook.people.names import fold_name
    from pitbook.server.demo import SERVER

    with opened(db, read_only=False) as store, House(store) as house, open_auth_store(db) as access:
        known = {one.person: one for one in access.identities.all()}
        identity = access.identities.find(fold_name(person)) or known.get(person)
        account = house.people.find(person if identity is None else identity.person)
        if account is None:
            raise unknown_name("account", person, list(house.people.accounts), Message("errors.server.this-house"))
        if identity is None:
            raise InputError("cli.name-in-record", account=account.name)
        if account.active:
            raise InputError("cli.account-open", account=account.name)
        if any(name and fold_name(name) in fold_name(reason) for name in (identity.sign_in, identity.shown)):
            raise InputError("cli.reason-names-person")
        answer = house.manage(SERVER, RecordSessionEnd(account.name, f"names erased by command: {reason}"))
        if answer.refused is not None:
            raise InputError("cli.not-erased", reason=answer.says)
        access.delete_person(account.name)
        access.identities.erase(account.name)
        for table in ("access_identities", "access_factors"):
            access.database.compact(table)
    if json:
        print_json({"person": account.name, "erased": True})
    else:
        print(say("results.erase-person.erased", person=account.name))
