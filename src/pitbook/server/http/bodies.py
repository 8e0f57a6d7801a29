"""Request bodies: strict JSON, with all errors reported at once."""

from __future__ import annotations

import types
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from litestar import Request

from pitbook.errors import quoted, suggestion
from pitbook.server.http.errors import FieldError, detail
from pitbook.server.http.field_messages import explain
from pitbook.server.http.problems import Problem, invalid_fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ERRORS_MAX = 50
"""The maximum number of errors reported."""


class RequestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all request bodies, which refuse unknown fields."""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is decoded strictly into the type of the handler's `data`."""

    async def json(self) -> Any:
        if not isinstance(self._json, _Decoded):
            media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
            if media_type != "application/json":
                raise Problem("unsupported-media-type", detail("body-type", given=quoted(media_type)))
            field = self.route_handler.parsed_data_field
            self._json = _Decoded(read_body(await self.body(), field.annotation if field else Any))
        return self._json.value


class _Decoded:
    """A decoded body."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


@lru_cache(maxsize=512)
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def read_body(content: bytes, kind: Any) -> Any:
    """Decode a body into a type; raise a `Problem` with all errors."""
    try:
        return _decoder(kind).decode(content)
    except RecursionError:
        raise Problem("bad-request", detail("body-depth")) from None
    except UnicodeDecodeError:
        raise Problem("bad-request", detail("body-encoding")) from None
    except msgspec.ValidationError as error:
        found = _all_errors(content, kind) or [_field_error(error, "body", kind)]
    except msgspec.DecodeError as error:
        raise Problem("bad-request", detail("body-json", reason=error)) from None
    raise invalid_fields(found)


def _all_errors(content: bytes, kind: Any) -> list[FieldError]:
    try:
        value = msgspec.json.decode(content)
        found: list[FieldError] = []
        for error in field_errors(value, kind, "body"):
            found.append(error)
            if len(found) == ERRORS_MAX:
                break
    except RecursionError:
        raise Problem("bad-request", detail("body-depth")) from None
    except UnicodeDecodeError:
        raise Problem("bad-request", detail("body-encoding")) from None
    except msgspec.DecodeError as error:
        raise Problem("bad-request", detail("body-json", reason=error)) from None
    return found


def field_errors(value: Any, kind: Any, place: str) -> Iterator[FieldError]:
    """Yield all errors of a JSON value for a type."""
    inner = _variant(value, kind)
    if inner is not None and isinstance(value, dict):
        yield from _struct_errors(value, inner, place)
        return
    item = _item(kind)
    if item is not None and isinstance(value, list):
        found_errors = 0
        for number, one in enumerate(value):
            for error in field_errors(one, item, f"{place}[{number}]"):
                found_errors += 1
                yield error
        if found_errors:
            return
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield _field_error(error, place, kind)


def _struct_errors(value: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> Iterator[FieldError]:
    config = kind.__struct_config__
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, field in fields.items():
        if name in value:
            yield from field_errors(value[name], field.type, f"{place}.{name}")
        elif field.required:
            yield FieldError(f"{place}.{name}", detail("field.missing"))
    if config.forbid_unknown_fields:
        for name in value:
            if name not in fields and name != config.tag_field:
                nearest = suggestion(name, fields)
                yield FieldError(f"{place}.{name[:80]}", detail("field.unknown", nearest=nearest))


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _variant(value: Any, kind: Any) -> type[msgspec.Struct] | None:
    """Return the struct that a value is for: in a union, the one with its tag."""
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
    """Return the item type of a list or variable-length tuple."""
    kind = _bare(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is list or (origin is tuple and len(inside) == 2 and inside[1] is Ellipsis):
        return inside[0]
    return None


def _field_error(error: msgspec.ValidationError, place: str, kind: Any) -> FieldError:
    """Convert msgspec's error, with the place as prefix."""
    path = str(error).partition(" - at `$")[2]
    choices = [] if path else [str(one) for one in get_args(_bare(kind)) if get_origin(_bare(kind)) is Literal]
    return FieldError(place + path.rstrip("`"), explain(str(error), choices))
