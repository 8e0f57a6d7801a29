"""Mistakes that an HTTP answer tells apart: what does not exist, several at once, what cannot be done here or now."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pitbook.mistakes import Mistake

if TYPE_CHECKING:
    from collections.abc import Sequence


class Place(NamedTuple):
    """One mistake, and where in the request it is: `body.pays.total/4.win`."""

    place: str
    says: str


class Wrong(Mistake):
    """Everything that is wrong with a request, at once."""

    status: ClassVar[int] = 400

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = tuple(Place(*place) for place in places)
        first, *others = self.places
        more = f", and {len(others)} more" if others else ""
        super().__init__(f"{first.place}: {first.says}{more}")

    def __reduce__(self) -> tuple[type[Wrong], tuple[tuple[Place, ...]]]:
        return type(self), (self.places,)


class Unknown(Mistake):
    """What the address names does not exist."""

    status: ClassVar[int] = 404


class Uninstalled(Mistake):
    """This house lacks what the answer needs."""

    status: ClassVar[int] = 501


class Busy(Mistake):
    """Too much is asked at once, or one question takes too long."""

    status: ClassVar[int] = 503
    retry_after: ClassVar[int] = 5
    """Seconds after which to ask again."""


class Wrongs:
    """Mistakes gathered on the way through a request."""

    def __init__(self) -> None:
        self.found: list[Place] = []

    def note(self, place: str, says: object) -> None:
        """One more."""
        self.found.append(Place(place, str(says)))

    def tell(self) -> None:
        """Raises them all, if there are any."""
        if self.found:
            raise Wrong(self.found)
