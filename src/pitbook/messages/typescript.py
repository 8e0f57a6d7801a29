"""Compiles the pages' areas to TypeScript: `python -m pitbook.messages.typescript FOLDER`.

Each area becomes a module with its type and one module for each language. Plain messages are strings, messages with
parameters are functions that take them in the catalogue's order, so the browser needs no parser.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.messages.catalogue import Area, Entry, Tree, areas, page_areas
from pitbook.messages.languages import LANGUAGES, Language
from pitbook.messages.patterns import Argument, Choice, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = "// Generated from {area}.toml of src/pitbook/messages: change that file instead.\n\n"
SHARED = ("automatic", "names", "problems")
"""The server's areas that pages read as well."""
_FIRST = "common"
"""The area whose English is part of the first load, for messages shown when nothing else can be loaded."""
_TYPES = {"text": "string", "count": "number", "number": "number"}


def compile_pages(folder: Path) -> None:
    """Write the modules of all areas; leave a module alone that has not changed, and remove stale ones."""
    modules = {name: text for area in compiled_areas() for name, text in _modules(area)}
    folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.name for path in folder.iterdir()} - modules.keys():
        (folder / stale).unlink()
    for name, text in modules.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def compiled_areas() -> list[Area]:
    """Return the areas that the browser needs."""
    return [*page_areas().values(), *(areas()[name] for name in SHARED)]


def _modules(area: Area) -> Iterator[tuple[str, str]]:
    head = _HEAD.format(area=area.name)
    interface = f"{area.name.capitalize()}Words"
    loaders = "".join(f'  "{one}": () => import("./{area.name}.{one}"),\n' for one in LANGUAGES)
    first = area.name == _FIRST
    english = f'import {{ words as english }} from "./{area.name}.en";\n' if first else ""
    yield (
        f"{area.name}.ts",
        f'{head}import {{ area }} from "../areas";\n{english}\n'
        f"export {_interface(area, interface)}\n\n"
        f"export const {area.name}Words = area<{interface}>({{\n{loaders}}}{', { en: english }' if first else ''});\n",
    )
    for language in LANGUAGES:
        value = _value(area.tree, language, 0)
        numbers = 'import { counted } from "../numbers";\n' if "counted(" in value else ""
        yield (
            f"{area.name}.{language}.ts",
            f'{head}{numbers}import type {{ {interface} }} from "./{area.name}";\n\n'
            f"export const words: {interface} = {value};\n",
        )


def _interface(area: Area, name: str) -> str:
    if "" in area.lookups:
        return f"type {name} = Record<string, string>;"
    return f"interface {name} {_type(area.tree, area)}"


def _type(tree: Tree, area: Area, path: tuple[str, ...] = ()) -> str:
    lines = []
    for key, value in tree.items():
        here = (*path, key)
        if isinstance(value, Entry):
            shape = _signature(value)
        elif isinstance(value, list):
            shape = "readonly string[]"
        elif ".".join(here) in area.lookups:
            shape = f"Record<string, {_signature(next(one for one in value.values() if isinstance(one, Entry)))}>"
        else:
            shape = _type(value, area, here)
        lines.append(f"{'  ' * len(here)}{_key(key)}: {shape};\n")
    return f"{{\n{''.join(lines)}{'  ' * len(path)}}}"


def _signature(entry: Entry) -> str:
    if not entry.params:
        return "string"
    return f"({', '.join(f'{name}: {_TYPES[kind]}' for name, kind in entry.params.items())}) => string"


def _value(tree: Tree, language: Language, depth: int) -> str:
    lines = []
    for key, value in tree.items():
        if isinstance(value, Entry):
            text = _message(value, language)
        elif isinstance(value, list):
            text = f"[{', '.join(_message(one, language) for one in value)}]"
        else:
            text = _value(value, language, depth + 1)
        lines.append(f"{'  ' * (depth + 1)}{_key(key)}: {text},\n")
    return f"{{\n{''.join(lines)}{'  ' * depth}}}"


def _message(entry: Entry, language: Language) -> str:
    pattern = entry.pattern(language)
    if not entry.params:
        return _quoted("".join(part for part in pattern if isinstance(part, str)))
    body = _expression(pattern, entry)
    used = [name for name in entry.params if re.search(rf"\b{name}\b", body)]
    names = [name if name in used else f"_{name}" for name in entry.params]
    while names and names[-1].startswith("_"):
        names.pop()
    return f"({', '.join(names)}) => {body}"


def _expression(pattern: Pattern, entry: Entry) -> str:
    """Return the TypeScript expression for a pattern."""
    if all(isinstance(part, str) for part in pattern):
        return _quoted("".join(map(str, pattern)))
    if len(pattern) == 1 and isinstance(pattern[0], Choice):
        return _choice(pattern[0], entry)
    return f"`{''.join(_part(part, entry) for part in pattern)}`"


def _part(part: str | Argument | Choice, entry: Entry) -> str:
    if isinstance(part, str):
        return re.sub(r"([`\\]|\$\{)", r"\\\1", part)
    if isinstance(part, Argument):
        return f"${{{_argument(part.name, entry)}}}"
    return f"${{{_choice(part, entry)}}}"


def _argument(name: str, entry: Entry) -> str:
    return f"counted({name})" if entry.params[name] == "count" else name


def _choice(choice: Choice, entry: Entry) -> str:
    cases = dict(choice.cases)
    other = _expression(cases.pop("other"), entry)
    tests = "".join(f"{_test(choice, case)} ? {_expression(nested, entry)} : " for case, nested in cases.items())
    return f"({tests}{other})"


def _test(choice: Choice, case: str) -> str:
    if not choice.plural:
        return f"{choice.name} === {_quoted(case)}"
    return f"{choice.name} === {'1' if case == 'one' else case.removeprefix('=')}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z_]\w*", key) else _quoted(key)


if __name__ == "__main__":
    compile_pages(Path(sys.argv[1]))
