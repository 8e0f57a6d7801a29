"""`pitbook show`: print a whole book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.cli.output import console, print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book
from pitbook.cli.wagers import format_clauses, format_pays, wager_data
from pitbook.errors import bracketed
from pitbook.rulebooks.wagers import has_ladder, ladder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Option, Reading, Step
    from pitbook.rulebooks.wagers import Wager


def show(
    book: BookName,
    *,
    reading: Readings = None,
    option: Options = None,
    as_printed: AsPrinted = False,
    json: Json = False,
) -> None:
    """Show a book: wagers and pays, house options, readings, procedure, equipment, irregularities, roles."""
    rules = open_book(book, reading, option, as_printed=as_printed)
    if json:
        print_json(book_data(rules))
        return
    _print_identity(rules)
    _print_wagers(rules)
    _print_choices("House options", rules.options, rules.options_chosen)
    _print_groups(rules)
    _print_choices("Readings", rules.readings, rules.readings_chosen)
    _print_steps("Before the table opens", rules.procedure.opening)
    _print_steps("Every round" if rules.identity.game == "sic-bo" else "Every roll", rules.procedure.round)
    _print_equipment(rules)
    _print_irregularities(rules)
    rows = [(name, role.name.en, role.name.zh, role.rank, ", ".join(role.clause)) for name, role in rules.roles.items()]
    print_table(f"Roles (who may act: {rules.ranks.acting})", ["role", "name", "名稱", "rank", "clause"], rows)


def book_data(rules: Rulebook) -> dict[str, Any]:
    """Return a book as JSON."""
    return {
        "book": rules.id,
        "digest": rules.digest,
        "identity": rules.identity.model_dump(),
        "odds": rules.odds.model_dump(),
        "groups": _dumped(rules.groups),
        "wagers": [wager_data(rules, wager) for wager in rules.wagers.values()],
        "withheld": dict(rules.withheld),
        "options": _chosen_data(rules.options, rules.options_chosen),
        "options_chosen": dict(rules.options_chosen),
        "readings": _chosen_data(rules.readings, rules.readings_chosen),
        "procedure": rules.procedure.model_dump(),
        "equipment": _dumped(rules.equipment),
        "inspections": _dumped(rules.inspections),
        "irregularities": _dumped(rules.irregularities),
        "roles": _dumped(rules.roles),
        "ranks": rules.ranks.model_dump(),
        "layout": rules.layout.model_dump(),
        "clauses": _dumped(rules.clauses),
    }


def _dumped(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part.model_dump() for name, part in parts.items()}


def _chosen_data(entries: Mapping[str, Reading] | Mapping[str, Option], chosen: Mapping[str, str]) -> dict[str, Any]:
    return {name: {**entry.model_dump(), "chosen": chosen[name]} for name, entry in entries.items()}


def _print_identity(rules: Rulebook) -> None:
    from rich.text import Text

    identity = rules.identity
    inferred = f"  (inferred: {', '.join(identity.inferred)})" if identity.inferred else ""
    lines = [
        f"{identity.authority}{inferred}",
        identity.about,
        f"Odds: {rules.odds.basis}, worded with {' or '.join(rules.odds.wording)}  {bracketed(rules.odds.clause)}",
    ]
    if identity.version or identity.in_force_since:
        lines.insert(1, f"version {identity.version or '-'}, in force since {identity.in_force_since or '-'}")
    lines.append(f"SHA-256 {rules.digest}")
    console().print(Text.assemble((identity.title, "bold"), f"  {rules.id}\n", "\n".join(lines), "\n"))


def _print_wagers(rules: Rulebook) -> None:
    rows = []
    for wager, members in _group_alike(rules):
        first, last = members[0], members[-1]
        ids = first.id if first is last else f"{first.id} … {last.selection}"
        pays = "see its pay table below" if has_ladder(wager.spec) else format_pays(rules, wager)
        rows.append((ids, len(members), wager.name.en, pays, format_clauses(wager)))
    columns = ["wager", "areas", "name of the first", "pays", "clauses"]
    print_table(f"Wagers: {len(rules.wagers)} areas", columns, rows, right=["areas"])
    for wager in rules.wagers.values():
        if has_ladder(wager.spec):
            _print_ladder(rules, wager)
    for wager_id, reason in rules.withheld.items():
        console().print(f"not offered: {wager_id} ({reason})", markup=False)


def _print_ladder(rules: Rulebook, wager: Wager) -> None:
    tables = list(wager.pays)
    rows = [(row, *(rules.printed(wager.pays[table][row]) for table in tables)) for row in reversed(wager.rows)]
    names = [str(table or "pays") for table in tables]
    print_table(f"{wager.name.en}: pay tables", [ladder_of(wager.spec), *names], rows, right=names)


def _group_alike(rules: Rulebook) -> Iterable[tuple[Wager, list[Wager]]]:
    """Yield adjacent wagers of one family with equal pays as one row."""
    run: list[Wager] = []
    for wager in rules.wagers.values():
        if run and (run[0].family, run[0].pays) == (wager.family, wager.pays):
            run.append(wager)
        else:
            if run:
                yield run[0], run
            run = [wager]
    if run:
        yield run[0], run


def _print_choices(
    title: str, entries: Mapping[str, Reading] | Mapping[str, Option], chosen: Mapping[str, str]
) -> None:
    rows = []
    for name, entry in entries.items():
        printed = getattr(entry, "printed", None)
        about = f"printed: {printed}\n{getattr(entry, 'why', '')}" if printed else getattr(entry, "says", "")
        choices = "\n".join(
            f"{'*' if choice == chosen[name] else ' '} {choice}: {value.says}"
            for choice, value in entry.choices.items()
        )
        rows.append((name, about, choices, ", ".join(entry.clause)))
    if rows:
        print_table(f"{title} (* in force)", ["id", "about", "choices", "clause"], rows)


def _print_groups(rules: Rulebook) -> None:
    rows = [
        (name, group.name.en, "yes" if group.optional else "no", ", ".join(group.paytables), ", ".join(group.clause))
        for name, group in rules.groups.items()
    ]
    if rows:
        columns = ["group", "name", "may be left out", "pay tables (first: default)", "clause"]
        print_table(f"Groups (on offer: {rules.options_chosen['groups']})", columns, rows)


def _print_steps(title: str, steps: Sequence[Step]) -> None:
    rows = []
    for number, step in enumerate(steps, 1):
        says = step.says + (f' — "{step.announce}"' if step.announce else "")
        rows.append((number, step.id, says, ", ".join(step.who), step.shaker or "", ", ".join(step.clause)))
    if rows:
        print_table(title, ["", "step", "what", "who", "shaker", "clause"], rows)


def _print_equipment(rules: Rulebook) -> None:
    rows = []
    for name, thing in rules.equipment.items():
        notes: list[str] = [thing.says]
        notes += [f"life, {life.shaker} shaker: {life.length} {life.unit}" for life in thing.life]
        notes += [f"{need.says} {bracketed(need.clause)}" for need in thing.requires]
        rows.append((name, thing.name.en, "\n".join(notes), ", ".join(thing.clause)))
    if rows:
        print_table("Equipment", ["id", "name", "what", "clause"], rows)
    inspected = [
        (
            name,
            inspection.when,
            inspection.says,
            ", ".join(inspection.who) + (" or above" if inspection.or_above else ""),
            ", ".join(inspection.clause),
        )
        for name, inspection in rules.inspections.items()
    ]
    if inspected:
        print_table("Inspections", ["id", "when", "what", "who", "clause"], inspected)


def _print_irregularities(rules: Rulebook) -> None:
    rows = [
        (
            name,
            irregularity.says,
            irregularity.remedy,
            ", ".join(irregularity.when),
            ", ".join(irregularity.called_by) + (" or above" if irregularity.or_above else ""),
            ", ".join(irregularity.clause),
        )
        for name, irregularity in rules.irregularities.items()
    ]
    if rows:
        print_table("Irregularities", ["id", "what", "remedy", "when", "called by", "clause"], rows)
