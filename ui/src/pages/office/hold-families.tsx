/** The hold of each family of bets, and its position in its band. */

import type { components } from "../../api/schema";
import type { BookPage } from "../../api/types";
import { Amount } from "../../components/amount";
import { type Column, Figures } from "../../components/figures";
import { locale, named } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { amountText } from "../../money/amounts";
import { percentage } from "../../money/figures";

type Day = components["schemas"]["HeldDay"];
type HoldFigures = components["schemas"]["HoldFigures"];

interface Family {
  id: string;
  name: string;
  held: HoldFigures;
}

export function Families(props: { day: Day; money: string; book: BookPage | null; table: string }) {
  const t = officeWords().hold;
  const { money, book } = props;
  const rows = Object.entries(props.day.families).map(([id, held]) => ({ id, name: familyName(book, id), held }));
  const exact = (minor: number): string => amountText(Math.round(minor), money, locale.value, { signed: true });
  const columns: Column<Family>[] = [
    { id: "family", name: t.family, value: one => one.name },
    {
      id: "wagered",
      name: t.wagered,
      value: one => one.held.wagered,
      show: one => <Amount minor={one.held.wagered} money={money} />,
      kind: "figure",
    },
    {
      id: "won",
      name: t.won,
      value: one => one.held.won,
      show: one => <Amount minor={one.held.won} money={money} signed />,
      kind: "figure",
    },
    {
      id: "theory",
      name: t.theory,
      value: one => one.held.theory,
      show: one => exact(one.held.theory),
      kind: "figure",
    },
    {
      id: "edge",
      name: t.edge,
      value: one => one.held.edge,
      show: one => (one.held.edge === null ? "–" : percentage(one.held.edge)),
      kind: "figure",
    },
    {
      id: "beyond",
      name: t.deviation,
      value: one => one.held.deviation,
      show: one => exact(one.held.deviation),
      hint: one => `${exact(one.held.band.low)} … ${exact(one.held.band.high)}`,
      kind: "figure",
    },
    {
      id: "band",
      name: t.inBand,
      value: one => (one.held.band.inside ? t.yes : t.no),
      show: one => <InBand held={one.held} />,
    },
  ];
  return (
    <Figures caption={t.families} columns={columns} rows={rows} rowKey={one => one.id} file={`hold-${props.table}`} />
  );
}

/** The position of the deviation in its band, as a small scale and in a word. */
function InBand({ held }: { held: HoldFigures }) {
  const t = officeWords().hold;
  const { low, high, inside } = held.band;
  const reach = Math.max(high - low, 1e-9);
  const at = Math.min(96, Math.max(4, ((held.deviation - low) / reach) * 80 + 10));
  return (
    <span class="in-band">
      <svg viewBox="0 0 100 12" width="100" height="12" aria-hidden="true">
        <rect class="in-band-track" x="10" y="4" width="80" height="4" rx="2" />
        <line class="in-band-theory" x1={10 + (-low / reach) * 80} x2={10 + (-low / reach) * 80} y1="1" y2="11" />
        <circle class={inside ? "in-band-dot" : "in-band-dot in-band-out"} cx={at} cy="6" r="4" />
      </svg>
      <span class={inside ? "" : "bad"}>{inside ? t.yes : t.no}</span>
    </span>
  );
}

/** The name of a family: that of one of its bets without the selection, and the range if they are bets on numbers. */
function familyName(book: BookPage | null, family: string): string {
  const bets = book?.wagers.filter(one => one.family === family) ?? [];
  const [found] = bets;
  if (found === undefined) return family;
  const name = named(found.name);
  if (found.selection === null) return name;
  const numbers = bets.map(one => Number(one.selection));
  const range = bets.length > 1 && numbers.every(Number.isInteger);
  const selected = range ? `${Math.min(...numbers)}–${Math.max(...numbers)}` : "";
  return name.replace(found.selection, selected).replace(/\s+/g, " ").trim() || name;
}
