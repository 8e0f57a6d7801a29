"""`pitbook erase-person`: erase what is stored of a person beside the journal."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json
from pitbook.errors import InputError, unknown


def erase_person(
    db: Database,
    person: Annotated[str, Parameter(help="The name that the person signs in with, or the account's name.")],
    *,
    reason: Annotated[str, Parameter(help="The reason, in one line; it is recorded. Don't name the person.")],
    json: Json = False,
) -> None:
    """Erase a person's names, password, PIN, sessions, tokens and devices; the record keeps the pseudonym.

    A manager closes the account first. Only accounts that were created while the server's setting `pseudonyms` was on
    can be erased: older ones have their names in the record itself. With an SQLite journal, stop the server first.
    """
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
            raise unknown("account", person, list(house.people.accounts), "this house")
        if identity is None:
            raise InputError(
                f"the name {account.name} is part of the record, which cannot be changed; only accounts that were made "
                "with the setting pseudonyms have their names beside it"
            )
        if account.active:
            raise InputError(f"the account {account.name} is open; a manager closes it first")
        if any(name and fold_name(name) in fold_name(reason) for name in (identity.sign_in, identity.shown)):
            raise InputError("the reason names the person, and stays in the record; say it without the name")
        answer = house.manage(SERVER, RecordSessionEnd(account.name, f"names erased by command: {reason}"))
        if answer.refused is not None:
            raise InputError(f"nothing was erased: {answer.says}")
        access.delete_person(account.name)
        access.identities.erase(account.name)
        access.database.compact("access_identities")
    if json:
        print_json({"person": account.name, "erased": True})
    else:
        print(f"erased the names of {account.name}; backups made before still have them")
