"""The packaged books, and the way from a name or a file to a book."""

from __future__ import annotations

import hashlib
import json
import tomllib
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pitbook.errors import InputError, bracketed, quoted, suggestion, unknown_name
from pitbook.messages import Message, compose
from pitbook.rulebooks import checks, composition, extensions, translations
from pitbook.rulebooks.errors import BookError, InvalidBook, problem, solution
from pitbook.rulebooks.model import Rulebook
from pitbook.rulebooks.patches import Raw, merged, patch_existing, same_at
from pitbook.rulebooks.sections import Parts, read_sections
from pitbook.rulebooks.text import (
    Clause,
    Equipment,
    Excludes,
    Forbids,
    Group,
    HandText,
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
from pitbook.rulebooks.toml_files import read_toml
from pitbook.rulebooks.wagers import USUAL_HAND, HandRule, Wager, WagerError, expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PACKAGED = (
    "massachusetts-sic-bo",
    "maryland-sic-bo",
    "singapore-mbs-sic-bo-v6",
    "dice-works",
    "dice-ology",
)
"""The regulators' books that come with the software, in reading order: a table can be opened with each."""

HOUSE_BOOKS = ("craps", "craps-bonus")
"""The house's own books that come with the software: the base game of craps, and side bets."""

SHIPPED = (*PACKAGED, *HOUSE_BOOKS)
"""Every book that is known by its id."""

BUILT_MAX = 64
"""How many shipped books are kept built, each under its readings and options."""
ALL_GROUPS = "all"


def load(
    source: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
) -> Rulebook:
    """Return a book by its id or path, under chosen readings and house options; several joined by + as one."""
    if isinstance(source, str) and source in SHIPPED:
        return _shipped(source, tuple((readings or {}).items()), tuple((options or {}).items()), as_printed)
    if isinstance(source, str) and composition.JOINED_BY in source and not _is_file(Path(source)):
        return _composed(composition.parts_of(source), readings or {}, options or {}, as_printed=as_printed)
    raw, file, base, forbidden = read_book(source)
    own, _ = translations.read_beside(Path(source), _book_id(raw))
    try:
        book = build(raw, file, readings=readings, options=options, as_printed=as_printed, base=base, chinese=[own])
    except InvalidBook as broken:
        raise InvalidBook([*forbidden, *broken.problems]) from None
    if forbidden:
        raise InvalidBook(forbidden)
    return book


@lru_cache(maxsize=BUILT_MAX)
def _shipped(
    book_id: str, readings: tuple[tuple[str, str], ...], options: tuple[tuple[str, str], ...], as_printed: bool
) -> Rulebook:
    """Return a shipped book; building one takes longer than opening a table with it, and none can be changed."""
    raw = packaged_raw(book_id)
    return build(raw, f"{book_id}.toml", readings=dict(readings), options=dict(options), as_printed=as_printed)


def _composed(
    sources: list[str], readings: Mapping[str, str], options: Mapping[str, str], *, as_printed: bool
) -> Rulebook:
    """Return a base book with side-bet books beside it; readings and options go to the book that has them."""
    twice = [source for source in sources if sources.count(source) > 1]
    if twice:
        raise InputError("rulebooks.book-twice", book=quoted(twice[0]))
    raws = {source: read_book(source)[0] for source in sources}
    chosen = composition.choices_by_book(raws, readings, options)
    return composition.compose(
        [load(source, readings=read, options=house, as_printed=as_printed) for source, (read, house) in chosen.items()]
    )


def build(
    raw: Raw,
    file: str,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
    base: Raw | None = None,
    chinese: Sequence[translations.Translation] = (),
) -> Rulebook:
    """Return a book from its raw data, with the translations of its texts; raise all its problems at once."""
    content = digest(raw)
    raw = translations.translate(raw, [*chinese, *_packaged_translations(raw, base)])
    chosen_readings = _chosen("reading", raw, readings or {}, as_printed=as_printed)
    house = dict(options or {})
    groups = house.pop("groups", ALL_GROUPS) if raw.get("group") else ALL_GROUPS
    chosen_options = _chosen("option", raw, house)
    changes = _changes("reading", raw, chosen_readings) | _changes("option", raw, chosen_options)
    if base is not None:  # what a licensee pays is its own to say, however the regulator's text is read
        changes = {key: new for key, new in changes.items() if same_at(key, raw, base)}
    parts = read_sections(patch_existing(raw, changes), file)
    wagers = _expanded(parts)
    checks.check(parts, wagers, raw, base)
    withheld = _withheld(parts, wagers, groups, raw)
    own_limits: frozenset[tuple[str, str]] = frozenset()
    if base is not None:
        limits = build(
            base,
            file,
            readings=_choices_of_book("reading", base, chosen_readings),
            options=_choices_of_book("option", base, chosen_options),
        )
        offered = [wager for wager in wagers.values() if wager.id not in withheld]
        parts.problems += extensions.find_out_of_bounds(offered, parts.one("book", Identity), limits, file)
        own_limits = frozenset(extensions.own_limits(offered, limits))
    if parts.problems:
        raise InvalidBook(parts.problems)
    return _assemble(parts, wagers, content, chosen_readings, chosen_options, groups, withheld, own_limits)


def _packaged_translations(raw: Raw, base: Raw | None) -> list[translations.Translation]:
    """Return the translations of a packaged book and of the one that a book extends."""
    return [translations.packaged(book) for book in map(_book_id, [raw, base or {}]) if book in SHIPPED]


@cache
def packaged_raw(book_id: str) -> Raw:
    """Return a packaged book's data as in its file; callers must not change it."""
    path = resources.files("pitbook.books") / f"{book_id}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_book(source: str | Path) -> tuple[Raw, str, Raw | None, list[BookError]]:
    """Return a book's merged data, its file name, the data that it extends, and the keys it may not set.

    Those keys are left out of the merged data, so that all other errors can be reported at once.
    """
    if isinstance(source, str) and source in SHIPPED:
        return packaged_raw(source), f"{source}.toml", None, []
    path = Path(source)
    if isinstance(source, str) and not (path.suffix == ".toml" or "/" in source or _is_file(path)):
        raise unknown_name("book", source, SHIPPED)
    if translations.is_translation(path):
        book = path.with_name(path.name.removesuffix(translations.ENDING) + ".toml")
        raise InputError("rulebooks.translation", file=quoted(path.name), book=quoted(book.name))
    own = read_toml(path)
    stated = own.get("book")
    stated = stated if isinstance(stated, dict) else {}
    extends = stated.get("extends")
    if extends is None:
        return own, str(path), None, []
    if extends not in SHIPPED:
        mistake = unknown_name("packaged-book", str(extends), SHIPPED)
        raise InvalidBook([BookError(str(path), "book.extends", mistake.message, solution("packaged-id"))])
    forbidden = list(extensions.forbidden_keys(own, str(path)))
    if stated.get("id", extends) in SHIPPED:
        wrong = problem("packaged-id", book=quoted(stated["id"])) if "id" in stated else problem("missing")
        forbidden.append(BookError(str(path), "book.id", wrong, solution("own-id")))
    base = packaged_raw(extends)
    over = extensions.allowed(own)
    identity = {key: value for key, value in over["book"].items() if key != "extends"}
    # What the licensee states itself is no longer inferred.
    inferred = [name for name in base["book"].get("inferred", []) if name not in identity]
    over["book"] = {"inferred": inferred, **identity}
    return merged(base, over), str(path), base, forbidden


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _chosen(section: str, raw: Raw, wanted: Mapping[str, str], *, as_printed: bool = False) -> dict[str, str]:
    """Return the choice in force for each reading or option: the requested one, the printed one, or the default."""
    entries = raw.get(section, {})
    entries = entries if isinstance(entries, dict) else {}
    for name in wanted:
        if name not in entries:
            known = [*entries, *(["groups"] if section == "option" and raw.get("group") else [])]
            raise unknown_name(section, name, known, _book_id(raw))
    chosen = {}
    for name, entry in entries.items():
        choices = _choices_of(entry)
        printed = [choice for choice, value in choices.items() if as_printed and value.get("as_printed")]
        choice = wanted.get(name, printed[0] if printed else entry.get("default") if isinstance(entry, dict) else None)
        if name in wanted and choice not in choices:
            wrong = {"section": section, "name": name, "choice": quoted(str(choice))}
            raise InputError("rulebooks.no-choice", nearest=suggestion(str(choice), choices), **wrong)
        chosen[name] = str(choice)
    return chosen


def _changes(section: str, raw: Raw, chosen: Mapping[str, str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for name, choice in chosen.items():
        change = _choices_of(raw[section][name]).get(choice, {}).get("set")
        changes |= change if isinstance(change, dict) else {}
    return changes


def other_choices(source: str | Path) -> list[tuple[str, str, str]]:
    """Return the choices beside the defaults as (kind, name, choice); none for a file that is not a book."""
    try:
        raw, *_ = read_book(source)
    except InvalidBook:
        return []
    found = []
    for kind in ("reading", "option"):
        entries = raw.get(kind)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            default = entry.get("default") if isinstance(entry, dict) else None
            found += [(kind, name, choice) for choice in _choices_of(entry) if choice != default]
    return found


def _choices_of_book(section: str, raw: Raw, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return those choices that a book has."""
    entries = raw.get(section, {})
    return {name: choice for name, choice in chosen.items() if choice in _choices_of(entries.get(name))}


def _choices_of(entry: Any) -> dict[str, Raw]:
    """Return the well-formed choices of a reading or option; the checks report the others."""
    choices = entry.get("choices") if isinstance(entry, dict) else None
    return (
        {name: choice for name, choice in choices.items() if isinstance(choice, dict)}
        if isinstance(choices, dict)
        else {}
    )


def _book_id(raw: Raw) -> str:
    identity = raw.get("book", {})
    return str(identity.get("id", "")) if isinstance(identity, dict) else ""


def _expanded(parts: Parts) -> dict[str, Wager]:
    identity = parts.one("book", Identity)
    groups = parts.all("group", Group)
    hand = hand_rule(parts.one("hand", HandText))
    wagers: dict[str, Wager] = {}
    for family, text in parts.all("wager", WagerText).items():
        for found in expand(family, text, groups, identity.dice if identity else 3, hand, wagers):
            if isinstance(found, WagerError):
                parts.problem(f"wager.{family}.{found.key}", found.problem, found.solution)
            else:
                wagers[found.id] = found
    return wagers


def hand_rule(text: HandText | None) -> HandRule:
    """Return the hand that a book states, or the usual one."""
    return HandRule(tuple(text.points), frozenset(text.naturals)) if text else USUAL_HAND


def _withheld(parts: Parts, wagers: Mapping[str, Wager], groups: str, raw: Raw) -> dict[str, Message]:
    """Return the wagers that are not on offer, each with the reason."""
    offer = parts.one("offer", Offer) or Offer()
    left = _named(parts, "offer.leaves_out", offer.leaves_out, wagers)
    withheld = dict.fromkeys(left, Message("errors.books.withheld.left-out"))
    excludes = parts.one("excludes", Excludes)
    if excludes is not None:
        excluded = _named(parts, "excludes.wagers", excludes.wagers, wagers)
        reason = compose("errors.books.withheld.excluded", clauses=bracketed(excludes.clause))
        withheld |= dict.fromkeys(excluded, reason)
    known = parts.all("group", Group)
    if groups != ALL_GROUPS:
        wanted = [name.strip() for name in groups.split(",") if name.strip()]
        for name in wanted:
            if name not in known:
                raise unknown_name("group", name, known, _book_id(raw))
        for name, group in known.items():
            if name not in wanted and not group.optional:
                raise InputError("rulebooks.group-required", group=quoted(name), clauses=bracketed(group.clause))
        offered = Message("errors.books.withheld.other-groups", {"groups": wanted})
        reason = offered if wanted else Message("errors.books.withheld.no-group")
        for wager_id, wager in wagers.items():
            if wager.group and wager.group not in wanted:
                withheld[wager_id] = reason
    return withheld


def _named(parts: Parts, key: str, names: Iterable[str], wagers: Mapping[str, Wager]) -> list[str]:
    """Return the wagers that ids and families name; report those that name none."""
    found = []
    for name in names:
        meant = [wager for wager in wagers if name in (wager, wagers[wager].family)]
        if not meant:
            parts.problem(key, unknown_name("wager", name, wagers).message, solution("of-book"))
        found += meant
    return found


def _assemble(
    parts: Parts,
    wagers: dict[str, Wager],
    content: str,
    readings: dict[str, str],
    options: dict[str, str],
    groups: str,
    withheld: dict[str, Message],
    own_limits: frozenset[tuple[str, str]],
) -> Rulebook:
    known = parts.all("group", Group)
    return Rulebook(
        file=parts.file,
        digest=content,
        identity=cast("Identity", parts.one("book", Identity)),
        odds=cast("OddsRule", parts.one("odds", OddsRule)),
        hand=hand_rule(parts.one("hand", HandText)),
        groups=known,
        wagers={wager_id: wager for wager_id, wager in wagers.items() if wager_id not in withheld},
        every=wagers,
        withheld=withheld,
        forbids=parts.one("forbids", Forbids) or Forbids(),
        excluded=_excluded(parts, wagers),
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
        own_limits=own_limits,
    )


def _excluded(parts: Parts, wagers: Mapping[str, Wager]) -> dict[str, list[str]]:
    """Return the wagers that the text itself does not offer, with its clauses."""
    excludes = parts.one("excludes", Excludes)
    names = excludes.wagers if excludes else []
    return {wager: excludes.clause for wager in wagers if excludes and {wager, wagers[wager].family} & {*names}}


def digest(raw: Raw) -> str:
    """Return the SHA-256 of the data in a canonical form: equal for equal content, however the file is laid out."""
    canonical = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
