"""Read settings from defaults, a TOML file, the environment and options; later sources win."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import TypeAdapter, ValidationError

from pitbook.errors import InputErrors, correction, quoted, suggestion, toml_error
from pitbook.messages import Message, compose
from pitbook.server.settings import Settings, find_contradictions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.fields import FieldInfo

PREFIX = "PITBOOK_"
CONFIG = "PITBOOK_CONFIG"
OPTIONS = {"journal": "--db"}
"""Options whose names differ from their settings'."""
NOT_SETTINGS = (CONFIG, "PITBOOK_FAULT", "PITBOOK_TEST_")
"""Prefixes of variables that are not settings."""


@dataclass(frozen=True, slots=True)
class GivenValue:
    """One value, and where it was given."""

    name: str
    value: Any
    source: str
    typed: bool = False
    """Whether its source has types, as a file has; variables and options are text."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Settings, each with its source."""

    settings: Settings
    sources: Mapping[str, str]

    def describe(self) -> list[dict[str, Any]]:
        """Return every setting with its value (secrets masked), source and meaning."""
        plain = self.settings.model_dump(mode="json")
        plain["journal"] = mask_password(self.settings.journal_place)
        plain["sealing_key"] = str(self.settings.sealing_key_path)
        plain["signing_key"] = str(self.settings.signing_key_path)
        return [
            {
                "setting": name,
                "value": plain[name],
                "source": self.sources.get(name, "default"),
                "meaning": field.description,
            }
            for name, field in Settings.model_fields.items()
        ]


def gather(options: Mapping[str, Any], environment: Mapping[str, str], config: Path | None = None) -> Gathered:
    """Return the effective settings; raise all errors, with their sources, at once."""
    errors: list[Message] = []
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    named = config or (Path(environment[CONFIG]) if environment.get(CONFIG) else None)
    for given in _given_values(options, environment, named, errors):
        adapter = _ADAPTERS.get(given.name)
        if adapter is None:
            nearest = suggestion(given.name, _ADAPTERS)
            errors.append(
                _of(given.source, compose("errors.settings.unknown", name=quoted(given.name), nearest=nearest))
            )
            continue
        try:
            strict = given.typed and given.name in _NUMBERS  # a number in quotes is an error there
            values[given.name] = adapter.validate_python(given.value, strict=strict)
            sources[given.name] = given.source
        except ValidationError as error:
            errors.extend(_of(given.source, line) for line in _error_lines(given, error))
    if not errors:
        settings = Settings.model_construct(**{**_defaults(), **values})
        for names, line in find_contradictions(settings):
            errors.append(_of(_sources_of(names, sources), line))
        if not errors:
            return Gathered(settings, sources)
    raise InputErrors(errors)


def mask_password(place: str) -> str:
    """Return a journal's place without its password.

    >>> mask_password("postgresql://ann:secret@db/pit?password=x&sslmode=require")
    'postgresql://ann:***@db/pit?password=***&sslmode=require'
    """
    hidden = re.sub(r"(://[^/@:]*):[^@]*@", r"\1:***@", place, count=1)
    return re.sub(r"(password|sslpassword)=[^&]*", r"\1=***", hidden)


def _given_values(
    options: Mapping[str, Any], environment: Mapping[str, str], config: Path | None, errors: list[Message]
) -> Iterator[GivenValue]:
    """Yield all values that were given, the strongest source last."""
    if config is not None:
        yield from _file_values(config, errors)
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and not variable.startswith(NOT_SETTINGS):
            yield GivenValue(variable.removeprefix(PREFIX).lower(), environment[variable], variable)
    for name, value in options.items():
        if value is not None:
            yield GivenValue(name, value, OPTIONS.get(name, f"--{name.replace('_', '-')}"))


def _file_values(config: Path, errors: list[Message]) -> Iterator[GivenValue]:
    try:
        with config.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        errors.append(_of(config, compose("errors.settings.not-read", reason=error.strerror)))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        errors.append(_of(config, compose("errors.settings.not-toml", reason=_syntax(error))))
    else:
        for name, value in table.items():
            yield GivenValue(name, value, f"{config}:{name}", typed=True)


def _adapter(field: FieldInfo) -> TypeAdapter[Any]:
    kind: Any = field.annotation
    return TypeAdapter(Annotated[(kind, *field.metadata)] if field.metadata else kind)


_ADAPTERS = {name: _adapter(field) for name, field in Settings.model_fields.items()}
_NUMBERS = frozenset(name for name, field in Settings.model_fields.items() if field.annotation in (int, float, bool))


def _defaults() -> dict[str, Any]:
    return {name: field.get_default(call_default_factory=True) for name, field in Settings.model_fields.items()}


def _of(source: object, reason: Message) -> Message:
    return compose("errors.settings.of-source", source=source, reason=reason)


def _error_lines(given: GivenValue, error: ValidationError) -> Iterator[Message]:
    text = quoted(mask_password(given.value) if isinstance(given.value, str) else given.value)
    for detail in error.errors(include_url=False):
        place = "".join(f"[{part}]" for part in detail["loc"] if isinstance(part, int))
        yield compose("errors.settings.value", value=f"{text}{place}", reason=correction(detail))


def _syntax(error: ValueError) -> str | Message:
    return " ".join(str(error).split()) if isinstance(error, UnicodeDecodeError) else toml_error(error)


def _sources_of(names: tuple[str, ...], sources: Mapping[str, str]) -> str | Message:
    given = [sources[name] for name in names if name in sources]
    return ", ".join(given) if given else compose("errors.settings.by-default", name=names[0])
