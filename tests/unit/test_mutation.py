"""`python3 dev.py mutate`: what it changes, what it leaves out, and a whole run over a package of three lines."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mutation.mutants import ROOT, SOURCES, Settings, difference, mutants_of

SETTINGS = Settings.read()


def changes(source: str) -> set[tuple[str, str]]:
    """The lines before and after each mutant of a source."""
    return {difference(source, one.apply(source) or source) for one in mutants_of("m.py", source, SETTINGS)}


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("check(draft)", {"pass"}),
        ("await check(draft)", {"pass"}),
        ("if a in b: pass", {"if a not in b: pass", "if not a in b: pass"}),
        ("if a not in b: pass", {"if a in b: pass", "if not a not in b: pass"}),
        ("x = [a for a in b if a]", {"x = [a for a in b if not (a)]"}),
        ("x = a < b", {"x = a <= b", "x = a >= b"}),
        ("x = a + 1", {"x = a - 1", "x = a + 2", "x = a + 0"}),
    ],
)
def test_what_a_line_becomes(line: str, becomes: set[str]) -> None:
    assert changes(f"async def f():\n    {line}\n") == {(line, one) for one in becomes}


def test_the_condition_of_an_elif_is_negated() -> None:
    source = "def f():\n    if a:\n        pass\n    elif b:\n        pass\n"
    assert changes(source) == {("if a:", "if not a:"), ("elif b:", "elif not (b):")}


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int | None = None) -> str | None:\n    return a\n",
        "if TYPE_CHECKING:\n    x = 1\n",
        "class C(Protocol):\n    x = 1\n",
        "@dataclass(frozen=True, slots=True)\nclass C:\n    x: int | str\n".replace("@dataclass", "@\\\ndataclass"),
        "def f():\n    log.warning('%s', a + 1)\n",
        "def f():\n    fault_injection.point('before-append')\n",
        'def f():\n    """Return 1."""\n',
    ],
)
def test_annotations_types_and_log_text_are_left_out(source: str) -> None:
    assert not [one for one in mutants_of("m.py", source, SETTINGS) if one.operator != "RemoveDecorator"]


def test_a_mutant_keeps_its_name_while_its_function_stays_the_same() -> None:
    function = "def f(a):\n    return a + 1\n"

    def named(source: str) -> set[str]:
        return {one.id for one in mutants_of("m.py", source, SETTINGS) if one.function == "f"}

    assert named(function) == named(f"x = 1\n\n\n{function}")
    assert not named(function) & named(function.replace("1", "2"))


def test_lines_that_move_money_are_critical() -> None:
    source = "def f():\n    draft.emit(e, move(a, b, 1))\n    other(1)\n"
    assert {(one.line, one.critical) for one in mutants_of("m.py", source, SETTINGS)} == {(2, True), (3, False)}


def test_what_the_settings_name_is_there() -> None:
    for paths in SETTINGS.tests.values():
        assert all((ROOT / path).exists() for path in paths)
    for module, line, _ in SETTINGS.equivalent:
        assert line in {one.strip() for one in (ROOT / SOURCES / module).read_text(encoding="utf-8").splitlines()}
    for pattern in SETTINGS.critical_modules:
        assert list((ROOT / SOURCES).glob(pattern)), pattern


TOY = """def worth(amount: int) -> int:
    return amount if amount > 0 else 0


def unused() -> int:
    return 1
"""
TOY_TESTS = """from pitbook.toy.chips import worth


def test_worth():
    assert worth(5) == 5
"""
TOY_SETTINGS = """
[tests]
"toy" = ["tests"]
[together]
[left_out]
tests = []
tuning = []
[postgres]
packages = []
[critical]
modules = ["toy/*.py"]
lines = ['never']
[[equivalent]]
module = "toy/chips.py"
line = "return amount if amount > 0 else 0"
becomes = "return amount if amount >= 0 else 0"
reason = "Nothing is worth nothing."
"""


@pytest.mark.thorough
def test_a_whole_run_tells_killed_from_survived_and_leaves_the_sources_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "mutation", tmp_path / "mutation", ignore=shutil.ignore_patterns("__pycache__"))
    sources = tmp_path / SOURCES / "toy"
    sources.mkdir(parents=True)
    for folder in ("tests", "docs"):
        (tmp_path / folder).mkdir()
    profile = 'from hypothesis import settings\nsettings.register_profile("mutation")\n'
    for file, text in {
        tmp_path / "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p no:schemathesis -p no:faker"\n',
        tmp_path / "mutation" / "settings.toml": TOY_SETTINGS,
        tmp_path / "tests" / "conftest.py": profile,
        tmp_path / "tests" / "test_toy.py": TOY_TESTS,
        sources.parent / "__init__.py": "",
        sources / "__init__.py": "",
        sources / "chips.py": TOY,
    }.items():
        file.write_text(text, encoding="utf-8")

    def run(*arguments: str, fails: bool = False) -> str:
        command = [sys.executable, "-m", "mutation", "toy", *arguments]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert bool(ended.returncode) == fails, ended.stderr
        return ended.stderr if fails else ended.stdout

    whole = run()
    assert (sources / "chips.py").read_text(encoding="utf-8") == TOY
    row, _, survivors = whole.rpartition("\ntoy  ")[2].partition("\n")
    assert row.split() == ["8", "of", "8", "2", "25.0", "%", "1"], "all that was run, killed, and one equivalent"
    assert "! toy/chips.py:6 NumberReplacer: no test reaches it\n    - return 1\n    + return 2" in survivors
    assert "+ return amount if amount > 1 else 0" in survivors
    assert "+ return amount if not amount > 0 else 0" not in survivors
    assert "mutants to run" not in run(), "what is known is not run again"
    (tmp_path / "tests" / "test_toy.py").write_text(f"{TOY_TESTS}    assert worth(1) == 1\n", encoding="utf-8")
    assert "+ return amount if amount > 1 else 0" not in run("--again")
    (tmp_path / "tests" / "test_toy.py").write_text("import missing\n", encoding="utf-8")
    assert "the tests of toy cannot be collected" in run("--fresh", fails=True)


def test_no_two_mutants_have_the_same_name() -> None:
    source = (ROOT / SOURCES / "ledger" / "transfers.py").read_text(encoding="utf-8")
    names = [one.id for one in mutants_of("ledger/transfers.py", source, SETTINGS)]
    assert len(set(names)) == len(names) > 40
