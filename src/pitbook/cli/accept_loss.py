"""`pitbook accept-loss`: continue with a record that has lost entries."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitbook.cli.language import phrase, say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Database, Json
from pitbook.errors import InputError


def accept_loss(
    db: Database,
    *,
    by: Annotated[str, Parameter(help=say("help.accept-loss.by"))],
    reason: Annotated[str, Parameter(help=say("help.shared.reason"))],
    config: Annotated[Path | None, Parameter(help=say("help.shared.config"))] = None,
    json: Json = False,
) -> None:
    """Accept that entries which the running checkpoint signed are lost, and let their tables run again."""
    from pitbook.house.house import House
    from pitbook.house.stores import opened
    from pitbook.journal.checkpoints import sign
    from pitbook.journal.keys import read_key
    from pitbook.journal.running_checkpoint import examine, save
    from pitbook.people.commands import AcceptLoss
    from pitbook.people.values import LostPart
    from pitbook.server.setting_sources import gather
    from pitbook.table.people import MANAGER, Person

    settings = gather({"journal": db}, os.environ, config).settings
    with opened(db, read_only=False) as store, House(store) as house:
        key = read_key(settings.signing_key_path)
        found = examine(store, settings.checkpoint_files, key)
        for alarm in found.alarms:
            print(phrase(alarm), file=sys.stderr)
        if found.losses:
            lost = tuple(LostPart(loss.table, loss.signed, loss.left) for loss in found.losses)
            answer = house.manage(Person(by, MANAGER), AcceptLoss(lost, reason))
            if answer.refused is not None:
                raise InputError("cli.loss-refused", reason=answer.says)
            signed = sign(store.heads(), key, datetime.now(UTC).isoformat(timespec="seconds"))
            for file in settings.checkpoint_files:
                save(signed, file)
    losses = [str(loss) for loss in found.losses]
    if json:
        print_json({"accepted": losses})
    elif losses:
        print("\n".join([say("results.accept-loss.accepted", by=by), *losses]))
    else:
        print(say("results.accept-loss.nothing"))
