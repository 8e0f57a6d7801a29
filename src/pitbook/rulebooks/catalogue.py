"""The packaged books, and the way from a name or a file to a book."""

from __future__ import annotations

import hashlib
import json
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pitbook.mistakes import Mistake, unknown
from pitbook.rulebooks import checks, extensions
from pitbook.rulebooks.model import Rulebook
from pitbook.rulebooks.patches import Raw, merged, patched
from pitbook.rulebooks.problems import BrokenBook, Problem
from pitbook.rulebooks.sections import Parts, read_sections
from pitbook.rulebooks.text import (
    Clause,
    Equipment,
    Group,
    Identity,
    Inspection,
    Irregularity,
    Layout,
    OddsRule,
    Offer,
    Option,
    Procedure,
    Ranks,
    Reading,
    Role,
    WagerText,
)
from pitbook.rulebooks.wagers import Trouble, Wager, expand

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGED = (
    "massachusetts-sic-bo",
    "maryland-sic-bo",
    "singapore-mbs-sic-bo-v6",
    "dice-works",
    "dice-ology",
)
"""The books that come with the software, in reading order."""

AS_PRINTED = "as-printed"
ALL_GROUPS = "all"


def load(
    source: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
) -> Rulebook:
    """A packaged book by its id, or any book by its path, under chosen readings and house options."""
    raw, file, base, forbidden = _raw_book(source)
    try:
        book = build(raw, file, readings=readings, options=options, as_printed=as_printed, base=base)
    except BrokenBook as broken:
        raise BrokenBook([*forbidden, *broken.problems]) from None
    if forbidden:
        raise BrokenBook(forbidden)
    return book


def build(
    raw: Raw,
    file: str,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
    base: Raw | None = None,
) -> Rulebook:
    """A book from its raw data; every problem at once if there are any."""
    chosen_readings = _chosen("reading", raw, readings or {}, as_printed=as_printed)
    house = dict(options or {})
    groups = house.pop("groups", ALL_GROUPS) if raw.get("group") else ALL_GROUPS
    chosen_options = _chosen("option", raw, house)
    changes = _changes("reading", raw, chosen_readings) | _changes("option", raw, chosen_options)
    in_force = patched(raw, changes)
    parts = read_sections(in_force, file)
    wagers = _expanded(parts)
    checks.check(parts, wagers, raw)
    if parts.problems:
        raise BrokenBook(parts.problems)
    book = _assembled(parts, wagers, raw, chosen_readings, chosen_options, groups)
    if base is not None:
        limits = build(base, file, readings=chosen_readings, options=chosen_options)
        problems = list(extensions.beyond_the_base(book, limits, file))
        if problems:
            raise BrokenBook(problems)
    return book


@cache
def packaged_raw(book_id: str) -> Raw:
    """A packaged book's data, as its file says. Not to be changed."""
    path = resources.files("pitbook.books") / f"{book_id}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _raw_book(source: str | Path) -> tuple[Raw, str, Raw | None, list[Problem]]:
    """A book's data (merged over what it extends), its file's name, the data below it, and the keys it may not set.

    Those keys are left out of the merged data, so that what else is wrong can be told in one go.
    """
    if isinstance(source, str) and source in PACKAGED:
        return packaged_raw(source), f"{source}.toml", None, []
    path = Path(source)
    if isinstance(source, str) and not (path.suffix == ".toml" or "/" in source or path.is_file()):
        raise unknown("book", source, PACKAGED)
    own = _read_toml(path)
    identity = own.get("book")
    extends = identity.get("extends") if isinstance(identity, dict) else None
    if extends is None:
        return own, str(path), None, []
    if extends not in PACKAGED:
        mistake = unknown("packaged book", str(extends), PACKAGED)
        raise BrokenBook([Problem(str(path), "book.extends", str(mistake), "extend a packaged book by its id")])
    forbidden = list(extensions.forbidden_keys(own, str(path)))
    base = packaged_raw(extends)
    over = extensions.allowed(own)
    identity = {key: value for key, value in over["book"].items() if key != "extends"}
    # What the licensee states itself is no longer inferred.
    inferred = [name for name in base["book"].get("inferred", []) if name not in identity]
    over["book"] = {"inferred": inferred, **identity}
    return merged(base, over), str(path), base, forbidden


def _read_toml(path: Path) -> Raw:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Mistake(f"cannot read {path}: {error.strerror}; name a packaged book or a .toml file") from None
    except UnicodeDecodeError as error:
        raise BrokenBook([Problem(str(path), f"byte {error.start}", "not UTF-8", "save the file as UTF-8")]) from None
    except tomllib.TOMLDecodeError as error:
        raise BrokenBook([Problem(str(path), "syntax", str(error), "write valid TOML 1.0")]) from None


