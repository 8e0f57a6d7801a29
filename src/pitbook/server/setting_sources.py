"""Read settings from defaults, a TOML file, the environment and options; later sources win."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import TypeAdapter, ValidationError

from pitbook.errors import InputErrors, quoted, suggestion
from pitbook.server.settings import Settings, contradictions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.fields import FieldInfo

PREFIX = "PITBOOK_"
CONFIG = "PITBOOK_CONFIG"
OPTIONS = {"journal": "--db"}
"""Options that are not called as their setting is."""
FREE = (CONFIG, "PITBOOK_FAULT", "PITBOOK_TEST_")
"""Variables that begin like this are no settings."""


@dataclass(frozen=True, slots=True)
class Given:
    """One value, and where it was given."""

    name: str
    value: Any
    source: str
    typed: bool = False
    """Whether its source has types, as a file has; variables and options are words."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Settings, each with its source."""

    settings: Settings
    sources: Mapping[str, str]

    def listed(self) -> list[dict[str, Any]]:
        """Every setting: its name, value (secrets masked), source and meaning."""
        plain = self.settings.model_dump(mode="json")
        plain["journal"] = masked(self.settings.journal_place)
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
    """The settings that hold; every wrong one is reported, with its source, in one `InputErrors`."""
    wrong: list[str] = []
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    named = config or (Path(environment[CONFIG]) if environment.get(CONFIG) else None)
    for given in _given(options, environment, named, wrong):
        adapter = _ADAPTERS.get(given.name)
        if adapter is None:
            wrong.append(f"{given.source}: no setting {quoted(given.name)}; {suggestion(given.name, _ADAPTERS)}")
            continue
        try:
            strict = given.typed and given.name in _NUMBERS  # a number in quotes is a mistake there
            values[given.name] = adapter.validate_python(given.value, strict=strict)
            sources[given.name] = given.source
        except ValidationError as error:
            wrong.extend(f"{given.source}: {line}" for line in _lines(given, error))
    if not wrong:
        settings = Settings.model_construct(**{**_defaults(), **values})
        for names, line in contradictions(settings):
            wrong.append(f"{_concerned(names, sources)}: {line}")
        if not wrong:
            return Gathered(settings, sources)
    raise InputErrors(wrong)


def masked(place: str) -> str:
    """A journal's place without its password.

    >>> masked("postgresql://ann:secret@db/pit?password=x&sslmode=require")
    'postgresql://ann:***@db/pit?password=***&sslmode=require'
    """
    shown = re.sub(r"(://[^/@:]*):[^@]*@", r"\1:***@", place, count=1)
    return re.sub(r"(password|sslpassword)=[^&]*", r"\1=***", shown)


def _given(
    options: Mapping[str, Any], environment: Mapping[str, str], config: Path | None, wrong: list[str]
) -> Iterator[Given]:
    """Everything that was given, what wins last."""
    if config is not None:
        yield from _file(config, wrong)
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and not variable.startswith(FREE):
            yield Given(variable.removeprefix(PREFIX).lower(), environment[variable], variable)
    for name, value in options.items():
        if value is not None:
            yield Given(name, value, OPTIONS.get(name, f"--{name.replace('_', '-')}"))


def _file(config: Path, wrong: list[str]) -> Iterator[Given]:
    try:
        with config.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        wrong.append(f"{config}: cannot be read: {error.strerror}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        wrong.append(f"{config}: not TOML: {' '.join(str(error).split())}")
    else:
        for name, value in table.items():
            yield Given(name, value, f"{config}:{name}", typed=True)


def _adapter(field: FieldInfo) -> TypeAdapter[Any]:
    kind: Any = field.annotation
    return TypeAdapter(Annotated[(kind, *field.metadata)] if field.metadata else kind)


_ADAPTERS = {name: _adapter(field) for name, field in Settings.model_fields.items()}
_NUMBERS = frozenset(name for name, field in Settings.model_fields.items() if field.annotation in (int, float, bool))


def _defaults() -> dict[str, Any]:
    return {name: field.get_default(call_default_factory=True) for name, field in Settings.model_fields.items()}


def _lines(given: Given, error: ValidationError) -> Iterator[str]:
    shown = quoted(masked(given.value) if isinstance(given.value, str) else given.value)
    for detail in error.errors(include_url=False, include_context=False):
        place = "".join(f"[{part}]" for part in detail["loc"] if isinstance(part, int))
        words = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
        words = words if detail["type"] == "value_error" else f"it must be {words}"
        yield f"{shown}{place}: {words}"


def _concerned(names: tuple[str, ...], sources: Mapping[str, str]) -> str:
    given = [sources[name] for name in names if name in sources]
    return ", ".join(given) if given else f"{names[0]} (default)"
