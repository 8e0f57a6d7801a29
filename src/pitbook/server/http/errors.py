"""Request errors with their HTTP status: invalid fields, unknown names, missing dependencies, busy workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


class FieldError(NamedTuple):
    """An error and its place in the request, such as `body.pays.total/4.win`."""

    place: str
    says: str


class InvalidRequest(InputError):
    """All errors of a request."""

    status: ClassVar[int] = 400

    def __init__(self, places: Sequence[FieldError]) -> None:
        self.places = tuple(FieldError(*place) for place in places)
        first, *others = self.places
        found = {"place": first.place, "reason": first.says}
        if others:
            super().__init__("server.invalid-fields", more=len(others), **found)
        else:
            super().__init__("server.invalid-field", **found)

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

    def add(self, place: str, says: object) -> None:
        """Add an error."""
        self.found.append(FieldError(place, str(says)))

    def raise_if_any(self) -> None:
        """Raise all errors, if there are any."""
        if self.found:
            raise InvalidRequest(self.found)
