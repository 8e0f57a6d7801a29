"""The pages in a real Chromium: frames while 104 areas light up, an event until it is on the screen, bytes to load.

    python3 dev.py bench pages [--quick]

A demo house on the loopback. Frames are the times between animation frames: of the page at rest, of all lamps of the
largest layout going on and off at once, and of real throws with chips on every area, from the tumbling dice until the
winners are paid. An event counts from its last byte on the page's stream until after the frame that shows it. Bytes are
those of the first visit, as the browser counted them. Whatever else this machine does counts too: the page at rest says
how much that is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import sleep
from typing import TYPE_CHECKING, Any

import httpx
from _results import held
from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from pitbook.server.demo import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
UNHURRIED = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_SIGN_IN_RATE": "0"}
BOOK = "singapore-mbs-sic-bo-v6"
"""The regulator's book with the most areas."""
LIKE, DEALT = "singapore", "massachusetts"
"""The demo tables: the automatic one of that book, and one with dealers."""
TABLE = "bench"
PLAYERS = ("demo-ann", "demo-ben", "demo-chen")
BETS_MAX = 50
"""In one request."""
TIME_TO_BET = 3.0
FRAME = 1000 / 60
FRAME_AIM, DELAY_AIM, BYTES_AIM = 1.5 * FRAME, 100.0, 150_000
"""Frames a second must stay near sixty, an event is seen at once, a page loads over a bad line."""
NO_GRAPHICS = "a browser without a graphics card paints every frame on the two cores that run server and page, too."

FRAMES = """seconds => new Promise(done => {
  const times = [];
  const until = performance.now() + seconds * 1000;
  const step = now => {
    times.push(now);
    if (now < until) requestAnimationFrame(step);
    else done(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(step);
})"""
OWN_STREAM = """
const asked = window.fetch;
window.fetch = (what, how) => {
  if (!String(what.url ?? what).includes("/stream")) return asked(what, how);
  const start = line => {
    window.tell = text => line.enqueue(new TextEncoder().encode(text));
  };
  return Promise.resolve(new Response(new ReadableStream({ start })));
};
"""
"""Instead of the server's stream one that the benchmark writes to: no throw lights all areas at once."""
LAMPS = """([view, wagers, sequence, seconds]) => {
  let on = false;
  const timer = setInterval(() => {
    on = !on;
    sequence += 1;
    const now = { ...view, sequence, betting: false, phase: "revealed", dice: [1, 1, 1], lit: on ? wagers : [] };
    tell(`event: view\\ndata: ${JSON.stringify(now)}\\n\\n`);
  }, 700);
  setTimeout(() => clearInterval(timer), seconds * 1000);
}"""
ARRIVALS = """
window.arrived = [];
window.painted = [];
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function () {
  const found = await read.call(this);
  if (typeof found.value === "string" && found.value.includes('"BetPlaced"')) arrived.push(performance.now());
  return found;
};
const shown = new MutationObserver(changes => {
  const chips = changes.some(change => [...change.addedNodes].some(node => node.classList?.contains("others")));
  if (chips) requestAnimationFrame(() => setTimeout(() => painted.push(performance.now())));
});
document.addEventListener("DOMContentLoaded", () => shown.observe(document, { childList: true, subtree: true }));
"""


@contextmanager
def demo_house() -> Iterator[str]:
    """Yield the address of a demo house with a table of the largest layout, where betting takes five seconds."""
    with tempfile.TemporaryDirectory(prefix="pitbook-pages-") as folder:
        command = [sys.executable, "-m", "pitbook", "serve", "--port", "0", "--demo", "--db", f"{folder}/house.db"]
        environment = {**os.environ, **UNHURRIED, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        with Path(folder, "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment)
        try:
            assert process.stdout is not None
            found = next(filter(None, (re.search(r"open at (\S+)", line.decode()) for line in process.stdout)), None)
            if found is None:
                raise SystemExit("the server did not open")
            _open_table(found[1])
            yield found[1]
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def somebody(address: str, name: str) -> Iterator[httpx.Client]:
    """Yield an API client that is signed in as a person of the demo house."""
    with httpx.Client(base_url=address, timeout=20) as client:
        me = client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD}).json()
        client.headers["X-CSRF-Token"] = me["csrf"]
        yield client


def _open_table(address: str) -> None:
    with somebody(address, "demo-manager") as manager:
        setup = manager.get(f"/api/v1/tables/{LIKE}").json()["rules"]["setup"]
        setup["automatic"] |= {"betting_seconds": 5, "rest_seconds": 6}
        setup["number"] = None
        body = {"command": {"type": "OpenTable", "setup": setup}, "role": "manager"}
        manager.post(f"/api/v1/tables/{TABLE}/commands", json=body).raise_for_status()


