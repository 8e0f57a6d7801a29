"""`pitbook checkpoint`: how far every table's record has come, signed, for others to keep."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitbook.cli.output import print_table
from pitbook.cli.parameters import Database
from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def checkpoint(
    db: Database,
    *,
    key: Annotated[
        Path | None, Parameter(help="The key to sign with; made where there is none (mode 0600), its .pub beside it.")
    ] = None,
    out: Annotated[Path | None, Parameter(help="The new file; otherwise standard output.")] = None,
) -> None:
    """Check the chain of every table, and sign where it stands."""
    from pitbook.house.stores import opened
    from pitbook.journal.checkpoints import write

    if out is not None and out.exists():
        raise Mistake(f"there is a file {out} already")
    with opened(db) as store:
        signer = _key(key or _own_key())
        signed = write(store, signer, datetime.now(UTC).isoformat(timespec="seconds"))
    content = signed.to_json()
    if out is None:
        sys.stdout.write(content.decode())
    else:
        try:
            with out.open("xb") as file:
                file.write(content)
        except OSError as error:
            raise Mistake(f"cannot write {out}: {error.strerror}") from error
        rows = [(one.table, f"{one.count:,}", one.head[:16]) for one in signed.tables]
        title = f"{out}: {signed.at}, signed by key {signed.signer}"
        print_table(title, ["table", "entries", "head"], rows, right=["entries"])
    entries = sum(one.count for one in signed.tables)
    _say(f"covers {entries:,} entries of {len(signed.tables)} tables; give it to somebody who keeps it elsewhere")


def _own_key() -> Path:
    """The user's own key, outside of any journal."""
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = (Path(home) if home else Path.home() / ".config") / "pitbook"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "checkpoint.key"


def _key(path: Path) -> Ed25519PrivateKey:
    from pitbook.journal.keys import make_key, read_key

    if path.exists():
        return read_key(path)
    made = make_key(path)
    _say(f"made the key {path}; auditors check signatures with {path}.pub")
    return made


def _say(line: str) -> None:
    print(line, file=sys.stderr)
