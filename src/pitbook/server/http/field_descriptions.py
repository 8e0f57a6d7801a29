"""Descriptions of the fields of all schemas: from the docstrings of the fields, or from the glossary beside this file.

A docstring below a field describes it for readers of the code and of the API alike. The glossary has the names that
mean the same wherever they occur (`[common]`), those that need their own sentence (`[SchemaName]`), and the
`[parameters]` of operations.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from functools import cache
from importlib.resources import files
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMON, PARAMETERS = "common", "parameters"


def describe_fields(schemas: dict[str, Any]) -> None:
    """Describe every field that has no description yet."""
    kinds = _kinds_by_name()
    for name, schema in schemas.items():
        properties: dict[str, Any] = schema.get("properties", {})
        documented = _documented(kinds.get(name, ()), properties)
        for field, part in properties.items():
            own, common = (glossary().get(where, {}).get(field) for where in (name, COMMON))
            found = own or part.get("description") or documented.get(field) or common
            if found is not None:
                part["description"] = found


def describe_parameters(operation: dict[str, Any]) -> None:
    """Describe every parameter that has no description yet."""
    for parameter in operation.get("parameters", ()):
        found = parameter.get("description") or glossary()[PARAMETERS].get(parameter["name"])
        if found is not None:
            parameter["description"] = found


@cache
def glossary() -> dict[str, dict[str, str]]:
    """Return the glossary: descriptions by field, by schema."""
    text = files(__package__).joinpath("field_descriptions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _kinds_by_name() -> dict[str, list[type]]:
    """Return all structs of Pitbook that were imported, by name."""
    found: dict[str, list[type]] = {}
    for kind in _subclasses(msgspec.Struct):
        if kind.__module__.startswith("pitbook."):
            found.setdefault(kind.__name__, []).append(kind)
    return found


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    one: type[Any]
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def _documented(kinds: list[type] | tuple[type, ...], properties: dict[str, Any]) -> dict[str, str]:
    """Return the docstrings of fields, from the struct that has exactly these."""
    for kind in kinds:
        fields = {*getattr(kind, "__struct_encode_fields__", ())}
        if fields <= set(properties) and set(properties) - fields <= {"type"}:
            return {
                field: text
                for base in reversed(kind.__mro__)
                for field, text in _docstrings(base.__module__).get(base.__qualname__, {}).items()
            }
    return {}


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Return the docstrings of fields in a module, by class."""
    source = getattr(sys.modules.get(module), "__file__", None)
    if source is None or not module.startswith("pitbook."):
        return {}
    tree = ast.parse(Path(source).read_text(encoding="utf-8"))
    return {node.name: dict(_fields(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match below:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield field.target.id, " ".join(cleandoc(text).split())
