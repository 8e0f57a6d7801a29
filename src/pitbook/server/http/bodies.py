"""Request bodies: JSON only, read strictly, and every mistake in them told at once."""

from __future__ import annotations

import types
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

import msgspec
from litestar import Request

from pitbook.errors import quoted, suggestion
from pitbook.server.http.problems import InvalidField, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST = 50
"""So many mistakes are told at most."""


class RequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every request body: what it does not know, it refuses."""


class StrictRequest(Request[Any, Any, Any]):
    """Reads a body as the handler's `data` says: a number in quotes is no number, and true is not 1."""

    async def json(self) -> Any:
        if not isinstance(self._json, _Read):
            media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
            if media_type != "application/json":
                raise Problem("unsupported-media-type", f"a body is application/json, not {quoted(media_type)}")
            field = self.route_handler.parsed_data_field
            self._json = _Read(read_body(await self.body(), field.annotation if field else Any))
        return self._json.value


class _Read:
    """A body that was read."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


@lru_cache(maxsize=512)
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def read_body(content: bytes, kind: Any) -> Any:
    """A body as a value of this kind; a `Problem` with every mistake where it is none."""
    try:
        return _decoder(kind).decode(content)
    except RecursionError:
        raise Problem("bad-request", "the body is nested too deeply") from None
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    except msgspec.ValidationError as error:
        found = _all_complaints(content, kind) or [_single(error, "body")]
    except msgspec.DecodeError as error:
        raise Problem("bad-request", f"the body is not JSON: {error}") from None
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    raise Problem("bad-request", f"{found[0].place}: {found[0].says}{more}", errors=found)


def _all_complaints(content: bytes, kind: Any) -> list[InvalidField]:
    try:
        value = msgspec.json.decode(content)
        found: list[InvalidField] = []
        for complaint in complaints(value, kind, "body"):
            found.append(complaint)
            if len(found) == MOST:
                break
    except RecursionError:
        raise Problem("bad-request", "the body is nested too deeply") from None
    except UnicodeDecodeError:
        raise Problem("bad-request", "the body is not UTF-8") from None
    except msgspec.DecodeError as error:
        raise Problem("bad-request", f"the body is not JSON: {error}") from None
    return found


def complaints(value: Any, kind: Any, place: str) -> Iterator[InvalidField]:
    """Everything that keeps a JSON value from being of this kind."""
    inner = _variant(value, kind)
    if inner is not None and isinstance(value, dict):
        yield from _of_struct(value, inner, place)
        return
    item = _item(kind)
    if item is not None and isinstance(value, list):
        before = 0
        for number, one in enumerate(value):
            for complaint in complaints(one, item, f"{place}[{number}]"):
                before += 1
                yield complaint
        if before:
            return
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield _single(error, place)


def _of_struct(value: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> Iterator[InvalidField]:
    config = kind.__struct_config__
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, field in fields.items():
        if name in value:
            yield from complaints(value[name], field.type, f"{place}.{name}")
        elif field.required:
            yield InvalidField(f"{place}.{name}", "this is missing")
    if config.forbid_unknown_fields:
        for name in value:
            if name not in fields and name != config.tag_field:
                yield InvalidField(f"{place}.{name[:80]}", f"there is no such field; {suggestion(name, fields)}")


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _variant(value: Any, kind: Any) -> type[msgspec.Struct] | None:
    """The struct that a value is meant to be: of several, the one whose tag it carries."""
    kind = _bare(kind)
    choices = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    structs = [one for one in choices if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    if len(structs) == 1 and isinstance(value, dict):
        config = structs[0].__struct_config__
        return structs[0] if config.tag is None or value.get(config.tag_field) == config.tag else None
    for one in structs:
        config = one.__struct_config__
        if isinstance(value, dict) and config.tag is not None and value.get(config.tag_field) == config.tag:
            return one
    return None


def _item(kind: Any) -> Any:
    """What a list or a tuple of any length holds."""
    kind = _bare(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is list or (origin is tuple and len(inside) == 2 and inside[1] is Ellipsis):
        return inside[0]
    return None


def _single(error: msgspec.ValidationError, place: str) -> InvalidField:
    """msgspec's one complaint, with its place in front."""
    says, _, path = str(error).partition(" - at `$")
    return InvalidField(place + path.rstrip("`"), says[:1].lower() + says[1:])
