"""Mutants: where a package can be changed, which changes are left out by rule, and which lines are critical."""

from __future__ import annotations

import ast
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from mutation.operators import operators

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = ROOT / "mutation" / "settings.toml"
SOURCES = Path("src", "pitbook")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Settings:
    """What settings.toml says."""

    tests: dict[str, list[str]]
    together: dict[str, list[str]]
    left_out: list[str]
    postgres: list[str]
    critical_modules: list[str]
    critical_lines: re.Pattern[str]
    tuning: set[str]
    equivalent: set[tuple[str, str, str]]

    @classmethod
    def read(cls) -> Settings:
        """Read settings.toml; every equivalent mutant there has its reason."""
        found = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
        same = found.get("equivalent", [])
        unreasoned = [one["line"] for one in same if not one.get("reason", "").strip()]
        if unreasoned:
            raise SystemExit(f"{SETTINGS.name}: give the reason why these are equivalent: {unreasoned}")
        return cls(
            tests=found["tests"],
            together=found["together"],
            left_out=found["left_out"]["tests"],
            postgres=found["postgres"]["packages"],
            critical_modules=found["critical"]["modules"],
            critical_lines=re.compile("|".join(found["critical"]["lines"])),
            tuning=set(found["left_out"]["tuning"]),
            equivalent={(one["module"], one["line"], one["becomes"]) for one in same},
        )

    def folders(self, package: str) -> list[str]:
        """Return the packages that are run together with one, itself first."""
        return [package, *self.together.get(package, ())]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one module."""

    id: str
    """The same as long as the function around it is the same."""
    module: str
    """Its path below src/pitbook."""
    lines: range
    """The lines of the statement that is changed, of a compound one those of its head."""
    line: int
    operator: str
    occurrence: int
    function: str
    """The qualified name of the function around it; empty where the change is outside every function's body."""
    assigned: str
    """The name that the statement around it assigns to, where it is outside functions."""
    critical: bool

    def apply(self, source: str) -> str | None:
        """Return the changed source; None where there is nothing to change after all."""
        changed: str | None = mutate_code(source, operators()[self.operator], self.occurrence)
        return changed


def difference(source: str, changed: str) -> tuple[str, str]:
    """Return the first line that differs, before and after."""
    for before, after in zip(source.splitlines(), changed.splitlines(), strict=False):
        if before != after:
            return before.strip(), after.strip()
    return "", ""


def mutants_of(module: str, source: str, settings: Settings) -> list[Mutant]:
    """Return the mutants of a module, those left out by rule not among them."""
    outline = Outline(source, {name.partition(" ")[2] for name in settings.tuning if name.startswith(f"{module} ")})
    text = source.splitlines()
    whole = any(fnmatch(module, pattern) for pattern in settings.critical_modules)
    tree = get_ast(source)
    nodes = list(ast_nodes(tree))
    found = []
    counted: Counter[tuple[str, str]] = Counter()
    for name, operator in operators().items():
        spans = [span for node in nodes for span in operator.mutation_positions(node)]
        for occurrence, (start, end) in enumerate(spans):
            unit, unit_text = outline.unit(start)
            number = counted[unit + unit_text, name]
            counted[unit + unit_text, name] += 1
            if outline.is_left_out(start, end):
                continue
            lines = outline.statement(start[0])
            critical = whole or any(settings.critical_lines.search(text[line - 1]) for line in lines)
            identity = sha256("\0".join((module, unit, unit_text, name, str(number))).encode()).hexdigest()[:16]
            function = outline.function(start)
            assigned = "" if function else outline.assigned(start[0])
            found.append(Mutant(identity, module, lines, start[0], name, occurrence, function, assigned, critical))
    return sorted(found, key=lambda one: (one.line, one.operator, one.occurrence))


IMMUTABLE = ("frozen", "slots", "total", "eq", "order", "kw_only", "array_like", "forbid_unknown_fields")
CACHES = ("cache", "lru_cache", "cached_property", "override", "overload", "runtime_checkable")


