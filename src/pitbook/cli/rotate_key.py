"""`pitbook rotate-key`: replace a key of the house."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from pitbook.cli.language import say
from pitbook.cli.output import print_json
from pitbook.cli.parameters import Json
from pitbook.errors import InputError

if TYPE_CHECKING:
    from pitbook.server.settings import Settings


def rotate_key(
    key: Annotated[Literal["sealing", "signing"], Parameter(help=say("help.rotate-key.key"))],
    *,
    db: Annotated[str, Parameter(help=say("help.rotate-key.db"))] = "",
    config: Annotated[Path | None, Parameter(help=say("help.shared.config"))] = None,
    json: Json = False,
) -> None:
    """Create a new key that is used from now on; keep the old one for what it has sealed or signed."""
    from pitbook.server.setting_sources import gather
    from pitbook.tumbler.seals import LostKey, SealingKeys

    settings = gather({"journal": db} if db else {}, os.environ, config).settings
    if key == "signing":
        path, new, old = settings.signing_key_path, *_rotate_signing_key(settings)
    else:
        path = settings.sealing_key_path
        try:
            new, old, *_ = SealingKeys.rotate(path).ids
        except LostKey as error:
            raise InputError("cli.no-sealing-key", reason=error) from None
    if json:
        print_json({"file": str(path), "new": new, "old": old})
    else:
        print(say("results.rotate-key.rotated", file=path, kind=key, new=new, old=old))
        print(say("results.rotate-key.copy"))


def _rotate_signing_key(settings: Settings) -> tuple[str, str]:
    """Return the ids of the new and the old key."""
    from pitbook.journal.checkpoints import sign
    from pitbook.journal.keys import create_key, key_id, read_key
    from pitbook.journal.running_checkpoint import read_checkpoint, save

    path = settings.signing_key_path
    _check_stopped(settings)
    old = read_key(path)
    signed = {file: read_checkpoint(file, old) for file in settings.checkpoint_files if file.exists()}
    renamed = path.with_name(f"{path.name}.{key_id(old.public_key())}")
    path.rename(renamed)
    path.with_name(path.name + ".pub").rename(renamed.with_name(renamed.name + ".pub"))
    new = create_key(path)
    for file, checkpoint in signed.items():
        save(sign(checkpoint.heads(), new, datetime.now(UTC).isoformat(timespec="seconds")), file)
    return key_id(new.public_key()), key_id(old.public_key())


def _check_stopped(settings: Settings) -> None:
    """Refuse while a server signs with the old key."""
    from pitbook.auth.stores import open_auth_store
    from pitbook.house.stores import opened
    from pitbook.server.liveness import PREFIX

    with opened(settings.journal_place, read_only=False):  # a file that a server writes is refused here
        pass
    with open_auth_store(settings.journal_place) as access:
        running = [name for name, held in access.leases.held(PREFIX).items() if held.left > 0]
    if running:
        raise InputError("cli.server-running")
