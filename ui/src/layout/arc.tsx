/** Numbers to collect: an arc of lammers with the seven in the middle, and the areas below it. */

import type { WagerEntry } from "../api/types";
import { LammerMark } from "../components/lammer";
import { named, words } from "../i18n";
import { wrapped } from "./area";
import { ChanceBar } from "./chance-bar";
import { Label } from "./label";
import type { PricedArea, Showing } from "./model";
import { Pays, textWidth } from "./pays";

const SEVEN = 7;
/** A smaller lammer has no room for its number. */
const READABLE = 7;

/** All numbers that the areas of a block wait for, each once, with the seven among them. */
export function numbersOf(wagers: readonly WagerEntry[]): number[] {
  const found = new Set(wagers.flatMap(wager => wager.picture.numbers));
  found.add(SEVEN);
  return [...found].sort((a, b) => a - b);
}

/** A number is marked while any of the bets has it marked: one that has won restarts, the others continue. */
function isMarked(number: number, wagers: readonly WagerEntry[], showing: Showing): boolean {
  return wagers.some(wager => {
    const found = wager.picture.numbers.includes(number) ? showing.lammers[wager.wager] : undefined;
    return found !== undefined && (found.paid || (found.marked ?? []).includes(number));
  });
}

export function Arc(props: { width: number; height: number; wagers: readonly WagerEntry[]; showing: Showing }) {
  const { width, height, wagers, showing } = props;
  const numbers = numbersOf(wagers);
  const radius = Math.min(24, (width / numbers.length) * 0.4);
  return (
    <g class="arc" aria-hidden="true">
      <path
        class="arc-line"
        d={`M ${radius} ${height - radius} Q ${width / 2} ${-height * 0.55} ${width - radius} ${height - radius}`}
      />
      {numbers.map((number, index) => {
        const t = numbers.length > 1 ? index / (numbers.length - 1) : 0.5;
        const x = radius + t * (width - 2 * radius);
        const [from, over] = [height - radius - 2, -height * 0.55];
        const y = (1 - t) ** 2 * from + 2 * t * (1 - t) * over + t ** 2 * from;
        const state = number === SEVEN ? "danger" : isMarked(number, wagers, showing) ? "on" : "off";
        return (
          <LammerMark
            key={number}
            label={number}
            x={x}
            y={Math.max(y, radius + 3)}
            radius={number === SEVEN ? radius * 1.12 : radius}
            state={state}
          />
        );
      })}
    </g>
  );
}

/** The content of an area under the arc: its name, its own numbers, its chance and its odds. */
export function Collecting({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const found = showing.lammers[wager.wager];
  const numbers = wager.picture.numbers;
  const marked = new Set(found?.paid ? numbers : (found?.marked ?? []));
  const fitting = (count: number): number => Math.min(9, (box.width - 14) / count / 2.2);
  const inLine = fitting(numbers.length) < READABLE ? Math.ceil(numbers.length / 2) : numbers.length;
  const radius = fitting(inLine);
  const step = radius * 2.2;
  const lines = namedLines(named(wager.name), box.width);
  const longest = Math.max(...lines.map(line => textWidth(line, 1.1)));
  const size = Math.max(10, Math.min(15, (box.width - 10) / longest));
  const [top, middle] = lines.length > 1 ? [14, 56] : [20, 50];
  return (
    <>
      <Label area={area} showing={showing} floor={top + 6 + 16 * lines.length}>
        <text class="area-name" x={box.width / 2} y={top} font-size={size}>
          {lines.map((line, index) => (
            <tspan key={line} x={box.width / 2} dy={index === 0 ? 0 : 16}>
              {line}
            </tspan>
          ))}
        </text>
      </Label>
      {numbers.map((number, index) => (
        <LammerMark
          key={number}
          label={radius < READABLE ? "" : number}
          x={box.width / 2 + ((index % inLine) - (Math.min(inLine, numbers.length) - 1) / 2) * step}
          y={middle + (inLine < numbers.length ? (index < inLine ? -9 : 9) : 0)}
          radius={radius}
          state={marked.has(number) ? "on" : "off"}
        />
      ))}
      {found?.paid ? (
        <Waiting width={box.width} />
      ) : (
        <ChanceBar exact={showing.chances[wager.wager]} x={10} y={80} width={box.width - 20} />
      )}
      <Pays area={area} showing={showing} />
    </>
  );
}

/** A name in lines, with its gloss in brackets below the brand. */
function namedLines(name: string, width: number): string[] {
  if (textWidth(name, 15) <= width - 10) return [name];
  const [brand = name, gloss] = name.split("（");
  return gloss === undefined ? wrapped(name, Math.max(8, width / 8)) : [brand, `（${gloss}`];
}

/** A note that it has won and waits for a seven, in two lines if one is too short. */
function Waiting({ width }: { width: number }) {
  const lines = wrapped(words().area.paid, Math.max(8, width / 6.5));
  return (
    <text class="area-range" y={lines.length > 1 ? 79 : 86}>
      {lines.map((line, index) => (
        <tspan key={line} x={width / 2} dy={index === 0 ? 0 : 14}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