def frames_at_rest(page: Page, seconds: float) -> list[float]:
    """Return the frame times of an idle page."""
    found: list[float] = page.evaluate(FRAMES, seconds)
    return found


def frames_of_lamps(browser: Browser, address: str, seconds: float) -> tuple[int, list[float]]:
    """Switch all lamps on and off at once; return their number and the frame times."""
    context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    context.add_init_script(OWN_STREAM)
    page = context.new_page()
    page.goto(f"/tables/{TABLE}")
    page.locator("[data-wager]").first.wait_for()
    now = httpx.get(f"{address}/api/v1/tables/{TABLE}").json()
    wagers = list(now["rules"]["limits"])
    page.evaluate(LAMPS, [now["view"], wagers, now["sequence"], seconds])
    found = frames_at_rest(page, seconds)
    lit = page.locator(".area-lit").count()
    if lit not in (0, len(wagers)):
        raise SystemExit(f"{lit} of {len(wagers)} areas are lit")
    context.close()
    return len(wagers), found


def frames_of_throws(page: Page, address: str, throws: int) -> list[float]:
    """Return the frame times of real throws with chips on all areas."""
    times: list[float] = []
    for _ in range(throws):
        _wait_for_betting(address)
        for name in PLAYERS:
            with somebody(address, name) as player:
                _bet_everywhere(player)
        page.wait_for_selector(".tumble", timeout=20_000)
        times += page.evaluate(FRAMES, 4.0)
    return times


def _wait_for_betting(address: str) -> None:
    """Wait until enough of a round's time is left to bet on all areas."""
    for _ in range(400):
        view = httpx.get(f"{address}/api/v1/tables/{TABLE}").json()["view"]
        until = view["automatic"]["until"]  # none before the first bet
        if view["betting"] and (until is None or _seconds_to(until) > TIME_TO_BET):
            return
        sleep(0.1)
    raise SystemExit(f"table {TABLE} takes no bets")


def _seconds_to(moment: str) -> float:
    return (datetime.fromisoformat(moment) - datetime.now(UTC)).total_seconds()


def _bet_everywhere(player: httpx.Client) -> None:
    """Get play money and bet the minimum on all areas."""
    now = player.get(f"/api/v1/tables/{TABLE}").json()
    lacking = now["rules"]["setup"]["automatic"]["play_stack"] - now["mine"]["balance"]
    if lacking > 0:
        body = {"command": {"type": "BuyIn", "amount": lacking}, "role": "player"}
        player.post(f"/api/v1/tables/{TABLE}/commands", json=body).raise_for_status()
    limits = list(now["rules"]["limits"].items())
    for start in range(0, len(limits), BETS_MAX):
        some = limits[start : start + BETS_MAX]
        bets = [{"wager": wager, "amount": limit["stake_min"]} for wager, limit in some]
        player.post(f"/api/v1/tables/{TABLE}/bets", json={"bets": bets}).raise_for_status()


def times_to_screen(browser: Browser, address: str, events: int) -> list[float]:
    """Return the milliseconds from a bet on the stream until after the frame with its chips."""
    context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    context.add_init_script(ARRIVALS)
    page = context.new_page()
    page.goto(f"/tables/{DEALT}")
    page.get_by_text("Live", exact=True).wait_for()
    _open_betting(address)
    with somebody(address, PLAYERS[0]) as player:
        table = f"/api/v1/tables/{DEALT}"
        wagers = list(player.get(table).json()["rules"]["limits"])[:events]
        for count, wager in enumerate(wagers, start=1):
            player.post(f"{table}/bets", json={"bets": [{"wager": wager, "amount": 500}]}).raise_for_status()
            while page.evaluate("painted.length") < count:  # the pages' policy forbids scripts that wait by themselves
                page.wait_for_timeout(20)
    arrived, painted = page.evaluate("[arrived, painted]")
    context.close()
    return [after - before for before, after in zip(arrived, painted, strict=True)]


def _open_betting(address: str) -> None:
    table = f"/api/v1/tables/{DEALT}"
    with somebody(address, "demo-dealer") as dealer:
        steps = dealer.get(table).json()["view"]["procedure"]
        for step in steps:
            if dealer.get(table).json()["view"]["betting"]:
                return
            body = {"command": {"type": "TakeStep", "step": step["id"], "shakes": 3}, "role": "dealer"}
            dealer.post(f"{table}/commands", json=body).raise_for_status()