@dataclass
class Outline:
    """The statements, functions and annotations of a module."""

    source: str
    tuning: set[str]
    """The names whose values are left out."""
    _heads: dict[int, range] = field(init=False, default_factory=dict)
    _functions: list[tuple[str, Place, Place, Place]] = field(init=False, default_factory=list)
    _rules: list[tuple[Place, Place]] = field(init=False, default_factory=list)
    _assigned: dict[int, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._tree = ast.parse(self.source)
        self._visit(self._tree.body, "")
        for node in ast.walk(self._tree):
            self._rules += [_span(one) for one in (*_without_effect(node), *_values(node, self.tuning))]
        self._text = self.source.splitlines(keepends=True)
        self._tops = [_span(node, decorated=True) for node in self._tree.body]

    def _visit(self, body: Iterable[ast.stmt], inside: str) -> None:
        for node in body:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            inner = [one for name in ("body", "orelse", "finalbody", "handlers", "cases") for one in _parts(node, name)]
            last = min([(node.end_lineno or node.lineno) + 1, *(_line(one) for one in inner)])
            for line in range(first, max(last, first + 1)):
                self._heads[line] = range(first, max(last, first + 1))
            if isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                self._assigned[first] = _name(target)
            name = inside
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{inside}.{node.name}" if inside else node.name
                if not isinstance(node, ast.ClassDef):
                    begins = (node.body[0].lineno, node.body[0].col_offset)
                    self._functions.append((name, _span(node, decorated=True)[0], begins, _span(node)[1]))
            for one in inner:
                self._visit([one] if isinstance(one, ast.stmt) else one.body, name)

    def statement(self, line: int) -> range:
        """Return the lines of the statement around a line, or of its head."""
        return self._heads.get(line, range(line, line + 1))

    def assigned(self, line: int) -> str:
        """Return the name to which the statement around a line assigns."""
        return self._assigned.get(self.statement(line).start, "")

    def function(self, place: Place) -> str:
        """Return the innermost function in whose body a place is."""
        inside = [name for name, _, begins, ends in self._functions if begins <= place < ends]
        return inside[-1] if inside else ""

    def unit(self, place: Place) -> tuple[str, str]:
        """Return the name and the text of the function around a place, or of the statement of the module."""
        around = [one for one in self._functions if one[1] <= place < one[3]]
        if around:
            name, (first, _), _, (last, _) = around[-1]
        else:
            (first, _), (last, _) = self._tops[max(0, bisect_right(self._tops, (place, (10**9, 0))) - 1)]
            name = ""
        return name, "".join(self._text[first - 1 : last])

    def is_left_out(self, start: Place, end: Place) -> bool:
        """Whether a rule says that a change there has no effect that a test should see."""
        return any(first <= start and end <= last for first, last in self._rules)


def _parts(node: ast.AST, name: str) -> list[Any]:
    found = getattr(node, name, [])
    return list(found) if isinstance(found, list) else []


def _line(node: Any) -> int:
    if isinstance(node, ast.match_case):
        return int(node.pattern.lineno)
    return min(int(one.lineno) for one in (node, *_parts(node, "decorator_list")))


def _span(node: Any, *, decorated: bool = False) -> tuple[Place, Place]:
    start = (node.lineno, node.col_offset)
    if decorated and _parts(node, "decorator_list"):
        start = (node.decorator_list[0].lineno, 0)
    return start, (node.end_lineno, node.end_col_offset)


def _without_effect(node: ast.AST) -> Iterator[ast.AST]:
    """Yield annotations, type imports, protocols, log calls, fault points, and declared immutability or caching."""
    if isinstance(node, ast.arg) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns
    if isinstance(node, ast.AnnAssign):
        yield node if _name(node.annotation) == "TypeAlias" else node.annotation
    if isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING":
        yield node
    if isinstance(node, ast.ClassDef):
        if any(_name(base) == "Protocol" for base in node.bases):
            yield node
        for keyword in _keywords(node):
            if keyword.arg in IMMUTABLE:
                yield keyword.value
    for decorator in _parts(node, "decorator_list"):
        if _name(decorator) in CACHES:
            # Cosmic Ray's decorator begins with the @ and ends on the next line.
            yield ast.Pass(lineno=decorator.lineno, col_offset=0, end_lineno=decorator.end_lineno + 1, end_col_offset=0)
    if isinstance(node, ast.Call) and (_name(node) in ("TypeVar", "NewType", "cast") or _is_log_or_fault(node)):
        yield node


def _values(node: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """Yield what is assigned to these names, or their default where they are parameters."""
    if isinstance(node, ast.Assign) and any(_name(one) in names for one in node.targets):
        yield node.value
    if isinstance(node, ast.AnnAssign) and node.value and _name(node.target) in names:
        yield node.value
    if isinstance(node, ast.arguments):
        plain = [*node.posonlyargs, *node.args]
        pairs = [*zip(reversed(plain), reversed(node.defaults), strict=False)]
        pairs += [(one, value) for one, value in zip(node.kwonlyargs, node.kw_defaults, strict=True) if value]
        yield from (value for one, value in pairs if one.arg in names)


def _keywords(node: ast.ClassDef) -> list[ast.keyword]:
    calls = [one for one in node.decorator_list if isinstance(one, ast.Call) and _name(one) == "dataclass"]
    return [*node.keywords, *(keyword for call in calls for keyword in call.keywords)]


def _name(node: ast.AST) -> str:
    """Return the last name of a name, an attribute, a call or a subscript."""
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _is_log_or_fault(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and _name(node.func.value) in ("log", "logger", "fault_injection")
