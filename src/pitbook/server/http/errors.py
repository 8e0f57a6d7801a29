"""Request errors with their HTTP status: invalid fields, unknown names, missing dependencies, busy workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pitbook.errors import InputError
from pitbook.messages import Message, compose

if TYPE_CHECKING:
    from collections.abc import Sequence


def detail(id: str, /, **params: Any) -> Message:  # noqa: A002
    """Return a message of `messages/errors/requests.toml`.

    >>> detail("no-table", table="'t9'").text("zh-Hant")
    '沒有賭檯「t9」'
    """
    return compose(f"errors.requests.{id}", **params)


class FieldError(NamedTuple):
    """An error and its place in the request, such as `body.pays.total/4.win`."""

    place: str
    message: Message


def joined(errors: Sequence[Message]) -> Message:
    """Return several errors in one line."""
    first, *others = errors
    return compose("errors.requests.joined", first=first, others=[detail("next", text=one) for one in others])


def fields_message(errors: Sequence[FieldError]) -> Message:
    """Return the first of several errors with its place, and how many more there are."""
    first, *others = errors
    if not first.place:
        return first.message
    found = {"place": first.place, "reason": first.message}
    if others:
        return compose("errors.server.invalid-fields", more=len(others), **found)
    return compose("errors.server.invalid-field", **found)


class InvalidRequest(InputError):
    """All errors of a request."""

    status: ClassVar[int] = 400

    def __init__(self, places: Sequence[FieldError]) -> None:
        self.places = tuple(FieldError(*place) for place in places)
        self.message = fields_message(self.places)
        ValueError.__init__(self, self.message)

    def __reduce__(self) -> tuple[type[InvalidRequest], tuple[tuple[FieldError, ...]]]:
        return type(self), (self.places,)


class NotFound(InputError):
    """The resource does not exist."""

    status: ClassVar[int] = 404


class MissingDependency(InputError):
    """An optional dependency is not installed."""

    status: ClassVar[int] = 501


class Busy(InputError):
    """There are too many requests, or one takes too long."""

    status: ClassVar[int] = 503
    retry_after: ClassVar[int] = 5
    """The seconds to wait before a retry."""


class RequestErrors:
    """A collection of errors found while a request is read."""

    def __init__(self) -> None:
        self.found: list[FieldError] = []

    def add(self, place: str, error: Message | InputError) -> None:
        """Add an error."""
        self.found.append(FieldError(place, error if isinstance(error, Message) else error.message))

    def raise_if_any(self) -> None:
        """Raise all errors, if there are any."""
        if self.found:
            raise InvalidRequest(self.found)
