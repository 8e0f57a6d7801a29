"""`dev.py`: which tests it runs, how a soak ends, and how it reports a failure."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.statistics import collector, describe_statistics
from hypothesis.strategies import integers

from tests.soaking import examples_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """dev.py, which sets nothing up here and has campaigns run in one process."""
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in {"set_up": lambda: None, "need_browser": lambda: None}.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "SPREAD", ("-p", "no:xdist", "-p", "no:cacheprovider", "--noconftest"))
    return module


@pytest.fixture
def campaign(tmp_path: Path) -> Callable[[str], str]:
    """Writes a campaign of one test that does this."""

    def written(does: str) -> str:
        path = tmp_path / "test_campaign.py"
        path.write_text(f"import os, threading, pathlib\ndef test_it():\n    {does}\n", encoding="utf-8")
        return str(path)

    return written


@pytest.fixture
def pytest_arguments(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments that pytest was started with, without those for its processes."""
    arguments: list[str] = []
    monkeypatch.setattr(dev, "SPREAD", ())
    monkeypatch.setattr(dev, "replace_process", lambda *command: arguments.extend(map(str, command[3:])))
    return arguments


def test_parts_are_folders_of_tests_beside_paths_and_options(dev: ModuleType, pytest_arguments: list[str]) -> None:
    dev.test(["table", "server/people", "-x", "ui", "-k", "browser", "tests/unit/test_money.py", "src"])
    assert pytest_arguments == [
        *("tests/table", "tests/server/people", "-x", "tests/ui", "-k", "browser", "tests/unit/test_money.py", "src")
    ]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (["src/pitbook/auth/passwords.py"], ["src/pitbook/auth", "tests/auth", "tests/server/people"]),
        (["src/pitbook/people/limits.py", "src/pitbook/house/house.py"], None),
        (["tests/table/test_bets.py"], ["tests/table/test_bets.py"]),
        (["tests/table/test_bets.py", "tests/table/driving.py"], ["tests/table"]),
        (["tests/table/test_that_was_deleted.py"], ["tests/table"]),
        (["ui/src/routes.ts", "docs/guides/server.md"], ["tests/browser", "tests/ui", "tests/unit"]),
        (["benchmarks/pages.py"], []),
        (["tests/waiting.py"], ["tests", "src"]),
        (["pyproject.toml", "tests/table/test_bets.py"], ["tests", "src"]),
        (["src/pitbook/money.py"], ["tests", "src"]),
    ],
)
def test_changed_files_choose_their_tests(dev: ModuleType, changed: list[str], tests: list[str] | None) -> None:
    if tests is None:  # tests/server has all of tests/server/people
        tests = ["src/pitbook/house", "src/pitbook/people", "tests/house", "tests/people", "tests/server"]
    assert dev.tests_of(changed) == tests


def test_every_package_names_tests_that_exist(dev: ModuleType) -> None:
    packages = {init.parent.name for init in (ROOT / "src" / "pitbook").glob("*/__init__.py")}
    assert set(dev.TESTS_OF) == packages
    assert [
        part for parts in dev.TESTS_OF.values() for part in parts.split() if not (ROOT / "tests" / part).is_dir()
    ] == []


