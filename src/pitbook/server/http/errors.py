"""Request errors with their HTTP status: invalid fields, unknown names, missing extras, busy workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


class FieldError(NamedTuple):
    """One mistake, and where in the request it is: `body.pays.total/4.win`."""

    place: str
    says: str


class InvalidRequest(InputError):
    """Everything that is wrong with a request, at once."""

    status: ClassVar[int] = 400

    def __init__(self, places: Sequence[FieldError]) -> None:
        self.places = tuple(FieldError(*place) for place in places)
        first, *others = self.places
        more = f", and {len(others)} more" if others else ""
        super().__init__(f"{first.place}: {first.says}{more}")

    def __reduce__(self) -> tuple[type[InvalidRequest], tuple[tuple[FieldError, ...]]]:
        return type(self), (self.places,)


class NotFound(InputError):
    """What the address names does not exist."""

    status: ClassVar[int] = 404


class MissingDependency(InputError):
    """This house lacks what the answer needs."""

    status: ClassVar[int] = 501


class Busy(InputError):
    """Too much is asked at once, or one question takes too long."""

    status: ClassVar[int] = 503
    retry_after: ClassVar[int] = 5
    """Seconds after which to ask again."""


class RequestErrors:
    """Errors collected while a request is read."""

    def __init__(self) -> None:
        self.found: list[FieldError] = []

    def note(self, place: str, says: object) -> None:
        """One more."""
        self.found.append(FieldError(place, str(says)))

    def tell(self) -> None:
        """Raises them all, if there are any."""
        if self.found:
            raise InvalidRequest(self.found)
