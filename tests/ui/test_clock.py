"""The pages' clock: it follows the server's, and an old entry does not set it back."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

UI = Path(__file__).resolve().parents[2] / "ui"

ASK = """
import { build } from "esbuild";
const made = await build({ entryPoints: ["src/live/clock.ts"], bundle: true, format: "esm", write: false });
const clock = await import("data:text/javascript," + encodeURIComponent(made.outputFiles[0].text));
const now = Date.UTC(2026, 0, 1, 12);
const at = seconds => new Date(now + 1000 * seconds).toISOString();
const off = () => Math.round((clock.serverNow(now) - now) / 1000);
const told = [];
clock.noteServerTime(new Date(now).toUTCString(), now);
told.push(off());
for (const seconds of [-600, -300, -30]) clock.noteEntryTime(at(seconds), now);  // back after ten minutes
told.push(off());
clock.noteEntryTime(at(90), now);  // the visitor's clock is behind
told.push(off());
clock.noteServerTime(new Date(now - 3_600_000).toUTCString(), now);  // it is an hour ahead
told.push(off());
console.log(JSON.stringify(told));
"""


def test_the_clock_follows_the_server_and_no_old_entry_sets_it_back() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node, and so no pages either")
    given = ["--input-type=module", "-e", ASK]
    found = subprocess.run([node, *given], cwd=UI, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 0, found.stderr
    now, after_a_while, behind, ahead = json.loads(found.stdout)
    assert (now, after_a_while, behind) == (0, 0, 90)
    assert abs(ahead + 3600) <= 1