def _chosen(section: str, raw: Raw, wanted: Mapping[str, str], *, as_printed: bool = False) -> dict[str, str]:
    """The choice in force for each reading or option: the one wanted, the one printed, or the default."""
    entries = raw.get(section, {})
    entries = entries if isinstance(entries, dict) else {}
    for name in wanted:
        if name not in entries:
            known = [*entries, *(["groups"] if section == "option" and raw.get("group") else [])]
            raise unknown(section, name, known, _book_id(raw))
    chosen = {}
    for name, entry in entries.items():
        choices = entry.get("choices", {}) if isinstance(entry, dict) else {}
        printed = [choice for choice, value in choices.items() if as_printed and value.get("as_printed")]
        choice = wanted.get(name, printed[0] if printed else entry.get("default") if isinstance(entry, dict) else None)
        if name in wanted and choice not in choices:
            raise unknown(f"choice of {section} {name}", str(choice), choices)
        chosen[name] = str(choice)
    return chosen


def _changes(section: str, raw: Raw, chosen: Mapping[str, str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for name, choice in chosen.items():
        entry = raw[section][name]
        if isinstance(entry, dict) and choice in entry.get("choices", {}):
            changes |= entry["choices"][choice].get("set", {})
    return changes


def _book_id(raw: Raw) -> str:
    identity = raw.get("book", {})
    return str(identity.get("id", "")) if isinstance(identity, dict) else ""


def _expanded(parts: Parts) -> dict[str, Wager]:
    identity = parts.one("book", Identity)
    groups = parts.all("group", Group)
    wagers: dict[str, Wager] = {}
    for family, text in parts.all("wager", WagerText).items():
        for found in expand(family, text, groups, identity.dice if identity else 3):
            if isinstance(found, Trouble):
                parts.problem(f"wager.{family}.{found.key}", found.wrong, found.right)
            else:
                wagers[found.id] = found
    return wagers


def _assembled(
    parts: Parts,
    wagers: dict[str, Wager],
    raw: Raw,
    readings: dict[str, str],
    options: dict[str, str],
    groups: str,
) -> Rulebook:
    offer = parts.one("offer", Offer) or Offer()
    withheld: dict[str, str] = {}
    for name in offer.leaves_out:
        left = [wager for wager in wagers if name in (wager, wagers[wager].family)]
        if not left:
            mistake = unknown("wager", name, wagers)
            raise BrokenBook([Problem(parts.file, "offer.leaves_out", str(mistake), "name wagers of this book")])
        withheld |= dict.fromkeys(left, "the licensee leaves it out")
    known = parts.all("group", Group)
    if groups != ALL_GROUPS:
        wanted = [name.strip() for name in groups.split(",") if name.strip()]
        for name in wanted:
            if name not in known:
                raise unknown("group", name, known, _book_id(raw))
        for name, group in known.items():
            if name not in wanted and not group.optional:
                raise Mistake(f"the group {name!r} cannot be left out ({', '.join(group.clause)})")
        for wager_id, wager in wagers.items():
            if wager.group not in wanted:
                withheld[wager_id] = f"the house offers {', '.join(wanted) or 'no group'} only"
    return Rulebook(
        file=parts.file,
        digest=digest(raw),
        identity=cast("Identity", parts.one("book", Identity)),
        odds=cast("OddsRule", parts.one("odds", OddsRule)),
        groups=known,
        wagers={wager_id: wager for wager_id, wager in wagers.items() if wager_id not in withheld},
        every=wagers,
        withheld=withheld,
        readings=parts.all("reading", Reading),
        readings_chosen=readings,
        options=parts.all("option", Option),
        options_chosen=options | ({"groups": groups} if known else {}),
        procedure=cast("Procedure", parts.one("procedure", Procedure)),
        equipment=parts.all("equipment", Equipment),
        inspections=parts.all("inspection", Inspection),
        irregularities=parts.all("irregularity", Irregularity),
        roles=parts.all("role", Role),
        ranks=cast("Ranks", parts.one("ranks", Ranks)),
        layout=cast("Layout", parts.one("layout", Layout)),
        clauses=parts.all("clauses", Clause),
    )


def digest(raw: Raw) -> str:
    """SHA-256 over the data in a canonical form: the same for the same content, however the file is laid out."""
    canonical = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