@pytest.fixture
def repository(dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A repository with one commit on main; a function that runs git in it."""

    def git(*arguments: str) -> None:
        person = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        subprocess.run(["git", *person, *arguments], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(dev, "ROOT", tmp_path)
    git("init", "--initial-branch=main")
    for name in ("tests/unit/test_first.py", "tests/unit/test_second.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
        git("add", ".")
        git("commit", "--message", name)
    return git


def test_changed_runs_what_differs_from_main(
    dev: ModuleType,
    repository: Callable[..., None],
    pytest_arguments: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    dev.test(["--changed"])
    assert pytest_arguments == ["tests/unit/test_second.py"], "the last commit, for nothing differs from main"
    pytest_arguments.clear()
    repository("switch", "--create", "work")
    (tmp_path / "tests" / "unit" / "test_first.py").write_text("1", encoding="utf-8")
    repository("commit", "--all", "--message", "on the branch")
    (tmp_path / "tests" / "unit" / "test_new.py").write_text("", encoding="utf-8")
    dev.test(["--changed", "-x"])
    assert pytest_arguments == ["-x", "tests/unit/test_first.py", "tests/unit/test_new.py"]
    assert "2 files have changed; running: tests/unit/test_first.py tests/unit/test_new.py" in capsys.readouterr().err


@pytest.mark.thorough
def test_a_soak_ends_in_time_in_the_midst_of_a_long_test(
    dev: ModuleType, campaign: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    long = campaign("threading.Event().wait()")
    monkeypatch.setattr(dev, "SOAKED", (long,))
    assert dev.soak(["0.1"]) == 0
    assert f"soaked: 0 campaigns went well, 0 failed, {long} was cut short by the time" in capfd.readouterr().out


@pytest.mark.thorough
def test_a_soak_that_fails_says_so_with_the_command_that_repeats_it(
    dev: ModuleType, campaign: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fails = campaign("assert os.environ['PITBOOK_SOAK'] == '0', 'seed ' + os.environ['PITBOOK_SOAK']")

    def once() -> Any:
        yield fails, 1234

    monkeypatch.setattr(dev, "campaigns", once)
    assert dev.soak(["10"]) == 1
    output = capfd.readouterr().out
    assert "seed 1234" in output
    assert f"PITBOOK_SOAK=1234 PITBOOK_FAULT_RUNS=1000 python3 dev.py test -x --hypothesis-seed=1234 {fails}" in output


def test_a_soak_has_other_seeds_and_another_order_every_time(dev: ModuleType) -> None:
    def first() -> list[tuple[str, int]]:
        endless = dev.campaigns()
        return [next(endless) for _ in dev.SOAKED]

    once, twice = first(), first()
    assert sorted(campaign for campaign, _ in once) == sorted(dev.SOAKED)
    assert once != twice
    assert all(seed > 0 for _, seed in once), "0 is what the usual tests have"
    assert all((ROOT / campaign).exists() for campaign in dev.SOAKED)


@pytest.mark.parametrize("minutes", [["long"], ["-1"], ["1", "2"]])
def test_a_soak_without_a_number_of_minutes_says_what_it_takes(
    dev: ModuleType, minutes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        dev.soak(minutes)
    assert "soak takes a number of minutes" in capsys.readouterr().err


def test_the_examples_of_a_soak_are_those_that_hypothesis_counted() -> None:
    counted: list[str] = []

    @settings(max_examples=25, database=None)
    @given(integers())
    def any_integer(_number: int) -> None:
        pass

    # Hypothesis types its collector by its default, None.
    with collector.with_value(lambda found: counted.append(describe_statistics(found))):  # type: ignore[arg-type]
        any_integer()
    report = pytest.TestReport("a test", ("", 0, ""), {}, "passed", None, "teardown", _hypothesis_stats=counted[0])
    assert examples_of(report) == 25


def test_a_bare_machine_gets_the_settings_for_the_network_and_nothing_else(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, bundle, wheels = tmp_path / "root", tmp_path / "bundle.pem", tmp_path / "wheels"
    (root / "etc/apt/apt.conf.d").mkdir(parents=True)
    bundle.write_text("a certificate", encoding="utf-8")
    wheels.mkdir()
    given = {"HTTPS_PROXY": "http://proxy.test:3128", "PIP_CERT": str(bundle), "PIP_FIND_LINKS": str(wheels)}
    for name, value in {**given, "SOME_TOKEN": "secret"}.items():
        monkeypatch.setenv(name, value)
    environment = dev.bare_environment(root)
    assert {name: environment.get(name) for name in given} == {**given, "PIP_FIND_LINKS": None}
    assert "SOME_TOKEN" not in environment
    assert root.joinpath(*bundle.parts[1:]).read_text(encoding="utf-8") == "a certificate"


def test_a_bare_machine_takes_root(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit):
        dev.bare([])
    assert "as root" in capfd.readouterr().err


def test_a_bare_machine_walks_the_readme_and_every_command_to_install_and_upgrade(dev: ModuleType) -> None:
    everything = list(dev.bare_commands(*dev.bare_parts(["tests/table"])))
    assert everything[0] == ("/pitbook", "python3 dev.py serve")
    assert everything[-1] == ("/pitbook", "python3 dev.py test tests/table")
    installing = [command for _, command in dev.bare_commands(*dev.bare_parts(["--only", "install"]))]
    assert [command for _, command in everything[1:-1]] == installing
    assert {"pipx install ./pitbook-*.whl", "pitbook serve --db house.db", "pitbook audit house.db"} <= set(installing)
    assert "/opt/pitbook/bin/pip install --upgrade ./pitbook-*.whl" in installing
    served = [command for command in installing if command.endswith("serve --config /etc/pitbook/house.toml")]
    assert len(served) == 2, "the service is started after the installation and after the upgrade"
    assert all("--reuid=pitbook" in command and " env XDG_CONFIG_HOME=" in command for command in served)
    assert any(command.startswith("runuser -u pitbook -- pitbook backup /var/lib") for command in installing)


@pytest.mark.parametrize("parts", [["--only"], ["--only", "serve,fly"]])
def test_a_bare_machine_has_no_other_parts(
    dev: ModuleType, capfd: pytest.CaptureFixture[str], parts: list[str]
) -> None:
    with pytest.raises(SystemExit):
        dev.bare(parts)
    assert "--only takes some of serve, install, test" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "run"),
    [
        (["-n", "2"], {"usual"}),
        (["--all"], {"usual", "thorough"}),
        (["test_two.py"], {"usual", "thorough"}),
        (["-n", "2", "test_two.py"], {"usual", "thorough"}),
    ],
)
def test_thorough_tests_run_only_if_they_are_named_or_all_are_wanted(
    tmp_path: Path, arguments: list[str], run: set[str]
) -> None:
    options = "addopts = -p no:schemathesis -p no:faker -p tests.conftest -p no:cacheprovider"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\ntestpaths = .\n{options}\n", encoding="utf-8")
    thorough = "import pytest\n@pytest.mark.thorough\ndef test_thorough(): open('thorough', 'w').close()\n"
    usual = "def test_usual(): open('usual', 'w').close()\n"
    (tmp_path / "test_two.py").write_text(thorough + usual, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "PITBOOK_SOAK"}
    done = subprocess.run(
        command, cwd=tmp_path, env={**environment, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in tmp_path.iterdir()} & {"usual", "thorough"} == run
