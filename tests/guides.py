"""The command blocks of a guide, run in the order of the page, with its places in a temporary folder.

The shell reads each line: comments, globs, `$(...)`, `&&` and variables are its own. `pitbook` runs in a fork of this
process, and `systemctl` starts, stops or reloads the server that the unit of deploy/ would run. A server that a block
starts is asked whether it is ready, and stopped at the end of the block. Every command must exit with 0.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from signal import SIGHUP
from urllib.parse import urlsplit, urlunsplit

import psycopg

from tests import loopback
from tests.server.conftest import ServerProcess
from tests.server.forking import own_environment, run_command
from tests.waiting import until

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^( *)```(sh|sql|toml)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
DATABASE = re.compile(r"postgresql://(\w+)@db\.internal/(\w+)")
FIELD, PART, CALL = "\x1f", "\x1d", "\x1e"
CAPTURE = r"""
capture() {
    for name in ${!PITBOOK_@} ${!XDG_@}; do printf '%s\x1f' "$name=${!name}"; done
    printf '\x1d'; printf '%s\x1f' "$@"; printf '\x1e'
}
pitbook() { capture pitbook "$@"; }
systemctl() { capture systemctl "$@"; }
"""


class GuideRun:
    """A walk through a guide: its folders, its databases and its server."""

    def __init__(self, page: str, folder: Path, cluster: str, *, replace: dict[str, str] | None = None) -> None:
        self.text = (ROOT / "docs" / "guides" / page).read_text(encoding="utf-8")
        self.folder = folder
        self.commands: list[str] = []
        self.instead: dict[str, Callable[[list[str]], object]] = {}
        """What stands in for a command of pitbook's that another version would run, by its name."""
        self.address = ""
        self._cluster = cluster
        self._databases: dict[str, str] = {}
        self._replace = replace or {}
        self._environment = {**own_environment(folder), "PITBOOK_PORT": "0"}
        self._service: ServerProcess | None = None
        self._started: list[ServerProcess] = []

    def place(self, path: str) -> Path:
        """Return where a folder of the guide is in this walk; it exists."""
        found = self.folder / path.lstrip("/")
        found.mkdir(parents=True, exist_ok=True)
        return found

    def here(self, text: str) -> str:
        """Replace the places of the guide with those of this walk."""
        for old, new in self._replace.items():
            text = text.replace(old, new)
        text = re.sub(r"(?<![\w/.])/(var/lib|etc|backup|archive|tmp)\b", rf"{self.folder}/\1", text)
        text = re.sub(r"--port \d+", "--port 0", text)
        return DATABASE.sub(lambda found: self.database(found[1], found[2]), text)

    def database(self, role: str, name: str) -> str:
        """Return the URL of a database, created for its first role when it is first named."""
        with psycopg.connect(self._cluster, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
                connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'".encode())
            if name not in self._databases:
                self._databases[name] = f"{name}_{os.getpid()}_{len(self._databases)}"
                connection.execute(f"CREATE DATABASE {self._databases[name]} OWNER {role}".encode())
        parts = urlsplit(self._cluster)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"{role}:{role}@{host}", path=f"/{self._databases[name]}"))

    def sections(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield each section's title and its blocks: their language and lines."""
        found = [*HEADING.finditer(self.text)]
        ends = [*(one.start() for one in found[1:]), len(self.text)]
        for one, end in zip(found, ends, strict=True):
            blocks = BLOCK.finditer(self.text, one.end(), end)
            yield one[1], [(block[2], re.sub(rf"(?m)^{block[1]}", "", block[3])) for block in blocks]

    def run(self, before: dict[str, Callable[[], object]] | None = None, only: str = "") -> None:
        """Run all sections, or one; `before` prepares a section."""
        hooks = dict(before or {})
        for title, blocks in self.sections():
            if only in ("", title):
                hooks.pop(title, lambda: None)()
                for language, lines in blocks:
                    self._run_block(language, self.here(lines))
        assert not hooks, f"no such sections: {', '.join(hooks)}"

    def _run_block(self, language: str, lines: str) -> None:
        if language == "toml":
            if file := re.match(r"# (\S+\.toml)\n", lines):
                (self.place("/etc/pitbook") / file[1]).write_text(lines, encoding="utf-8")
        elif language == "sql":
            with psycopg.connect(self.database("pitbook", "house"), autocommit=True) as connection:
                connection.execute(lines.encode())
        else:
            for line in lines.replace("\\\n", " ").splitlines():
                self._run_line(line)
            while self._started:
                self._stop(self._started.pop())

    def _run_line(self, line: str) -> None:
        shell = subprocess.run(
            ["bash", "-euc", f"{CAPTURE}\n{line}"],
            cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert shell.returncode == 0, f"{line}\n{shell.stderr}"
        for call in shell.stdout.split(CALL)[:-1]:
            settings, _, words = call.partition(PART)
            name, *arguments = words.split(FIELD)[:-1]
            chosen = dict(setting.split("=", 1) for setting in settings.split(FIELD)[:-1])
            self.commands.append(" ".join((name, *arguments[:1])))
            if name == "systemctl":
                self._control(arguments[0])
            elif arguments[0] in self.instead:
                self.instead[arguments[0]](arguments)
            elif arguments[0] == "serve" and "--show-config" not in arguments:
                self._started.append(self._serve(arguments[1:], chosen))
            else:
                self._finish(arguments, chosen, line)

    def _finish(self, arguments: list[str], environment: dict[str, str], line: str) -> None:
        ended = run_command(*arguments, folder=self.folder, environment={**self._environment, **environment})
        assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"

    def _serve(self, arguments: list[str], environment: dict[str, str]) -> ServerProcess:
        folder = self.folder / f"server-{len(list(self.folder.glob('server-*')))}"
        folder.mkdir()
        server = ServerProcess(folder, arguments, {**self._environment, **environment})
        try:
            self.address = server.address()
            with loopback.client(self.address) as visitor:
                until(lambda: visitor.get("/ready").status_code == 200, "a server that is ready")
        except BaseException:
            server.close()
            raise
        return server

    def _stop(self, server: ServerProcess) -> None:
        assert server.stop() == 0
        server.close()

    def _control(self, verb: str) -> None:
        """Do what systemd would do with the unit."""
        if verb == "start":
            assert self._service is None
            settings = str(self.place("/etc/pitbook") / "house.toml")
            self._service = self._serve(["--config", settings, "--port", "0"], {})
        elif verb == "reload":
            assert self._service is not None
            self._service.process.send_signal(SIGHUP)
            log = self._service.log
            until(lambda: "reloaded" in log.read_text(encoding="utf-8"), "the reload")
        else:
            assert verb == "stop"
            if self._service is not None:
                self._stop(self._service)
                self._service = None

    def close(self) -> None:
        """End what still runs, and drop the databases."""
        for server in (*self._started, *([self._service] if self._service else [])):
            server.close()
        with psycopg.connect(self._cluster, autocommit=True) as connection, suppress(psycopg.Error):
            for name in self._databases.values():
                connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
