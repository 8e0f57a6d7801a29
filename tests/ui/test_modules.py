"""Single modules of the pages, loaded without a browser: the clock, and amounts as people type them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.nodejs import NODE
from tests.waiting import HANG

UI = Path(__file__).resolve().parents[2] / "ui"

CLOCK = """
const now = Date.UTC(2026, 0, 1, 12);
const at = seconds => new Date(now + 1000 * seconds).toISOString();
const off = () => Math.round((loaded.serverNow(now) - now) / 1000);
const results = [];
loaded.noteServerTime(new Date(now).toUTCString(), now);
results.push(off());
for (const seconds of [-600, -300, -30]) loaded.noteEntryTime(at(seconds), now);  // back after ten minutes
results.push(off());
loaded.noteEntryTime(at(90), now);  // the visitor's clock is behind
results.push(off());
loaded.noteServerTime(new Date(now - 3_600_000).toUTCString(), now);  // it is an hour ahead
results.push(off());
"""

TYPED = {
    "0": 0,
    "5": 500,
    "2.5": 250,
    " 1,234.50 ": 123_450,
    "1234567": 123_456_700,
    "1,234,567.89": 123_456_789,
    "５００": 50_000,
    "１，０００．５": 100_050,
    "90071992547409.91": 2**53 - 1,
    "90071992547409.92": None,
    "9" * 30: None,
    "2,50": None,
    "12,34": None,
    "1,2345": None,
    ",500": None,
    "1.234": None,
    "1.2.3": None,
    "-5": None,
    "+5": None,
    "1e3": None,
    "0x10": None,
    "五百": None,
    "": None,
    ".": None,
    "=1+1": None,
}


def node(module: str, script: str, before: str = "") -> Any:
    """Run a script with a module of the pages as `loaded`, after `before`; return its `results`."""
    made = f"""
{before}
import {{ build }} from "esbuild";
const made = await build({{ entryPoints: ["src/{module}"], bundle: true, format: "esm", write: false }});
const loaded = await import("data:text/javascript," + encodeURIComponent(made.outputFiles[0].text));
{script}
console.log(JSON.stringify(results));
"""
    given: list[str | Path] = [NODE, "--input-type=module", "-e", made]
    answer = subprocess.run(given, cwd=UI, capture_output=True, text=True, timeout=HANG, check=False)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_the_clock_follows_the_server_and_no_old_entry_sets_it_back() -> None:
    now, after_a_while, behind, ahead = node("live/clock.ts", CLOCK)
    assert (now, after_a_while, behind) == (0, 0, 90)
    assert abs(ahead + 3600) <= 1


def test_what_people_type_is_the_amount_that_they_mean_or_none() -> None:
    script = f"const results = {json.dumps(list(TYPED))}.map(text => loaded.amountTyped(text, 'USD'));"
    assert dict(zip(TYPED, node("money/amounts.ts", script), strict=True)) == TYPED
    assert node(
        "money/amounts.ts", "const results = [loaded.amountTyped('1,500', 'JPY'), loaded.amountTyped('1.5', 'JPY')];"
    ) == [
        1500,
        None,
    ]


def test_dollars_of_different_countries_are_distinguished_in_every_language() -> None:
    script = """
const currencies = ["USD", "SGD", "play-SGD"];
const results = ["en", "zh-Hant"].map(locale => currencies.map(one => loaded.amountText(-300, one, locale)));
"""
    assert node("money/amounts.ts", script) == [["−US$3.00", "−S$3.00", "−◇3.00"]] * 2


SETTLING = """
const settling = new loaded.Settling();
const [call, other] = [{}, {}];
const at = (top, label = "Call") => ({ label, left: 20, top });
const results = [
  settling.isSettled(call, 0),            // never seen
  settling.note(call, at(100), 0),        // has just appeared
  settling.note(call, at(100), 499),
  settling.note(call, at(100), 500),
  settling.note(call, at(104), 510),      // still under the finger
  settling.note(other, at(100), 510),     // another one appears in its place
  settling.note(call, at(160), 520),      // and pushes it down
  settling.note(call, at(160), 1019),
  settling.isSettled(other, 1010),
  settling.note(call, at(160), 1020),
  settling.note(call, at(160, "Void"), 1030),  // the same button for something else
  settling.isSettled(call, 1530),
];
"""


def test_an_act_that_appeared_moved_or_changed_settles_after_half_a_second() -> None:
    expected = [False, False, False, True, True, False, False, False, True, True, False, True]
    assert node("staff/press-guard.ts", SETTLING) == expected
