"""Settings: where they come from, which of them wins, and what is said about wrong ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pitbook.cli import main
from pitbook.errors import InputErrors
from pitbook.server.setting_sources import gather, mask_password
from pitbook.server.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


def wrong(options: Mapping[str, Any], environment: Mapping[str, str], config: Path | None = None) -> list[str]:
    with pytest.raises(InputErrors) as found:
        gather(options, environment, config)
    return list(found.value.lines)


def test_options_win_over_variables_over_the_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('port = 1\nheartbeat = 2\nlog_level = "error"\n', encoding="utf-8")
    gathered = gather({"port": 3}, {"PITBOOK_PORT": "2", "PITBOOK_HEARTBEAT": "7"}, file)
    settings = gathered.settings
    assert (settings.port, settings.heartbeat, settings.log_level, settings.host) == (3, 7.0, "error", "127.0.0.1")
    sources = {one["setting"]: one["source"] for one in gathered.describe()}
    assert sources["port"] == "--port"
    assert sources["heartbeat"] == "PITBOOK_HEARTBEAT"
    assert sources["log_level"] == f"{file}:log_level"
    assert sources["host"] == "default"


def test_the_file_may_be_named_by_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("port = 4\n", encoding="utf-8")
    assert gather({}, {"PITBOOK_CONFIG": str(file)}).settings.port == 4


def test_all_wrong_settings_are_reported_at_once_each_with_its_source(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('prot = 1\nport = "8000"\nwatchers_max = true\nmetrics_from = ["x"]\n', encoding="utf-8")
    environment = {"PITBOOK_HEARTBEAT": "soon", "PITBOOK_DEMOO": "1", "PITBOOK_BODY_MAX": "5"}
    lines = wrong({"log_level": "loud"}, environment, file)
    starts = [line.partition(": ")[0] for line in lines]
    assert starts == [
        f"{file}:prot",
        f"{file}:port",
        f"{file}:watchers_max",
        f"{file}:metrics_from",
        "PITBOOK_BODY_MAX",
        "PITBOOK_DEMOO",
        "PITBOOK_HEARTBEAT",
        "--log-level",
    ]
    assert "did you mean port" in lines[0]
    assert "did you mean demo" in lines[5]
    assert [line.partition(": ")[2] for line in (lines[1], lines[3], lines[4], lines[6], lines[7])] == [
        "'8000': write a whole number",
        "['x'][0]: write an address or a network, like 10.0.0.5 or 10.0.0.0/8",
        "'5': write 1,024 or more",
        "'soon': write a number",
        "'loud': write 'debug', 'info', 'warning' or 'error'",
    ]


@pytest.mark.parametrize(
    ("content", "says"), [("port = ", "not TOML"), (None, "cannot be read"), (b"\xff\xfe", "not TOML")]
)
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, content: str | bytes | None, says: str) -> None:
    file = tmp_path / "house.toml"
    if content is not None:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    assert says in wrong({}, {}, file)[0]


def test_lists_are_arrays_in_a_file_and_words_with_commas_in_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('demo = false\ntrusted_proxies = ["10.0.0.1", "fd00::/8"]\n', encoding="utf-8")
    from_file = gather({}, {}, file).settings.trusted_proxies
    from_variable = gather({"demo": False}, {"PITBOOK_TRUSTED_PROXIES": "10.0.0.1, fd00::/8"}).settings.trusted_proxies
    assert [str(one) for one in from_file] == ["10.0.0.1/32", "fd00::/8"]
    assert from_file == from_variable


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"host": "0.0.0.0", "demo": False}, "could eavesdrop"),
        ({"host": "::", "demo": False}, "could eavesdrop"),
        ({"host": "0.0.0.0", "demo": True, "trusted_proxies": "10.0.0.1"}, "demo house"),
        ({"demo": True, "public_origins": "https://tables.example"}, "demo house"),
        ({"demo": True, "trusted_proxies": "127.0.0.1"}, "demo house"),
        ({"tls_certificate": "here.pem"}, "go together"),
        ({"tls_certificate": "not-there.pem", "tls_key": "not-there.key"}, "there is no file"),
        ({"session_idle": "100", "session_absolute": "10"}, "cannot be idle for longer"),
        ({"public_origins": "tables.example"}, "write an origin"),
    ],
)
def test_what_does_not_fit_together_is_refused(given: dict[str, Any], says: str) -> None:
    assert any(says in line for line in wrong(given, {}))


def test_other_machines_are_allowed_with_force_insecure() -> None:
    assert gather({"host": "0.0.0.0", "force_insecure": True}, {}).settings.host == "0.0.0.0"


def test_a_trusted_proxy_is_as_good_as_a_certificate() -> None:
    given = {"host": "10.0.0.2", "trusted_proxies": "10.0.0.1", "demo": False}
    assert gather(given, {}).settings.host == "10.0.0.2"


def test_a_password_is_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for extra in ([], ["--json"]):
        with pytest.raises(SystemExit):
            main(["serve", "--show-config", "--db", "postgresql://ann:hunter2@db.example/pit", *extra])
        output = capsys.readouterr().out
        assert "hunter2" not in output
        assert "ann:***@db" in output
    assert mask_password("pitbook.db") == "pitbook.db"


def test_every_setting_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--show-config", "--json"])
    assert ended.value.code == 0
    output = json.loads(capsys.readouterr().out)
    assert [one["setting"] for one in output] == list(Settings.model_fields)


def test_every_setting_is_documented_in_the_reference() -> None:
    table = PAGE.partition("| setting |")[2]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(Settings.model_fields)
    for name, field in Settings.model_fields.items():
        assert str(field.description) in table, name
