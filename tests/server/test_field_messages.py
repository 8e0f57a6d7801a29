"""Every kind of error that msgspec reports for a field has its message."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta

from pitbook.server.http.bodies import read_body
from pitbook.server.http.problems import Problem


class Field(msgspec.Struct, forbid_unknown_fields=True):
    """An object with a required field."""

    a: int


class Tagged(msgspec.Struct, tag="A"):
    """One of two tagged objects."""


class Other(msgspec.Struct, tag="B"):
    """The other one."""


@pytest.mark.parametrize(
    ("content", "kind", "english", "chinese"),
    [
        (b'"5"', int, "must be a whole number, not text", "必須為整數，而非文字"),
        (b"5", str, "must be text, not a whole number", "必須為文字，而非整數"),
        (
            b"[]",
            int | str | None,
            "must be a whole number, text or null, not a list",
            "必須為整數、文字或空值，而非清單",
        ),
        (b"1", Annotated[int, Meta(ge=2)], "must be 2 or more", "必須為 2 或以上"),
        (b"9", Annotated[int, Meta(le=2)], "must be 2 or less", "必須為 2 或以下"),
        (b"0.5", Annotated[float, Meta(gt=1)], "must be more than 1.0", "必須大於 1.0"),
        (b"1.5", Annotated[float, Meta(lt=1)], "must be less than 1.0", "必須小於 1.0"),
        (b"7", Annotated[int, Meta(multiple_of=5)], "must be a multiple of 5", "必須為 5 的倍數"),
        (b'""', Annotated[str, Meta(min_length=1)], "must have at least 1 character", "最少須有 1 個字元"),
        (b'"abc"', Annotated[str, Meta(max_length=2)], "must have at most 2 characters", "最多可有 2 個字元"),
        (b"[]", Annotated[list[int], Meta(min_length=1)], "must have at least 1 item", "最少須有 1 項"),
        (b"[1, 2]", Annotated[list[int], Meta(max_length=1)], "must have at most 1 item", "最多可有 1 項"),
        (b"[1]", tuple[int, int], "must have 2 items", "必須有 2 項"),
        (b'"x"', Annotated[str, Meta(pattern="^a$")], "must match '^a$'", "必須符合「^a$」"),
        (b'"gold"', Literal["red", "blue"], "must be red or blue, not 'gold'", "必須為 red或blue，而非「gold」"),
        (b'"soon"', datetime, "must be a time like 2026-03-01T12:05:00Z", "必須為 2026-03-01T12:05:00Z 這樣的時間"),
        (b'"soon"', date, "must be a date like 2026-03-01", "必須為 2026-03-01 這樣的日期"),
        (b"{}", Field, "this is missing", "缺少此項"),
        (b'{"type": ["B"]}', Tagged | Other, "must be text, not a list", "必須為文字，而非清單"),
        (b'"x"', UUID, "is not valid: invalid UUID", "無效：invalid UUID"),
    ],
)
def test_an_error_of_a_field_is_a_message(content: bytes, kind: Any, english: str, chinese: str) -> None:
    with pytest.raises(Problem) as caught:
        read_body(content, kind)
    (error,) = caught.value.errors
    assert (error.message.text("en"), error.message.text("zh-Hant")) == (english, chinese)
