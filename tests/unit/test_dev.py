"""The door of the project: how a soak ends, and what it says of a failure."""

from __future__ import annotations

import importlib.util
import time
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
        path.write_text(f"import os, time, pathlib\ndef test_it():\n    {does}\n", encoding="utf-8")
        return str(path)

    return written


def test_a_soak_ends_in_time_in_the_midst_of_a_long_test(
    dev: ModuleType, campaign: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    long = campaign("time.sleep(600)")
    monkeypatch.setattr(dev, "SOAKED", (long,))
    began = time.monotonic()
    assert dev.soak(["0.1"]) == 0
    assert time.monotonic() - began < 120
    assert f"soaked: 0 campaigns went well, 0 failed, {long} was cut short by the time" in capfd.readouterr().out


def test_a_soak_that_fails_says_so_with_the_command_that_repeats_it(
    dev: ModuleType, campaign: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fails = campaign("assert os.environ['PITBOOK_SOAK'] == '0', 'seed ' + os.environ['PITBOOK_SOAK']")

    def once() -> Any:
        yield fails, 1234

    monkeypatch.setattr(dev, "campaigns", once)
    assert dev.soak(["10"]) == 1
    told = capfd.readouterr().out
    assert "seed 1234" in told
    assert f"PITBOOK_SOAK=1234 PITBOOK_FAULT_RUNS=1000 python3 dev.py test -x --hypothesis-seed=1234 {fails}" in told


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

    with collector.with_value(lambda found: counted.append(describe_statistics(found))):
        any_integer()
    report = pytest.TestReport("a test", ("", 0, ""), {}, "passed", None, "teardown", _hypothesis_stats=counted[0])
    assert examples_of(report) == 25
