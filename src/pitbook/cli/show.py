"""`pitbook show`: print a whole book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.cli.language import head, id_text, language, named, odds_text, row_text, say
from pitbook.cli.output import console, print_json, print_table
from pitbook.cli.parameters import AsPrinted, BookName, Json, Options, Readings, open_book
from pitbook.cli.wagers import format_clauses, format_pays, wager_data
from pitbook.errors import bracketed
from pitbook.rulebooks.text import Reading
from pitbook.rulebooks.wagers import has_ladder, ladder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Option, Step
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
    _print_choices("options", rules.options, rules.options_chosen)
    _print_groups(rules)
    _print_choices("readings", rules.readings, rules.readings_chosen)
    _print_steps("opening", rules.procedure.opening)
    _print_steps("round" if rules.identity.game == "sic-bo" else "roll", rules.procedure.round)
    _print_equipment(rules)
    _print_irregularities(rules)
    _print_roles(rules)


def book_data(rules: Rulebook) -> dict[str, Any]:
    """Return a book as JSON."""
    return {
        "book": rules.id,
        "digest": rules.digest,
        "identity": rules.identity.model_dump(),
        "odds": rules.odds.model_dump(),
        "groups": _dumped(rules.groups),
        "wagers": [wager_data(rules, wager) for wager in rules.wagers.values()],
        "withheld": {wager: str(reason) for wager, reason in rules.withheld.items()},
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
    authority = named(identity.authority)
    if identity.inferred:
        authority = say("results.show.inferred", authority=authority, facts=identity.inferred)
    wording = "/".join(say(f"results.wording.{one}") for one in rules.odds.wording)
    basis, clauses = say(f"results.basis.{rules.odds.basis}"), bracketed(rules.odds.clause)
    lines = [authority, named(identity.about), say("results.show.odds", basis=basis, wording=wording, clauses=clauses)]
    if identity.version or identity.in_force_since:
        since = identity.in_force_since or "-"
        lines.insert(1, say("results.show.version", version=identity.version or "-", since=since))
    lines.append(f"SHA-256 {rules.digest}")
    console().print(Text.assemble((named(identity.title), "bold"), f"  {rules.id}\n", "\n".join(lines), "\n"))


def _print_wagers(rules: Rulebook) -> None:
    rows = []
    for wager, members in _group_alike(rules):
        first, last = members[0], members[-1]
        ids = first.id if first is last else f"{first.id} … {last.selection}"
        pays = say("results.show.see-ladder") if has_ladder(wager.spec) else format_pays(rules, wager)
        rows.append((ids, len(members), named(wager.name), pays, format_clauses(wager)))
    columns = head("wager", "areas", "name-of-first", "pays", "clauses")
    print_table(say("results.show.wagers", count=len(rules.wagers)), columns, rows, right=head("areas"))
    for wager in rules.wagers.values():
        if has_ladder(wager.spec):
            _print_ladder(rules, wager)
    for wager_id, reason in rules.withheld.items():
        console().print(say("results.show.not-offered", wager=wager_id, reason=reason), markup=False)


def _print_ladder(rules: Rulebook, wager: Wager) -> None:
    tables = list(wager.pays)
    rows = [
        (row_text(row), *(odds_text(rules.printed(wager.pays[table][row])) for table in tables))
        for row in reversed(wager.rows)
    ]
    names = [str(table) if table else head("pays")[0] for table in tables]
    counts = say(f"results.ladders.{ladder_of(wager.spec)}")
    print_table(say("results.show.ladder", wager=named(wager.name)), [counts, *names], rows, right=names)


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
        if isinstance(entry, Reading):
            about = say("results.show.printed", printed=entry.printed, why=named(entry.why))
        else:
            about = named(entry.says)
        choices = "\n".join(
            f"{'*' if choice == chosen[name] else ' '} {choice}: {named(value.says)}"
            for choice, value in entry.choices.items()
        )
        rows.append((name, about, choices, ", ".join(entry.clause)))
    if rows:
        print_table(say(f"results.show.{title}"), head("id", "about", "choices", "clause"), rows)


def _print_groups(rules: Rulebook) -> None:
    rows = [
        (
            name,
            named(group.name),
            say(f"results.shared.{'yes' if group.optional else 'no'}"),
            ", ".join(group.paytables),
            ", ".join(group.clause),
        )
        for name, group in rules.groups.items()
    ]
    if rows:
        columns = head("group", "name", "optional", "pay-tables", "clause")
        print_table(say("results.show.groups", groups=rules.options_chosen["groups"]), columns, rows)


def _print_steps(title: str, steps: Sequence[Step]) -> None:
    rows = []
    for number, step in enumerate(steps, 1):
        says = named(step.says)
        if step.announce:
            says = say("results.show.announced", says=says, announced=named(step.announce))
        shaker = id_text("shaker", step.shaker) if step.shaker else ""
        rows.append((number, step.id, says, _roles(step.who), shaker, ", ".join(step.clause)))
    if rows:
        print_table(say(f"results.show.{title}"), ["", *head("step", "what", "who", "shaker", "clause")], rows)


def _print_equipment(rules: Rulebook) -> None:
    rows = []
    for name, thing in rules.equipment.items():
        notes = [named(thing.says)]
        notes += [
            say("results.show.life", shaker=life.shaker, length=life.length, unit=life.unit) for life in thing.life
        ]
        notes += [f"{named(need.says)} {bracketed(need.clause)}" for need in thing.requires]
        rows.append((name, named(thing.name), "\n".join(notes), ", ".join(thing.clause)))
    if rows:
        print_table(say("results.show.equipment"), head("id", "name", "what", "clause"), rows)
    inspected = [
        (
            name,
            say(f"results.inspected.{inspection.when}"),
            named(inspection.says),
            _roles(inspection.who, or_above=inspection.or_above),
            ", ".join(inspection.clause),
        )
        for name, inspection in rules.inspections.items()
    ]
    if inspected:
        print_table(say("results.show.inspections"), head("id", "when", "what", "who", "clause"), inspected)


def _print_irregularities(rules: Rulebook) -> None:
    rows = [
        (
            name,
            named(irregularity.says),
            id_text("remedy", irregularity.remedy),
            ", ".join(id_text("phase", phase) for phase in irregularity.when),
            _roles(irregularity.called_by, or_above=irregularity.or_above),
            ", ".join(irregularity.clause),
        )
        for name, irregularity in rules.irregularities.items()
    ]
    if rows:
        columns = head("id", "what", "remedy", "when", "called-by", "clause")
        print_table(say("results.show.irregularities"), columns, rows)


def _print_roles(rules: Rulebook) -> None:
    english = language() == "en"  # whose readers also get the Chinese names, which layouts have
    rows = [
        (name, named(role.name), *([role.name.zh] if english else []), role.rank, ", ".join(role.clause))
        for name, role in rules.roles.items()
    ]
    columns = head("role", "name", *(["chinese"] if english else []), "rank", "clause")
    print_table(say("results.show.roles", acting=say(f"results.acting.{rules.ranks.acting}")), columns, rows)


def _roles(roles: Sequence[str], *, or_above: bool = False) -> str:
    names = ", ".join(id_text("role", one) for one in roles)
    return say("results.shared.or-above", roles=names) if or_above else names
