/** Chips: each denomination has its own colour and edge, so that colour is not the only difference. */

import { locale, words } from "../i18n";
import { amountText, decimalsOf } from "../money/amounts";

/** The number and shape of the marks on the edge. */
interface Edge {
  marks: number;
  shape: "bar" | "wide" | "pair" | "dot" | "wedge" | "notch" | "ring";
}

const EDGES: readonly Edge[] = [
  { marks: 4, shape: "bar" },
  { marks: 6, shape: "bar" },
  { marks: 4, shape: "pair" },
  { marks: 8, shape: "dot" },
  { marks: 5, shape: "wedge" },
  { marks: 6, shape: "wide" },
  { marks: 12, shape: "notch" },
  { marks: 3, shape: "ring" },
];

const UNITS = [1, 5, 25, 100, 500, 1000, 5000, 10000];

/** The chips of a table in minor units: those that fit its limits. */
export function denominations(least: number, most: number, money: string): number[] {
  const unit = 10 ** decimalsOf(money);
  const fitting = UNITS.map(one => one * unit).filter(one => one <= most && one * 25 > least);
  return fitting.length > 0 ? fitting : [least];
}

/** The highest chips that make up an amount, as few as possible. */
export function stacked(amount: number, money: string): number[] {
  const unit = 10 ** decimalsOf(money);
  const chips: number[] = [];
  let rest = amount;
  for (const one of [...UNITS].reverse()) {
    while (rest >= one * unit && chips.length < 40) {
      chips.push(one * unit);
      rest -= one * unit;
    }
  }
  return chips;
}

/** The index of a denomination's style. */
export function chipKind(amount: number, money: string): number {
  const units = amount / 10 ** decimalsOf(money);
  const found = UNITS.findLastIndex(one => one <= units);
  return Math.max(0, found);
}

function edgeMarks({ marks, shape }: Edge) {
  return Array.from({ length: marks }, (_, index) => {
    const turn = `rotate(${(360 / marks) * index} 50 50)`;
    const key = `${shape}-${index}`;
    switch (shape) {
      case "bar":
        return <rect key={key} class="chip-mark" x="43" y="2" width="14" height="14" transform={turn} />;
      case "wide":
        return <rect key={key} class="chip-mark" x="38" y="2" width="24" height="9" transform={turn} />;
      case "pair":
        return (
          <g key={key} class="chip-mark" transform={turn}>
            <rect x="36" y="3" width="9" height="14" />
            <rect x="55" y="3" width="9" height="14" />
          </g>
        );
      case "dot":
        return <circle key={key} class="chip-mark" cx="50" cy="10" r="5" transform={turn} />;
      case "wedge":
        return <path key={key} class="chip-mark" d="M40 2 H60 L50 18 Z" transform={turn} />;
      case "notch":
        return <rect key={key} class="chip-mark" x="47" y="2" width="6" height="12" transform={turn} />;
      default:
        return <circle key={key} class="chip-mark chip-mark-ring" cx="50" cy="10" r="6" transform={turn} fill="none" />;
    }
  });
}

/** The text on a chip: 1, 25, 1K. */
export function chipText(amount: number, money: string): string {
  const units = amount / 10 ** decimalsOf(money);
  if (units >= 10_000) return `${Math.floor(units / 1000)}K`;
  return units >= 1000 && units % 1000 === 0 ? `${units / 1000}K` : String(Math.floor(units * 100) / 100);
}

/** A chip inside another drawing, by its centre. */
export function ChipMark(props: {
  amount: number;
  money: string;
  x: number;
  y: number;
  radius: number;
  class?: string;
}) {
  const kind = chipKind(props.amount, props.money);
  const text = chipText(props.amount, props.money);
  const scale = props.radius / 50;
  return (
    <g
      class={`chip chip-${kind} ${props.class ?? ""}`}
      transform={`translate(${props.x - props.radius} ${props.y - props.radius}) scale(${scale})`}
    >
      <circle class="chip-body" cx="50" cy="50" r="48" />
      {edgeMarks(EDGES[kind % EDGES.length] ?? { marks: 4, shape: "bar" })}
      <circle class="chip-face" cx="50" cy="50" r="31" />
      <text class="chip-text" x="50" y="50" font-size={text.length > 3 ? 20 : text.length > 2 ? 25 : 30}>
        {text}
      </text>
    </g>
  );
}

export function Chip({ amount, money, size = 52 }: { amount: number; money: string; size?: number }) {
  const label = words().money.chip(amountText(amount, money, locale.value, { short: true }));
  return (
    <svg class="chip-drawing" viewBox="0 0 100 100" width={size} height={size} role="img" aria-label={label}>
      <ChipMark amount={amount} money={money} x={50} y={50} radius={49} />
    </svg>
  );
}
