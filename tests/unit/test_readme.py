"""The README and the documentation do what they show: their commands and Python snippets are run and compared.

A page's blocks run in order, in one empty folder. In a `console` block every line that starts with `$ ` is a command,
and what follows is all that it prints. A `python` block is a doctest. A `toml` block whose first line is a comment with
a file's name is written to that file. With `--update` what the commands print is written into the pages again.

A page whose Python asks the server at `ADDRESS` gets a real one: a demo house on a free port, with its journal in the
page's folder as `house.db`.
"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitbook.cli import main
from tests.server.conftest import ServerProcess

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
ADDRESS = "http://127.0.0.1:8000"
BLOCK = re.compile(r"^```(console|python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


PAGES = [page for page in (README, *sorted((ROOT / "docs").rglob("*.md"))) if BLOCK.search(text_of(page))]


@dataclass(frozen=True)
class Command:
    """A command of a console block as it is written, on one line or several, and what is shown below it."""

    written: str
    displayed: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.written.replace("\\\n", " "))


def commands(block: str) -> Iterator[Command]:
    before, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not before.strip(), f"a console block starts with a command, not with {before!r}"
    for part in parts:
        written = re.match(r"(?:.*\\\n)*.*", part)
        assert written
        yield Command(written[0], part[written.end() :])


def bare(text: str) -> str:
    """A text without spaces at the ends of its lines and without empty lines around it."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


class Terminal:
    """Runs commands in this process and gives what people would see."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def run(self, command: Command) -> str:
        name, *arguments = command.words
        assert name == "pitbook", f"only pitbook's own commands can be tried, not {command.written}"
        with pytest.raises(SystemExit):
            main(arguments)
        captured = self.capsys.readouterr()
        return bare(captured.out + captured.err)


def try_python(block: str, names: dict[str, Any], place: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, names, place, place, 0)
    assert test.examples, f"{place}: a python block is a doctest"
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


@pytest.fixture
def demo_house(tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Starts a demo house when it is first asked for; its address."""
    started: list[ServerProcess] = []

    @cache
    def address() -> str:
        folder = tmp_path / "serving"
        folder.mkdir()
        started.append(ServerProcess(folder, ["--port", "0", "--db", str(tmp_path / "house.db")], {}))
        return started[0].address()

    yield address
    for server in started:
        server.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_is_what_happens(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    demo_house: Callable[[], str],
    update: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):  # would colour what is printed
        monkeypatch.delenv(name, raising=False)
    terminal = Terminal(capsys)
    names: dict[str, Any] = {}
    text = text_of(page)

    def tried(found: re.Match[str]) -> str:
        kind, block = found.groups()
        line = text.count("\n", 0, found.start()) + 1
        place = f"{page.relative_to(ROOT)}:{line}"
        if kind == "python":
            try_python(block.replace(ADDRESS, demo_house()) if ADDRESS in block else block, names, place)
        elif kind == "toml":
            if file := re.match(r"# (\S+\.toml)\n", block):
                Path(file[1]).write_text(block, encoding="utf-8")
        elif update:
            entries = [f"$ {command.written}\n{terminal.run(command)}".rstrip("\n") for command in commands(block)]
            return "```console\n" + "\n\n".join(entries) + "\n```"
        else:
            for command in commands(block):
                assert terminal.run(command) == bare(command.displayed), f"{place}: {command.written}"
        return found[0]

    try:
        rewritten = BLOCK.sub(tried, text)
    finally:
        for client in names.values():
            if isinstance(client, httpx.Client):
                client.close()
    if update:
        page.write_text(rewritten, encoding="utf-8")


def test_the_readme_and_the_tour_show_the_commands_that_people_come_for() -> None:
    def commands_on(page: Path) -> set[str]:
        blocks = [block for kind, block in BLOCK.findall(text_of(page)) if kind == "console"]
        return {command.words[1] for block in blocks for command in commands(block)}

    assert commands_on(README) >= {"settle", "analyse"}
    assert commands_on(TOUR) >= {"settle", "illuminate", "analyse", "compare", "lint", "design", "draw"}