def bytes_of_pages(browser: Browser, address: str) -> dict[str, int]:
    """Return the compressed bytes that the first visit of each page loads, without API requests."""
    found = {}
    table = f"/tables/{LIKE}"
    book = f"/books/{BOOK}"
    ways = ("/", "/sign-in", table, f"{table}/board", f"{table}/dealer", "/books", book, f"{book}/analysis")
    for way in (*ways, "/analysis", "/verify", "/simulation", "/floor", "/audit", "/me"):
        context = browser.new_context(base_url=address)
        page = context.new_page()
        sizes: list[int] = []
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        own: set[str] = set()

        def answered(event: dict[str, Any], own: set[str] = own) -> None:
            if "/api/" not in event["response"]["url"]:
                own.add(event["requestId"])

        def loaded(event: dict[str, Any], own: set[str] = own, sizes: list[int] = sizes) -> None:
            if event["requestId"] in own:
                sizes.append(int(event["encodedDataLength"]))

        line.on("Network.responseReceived", answered)
        line.on("Network.loadingFinished", loaded)
        page.goto(way)
        page.locator("main h1, main h2").first.wait_for()
        page.wait_for_timeout(300)
        found[way] = sum(sizes)
        context.close()
    return found


def percentile_texts(times: list[float]) -> tuple[str, str, str]:
    """Format median, 99th percentile and maximum in milliseconds."""
    return f"{median(times):.1f}", f"{nearly_all(times):.1f}", f"{max(times):.1f}"


def nearly_all(times: list[float]) -> float:
    """Return the 99th percentile."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


def late(times: list[float]) -> float:
    """Return the share of frames that came later than the next one was due."""
    return sum(time > FRAME_AIM for time in times) / len(times)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one throw, fewer events")
    quick = parser.parse_args().quick
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit("no Chromium on PATH; python3 dev.py test says how to install one")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with demo_house() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*sandbox, *QUIET])
        page = browser.new_page(base_url=address, viewport={"width": 1440, "height": 900})
        page.goto(f"/tables/{TABLE}")
        page.locator("[data-wager]").first.wait_for()
        rest = frames_at_rest(page, 2 if quick else 4)
        areas, lamps = frames_of_lamps(browser, address, 3 if quick else 6)
        throws = frames_of_throws(page, address, 1 if quick else 3)
        times = times_to_screen(browser, address, 15 if quick else 40)
        sizes = bytes_of_pages(browser, address)
        browser.close()
    _print(areas, rest, lamps, throws, times, sizes)
    return 0


def _print(
    areas: int,
    rest: list[float],
    lamps: list[float],
    throws: list[float],
    delays: list[float],
    sizes: dict[str, int],
) -> None:
    frames = Table(title=f"Milliseconds in Chromium, {areas} areas")
    for column in ("what", "median", "p99", "worst", "late frames", "aim"):
        frames.add_column(column, justify="left" if column == "what" else "right")
    aim = f"p99 < {FRAME_AIM:.0f}"
    frames.add_row("frames of the page at rest", *percentile_texts(rest), f"{late(rest):.1%}", "")
    frames.add_row(f"frames while {areas} lamps go on and off", *percentile_texts(lamps), f"{late(lamps):.1%}", aim)
    frames.add_row("frames of a throw, chips on all areas", *percentile_texts(throws), f"{late(throws):.1%}", aim)
    frames.add_row("from the stream to the screen", *percentile_texts(delays), "", f"p99 < {DELAY_AIM:.0f}")
    pages = Table(title="First visit, compressed")
    for column in ("page", "bytes", "of the limit", "aim"):
        pages.add_column(column, justify="left" if column == "page" else "right")
    for way, size in sizes.items():
        pages.add_row(way, f"{size:,}", f"{size / BYTES_AIM:.2f}", f"< {BYTES_AIM:,}")
    for what, times in ((f"while {areas} lamps go on and off", lamps), ("of a throw, chips on all areas", throws)):
        held(f"frame {what}, median", median(times), FRAME + 0.5, unit="ms", least=False)
        held(f"frame {what}, p99", nearly_all(times), FRAME_AIM, unit="ms", least=False, hinders=NO_GRAPHICS)
    what = "from the stream to the screen, p99"
    held(what, nearly_all(delays), DELAY_AIM, unit="ms", least=False, hinders=NO_GRAPHICS)
    largest = max(sizes.values()) / 1000
    held("first visit of the largest page, compressed", largest, BYTES_AIM / 1000, unit="kB", least=False)
    console = Console(width=110)
    console.print(frames)
    console.print(pages)


if __name__ == "__main__":
    sys.exit(main())
