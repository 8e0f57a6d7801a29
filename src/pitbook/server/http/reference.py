"""The API reference as an HTML page without scripts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from pitbook.messages import compose
from pitbook.server.http.schema import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pitbook.messages import Language

REF = "#/components/schemas/"
PLAIN = {"integer": "whole number", "number": "number", "string": "text", "boolean": "yes or no", "null": "nothing"}
BOUNDS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} of them",
    "maxItems": "at most {} of them",
    "pattern": "like {}",
    "format": "{}",
}


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the template environment, which escapes everything and raises on undefined names."""
    made = Environment(
        loader=PackageLoader("pitbook.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["kind"] = kind
    made.filters["bounds"] = bounds
    made.filters["example"] = example
    made.filters["prose"] = prose
    return made


def render_document(template: str, language: Language, **values: Any) -> str:
    """Render a page in a language; its template calls `say` for texts of `messages/documents.toml`."""

    def say(id: str, /, **params: Any) -> str:  # noqa: A002
        return compose(f"documents.{id}", **params).text(language)

    return environment().get_template(template).render(say=say, language=language, **values)


def render_reference(document: Mapping[str, Any]) -> str:
    """Render the page."""
    groups: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document.get("tags", ())}
    for operation in _operations(document):
        groups.setdefault(operation["tag"], []).append(operation)
    about = {tag["name"]: tag.get("description", "") for tag in document.get("tags", ())}
    return (
        environment()
        .get_template("reference.html")
        .render(
            info=document["info"],
            groups={name: found for name, found in groups.items() if found},
            about=about,
            schemas=dict(sorted(document.get("components", {}).get("schemas", {}).items())),
        )
    )


def _operations(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path, item in sorted(document.get("paths", {}).items()):
        for method in METHODS:
            if method in item:
                found = item[method]
                yield {
                    "id": f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}",
                    "method": method.upper(),
                    "path": path,
                    "tag": (found.get("tags") or ["other"])[0],
                    "summary": found.get("summary", ""),
                    "description": found.get("description", ""),
                    "parameters": found.get("parameters", []),
                    "body": found.get("requestBody", {}),
                    "responses": found.get("responses", {}),
                }


def kind(schema: Mapping[str, Any]) -> Markup:
    """Return the type of a schema in words; a named one is a link."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return Markup('<a href="#schema-{}">{}</a>').format(name, name)
    if "const" in schema:
        return Markup("<code>{}</code>").format(msgspec.json.encode(schema["const"]).decode())
    if "enum" in schema:
        return _joined(Markup("<code>{}</code>").format(_word(word)) for word in schema["enum"])
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return _joined(kind(one) for one in schema[several])
    found = schema.get("type")
    if isinstance(found, list):
        return _joined(kind({**schema, "type": one}) for one in found)
    if found == "array":
        if "prefixItems" in schema:
            return Markup("list of ") + Markup(", ").join(kind(one) for one in schema["prefixItems"])
        inside = schema.get("items")
        return Markup("list of ") + (kind(inside) if isinstance(inside, dict) else Markup("anything"))
    if found == "object":
        inside = schema.get("additionalProperties")
        return Markup("names with ") + kind(inside) if isinstance(inside, dict) and inside else Markup("object")
    return escape(PLAIN.get(str(found), "anything"))


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _joined(parts: Iterator[Markup]) -> Markup:
    return Markup(" or ").join(dict.fromkeys(parts))


def bounds(schema: Mapping[str, Any]) -> str:
    """Return the constraints of a schema in words."""
    return "; ".join(words.format(schema[key]) for key, words in BOUNDS.items() if key in schema)


def example(content: Mapping[str, Any]) -> str:
    """Return the first example of a body as JSON, or nothing."""
    for one in content.get("examples", {}).values():
        if "value" in one:
            return msgspec.json.format(msgspec.json.encode(one["value"]), indent=2).decode()
    return ""


def prose(text: str) -> Markup:
    """Format paragraphs, with text in backticks as code."""
    paragraphs = []
    for paragraph in text.strip().split("\n\n"):
        parts = [str(escape(part)) for part in " ".join(paragraph.split()).split("`")]
        html = "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
        paragraphs.append(f"<p>{html}</p>")
    return Markup("\n".join(paragraphs))
