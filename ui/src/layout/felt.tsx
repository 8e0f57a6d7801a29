/** The content of a felt: its boxes with numbers and the puck, and the names of its lines. */

import type { WagerEntry } from "../api/types";
import { DieMark } from "../components/dice";
import { PuckMark } from "../components/puck";
import { inChinese, named, words } from "../i18n";
import { oddsWords, payTable } from "../money/odds";
import type { FeltDrawing, NumberBox } from "./arrange-felt";
import { Label } from "./label";
import type { PricedArea, Showing } from "./model";
import { Pays, paysForm, textWidth } from "./pays";

/** The puck is as large as a box allows. */
function puckRadius({ box, head }: NumberBox): number {
  return Math.min(16, box.width * 0.2, head / 2 - 1);
}

/** The width of a text in capitals, as felts have it. */
function capitals(text: string, size: number): number {
  const wide = text.match(/[mw]/gi)?.length ?? 0;
  return textWidth(text, size) * 1.5 + wide * size * 0.4;
}

/** The frames of the boxes with their numbers; the puck is on the point's. */
export function Boxes({ boxes, rest, showing }: Pick<FeltDrawing, "boxes" | "rest"> & { showing: Showing }) {
  const { point } = showing;
  const on = boxes.find(one => Number(one.selection) === point);
  return (
    <g class="felt-boxes" aria-hidden="true">
      {boxes.map(one => {
        const { selection, title, box, head } = one;
        const marked = one === on;
        const room = box.width - 8 - (marked ? 2 * puckRadius(one) + 4 : 0);
        // Beside the puck, a narrow box has room for its number only.
        const label = marked && capitals(title, 16) > room ? selection : title;
        return (
          <g key={selection} class={marked ? "felt-box felt-box-on" : "felt-box"}>
            <rect {...box} rx="9" />
            <text x={box.x + 4 + room / 2} y={box.y + head / 2 + 1} font-size={Math.min(25, room / capitals(label, 1))}>
              {label}
            </text>
          </g>
        );
      })}
      {on && (
        <PuckMark
          on
          x={on.box.x + on.box.width - puckRadius(on) - 4}
          y={on.box.y + on.head / 2 + 1}
          radius={puckRadius(on)}
        />
      )}
      {point === null && rest && <PuckMark on={false} {...rest} radius={16} />}
    </g>
  );
}

/** The odds of an area behind another bet depend on the point; without a point nothing is printed. */
export function feltPays(wager: WagerEntry, showing: Showing, printed: string): string {
  if (wager.parent === null || wager.rows.length <= 2 || wager.selection !== null) return printed;
  const odds = payTable(wager, showing.paytables[wager.wager])?.pays[String(showing.point)];
  return odds === undefined ? "" : oddsWords(odds);
}

/** An area in a box, without the number above it. */
export function FeltCell({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const foot = paysForm(area.pays, box.width).height;
  const free = box.height - foot;
  const lines = cellLines(cellName(wager), box.width - 6);
  const longest = Math.max(...lines.map(line => textWidth(line, 1.12)));
  const size = Math.min(11.5, (box.width - 5) / longest, lines.length > 2 ? (free - 1) / lines.length : 11.5);
  const step = Math.min(11, size + 0.5);
  return (
    <>
      <Label area={area} showing={showing}>
        <text
          class="area-name area-cell-name"
          y={Math.max(size * 0.7, free / 2 + 3 - ((lines.length - 1) * step) / 2)}
          font-size={size}
        >
          {lines.map((line, index) => (
            <tspan key={line} x={box.width / 2} dy={index === 0 ? 0 : step}>
              {line}
            </tspan>
          ))}
        </text>
      </Label>
      <Pays area={area} showing={showing} />
    </>
  );
}

/** A name without its selection, which is on the box. */
function cellName(wager: WagerEntry): string {
  const [name, selection] = [named(wager.name), wager.selection ?? ""];
  return name.replace(selection, "").trim() || name;
}

/** A name in one line, in two, or with each word in its own. */
function cellLines(name: string, width: number): string[] {
  const lines = fitted(name, width, 11.5);
  const short = lines.every(line => textWidth(line, 11.5) <= width);
  return short || inChinese.value ? lines : name.split(" ");
}

function fitted(text: string, width: number, size: number): string[] {
  if (textWidth(text, size) <= width) return [text];
  return inChinese.value ? halves(text) : inTwo(text.split(" "));
}

/** Two lines of similar length. */
function inTwo(words: readonly string[]): string[] {
  const splits = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const longest = (lines: readonly string[]): number => Math.max(...lines.map(line => line.length));
  return splits.sort((one, other) => longest(one) - longest(other))[0] ?? [words.join(" ")];
}

function halves(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

const LARGEST = 30;
const SMALLEST = 11;
/** The size of totals, and the radius of the circle around one as a multiple of it. */
const [TOTAL, SMALL_TOTAL] = [15, 10];
const CIRCLE = 0.8;
/** From these heights, the totals of a line are below its name, or in small type. */
const [TWO_ROWS, TWO_SMALL_ROWS] = [62, 25];
const CHIP = 24;
const NARROW = 90;

/** A line across the table: its name as large as possible, the faces that it bars, and its totals. */
export function FeltLine({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const { bars, dice } = wager.picture;
  const name = named(wager.name);
  const foot = area.pays ? paysForm(area.pays, box.width).height : 0;
  const free = box.height - foot;
  const upright = dice.length === 0 && box.height > box.width * 1.4;
  const marks = totalsForm(wager, name, box.width, free);
  const low = marks?.beside ?? false;
  const barSize = bars.length > 0 ? Math.min(22, free * 0.42, box.width * 0.3) : 0;
  const barWidth = barSize > 0 ? bars.length * (barSize + 2) + 20 + textWidth(words().area.bar, 11) : 0;
  const beside = barSize > 0 && !upright && box.width - 14 - barWidth >= capitals(name, SMALLEST);
  const under = barSize > 0 && !beside ? barSize + 12 : 0;
  // Odds are small areas beside a line: their name leaves room for a chip, if possible.
  const chip = wager.parent === null || box.width < NARROW ? 0 : CHIP;
  const totals = marks?.beside ? marks.width : 0;
  const room = box.width - 20 - (beside ? barWidth : 0) - chip - totals;
  const lines = upright || capitals(name, SMALLEST) > room + 1 ? fitted(name, 0, 1) : [name];
  const longest = Math.max(...lines.map(line => capitals(line, 1)));
  const pictured = dice.length > 0;
  const high = pictured ? 14 : (marks && !low ? free * 0.5 : free - under) / (lines.length * 1.25) - 2;
  const size = Math.max(SMALLEST - 1, Math.min(LARGEST, high, room / longest));
  const middle = (box.width - (beside ? barWidth : 0) - chip - totals) / 2;
  const head = pictured ? Math.min(free * 0.3, 18) : marks && !low ? free * 0.32 : free / 2 + (foot > 0 ? 3 : 0);
  return (
    <>
      <Label area={area} showing={showing}>
        <text
          class="area-name felt-name"
          y={head - ((lines.length - 1) * size * 1.15) / 2 - under / 2}
          font-size={size}
        >
          {lines.map((line, index) => (
            <tspan key={line} x={middle} dy={index === 0 ? 0 : size * 1.15}>
              {line}
            </tspan>
          ))}
        </text>
        {pictured && <Pictured area={area} top={head + size / 2} foot={foot} />}
        {marks && (
          <Totals
            wager={wager}
            size={marks.size}
            x={low ? box.width - 8 - totals / 2 : box.width / 2}
            y={low ? head : free * (free < TWO_ROWS ? 0.78 : 0.72)}
            width={low ? totals : box.width - 12}
          />
        )}
        {barSize > 0 && (
          <g
            class="felt-bar"
            transform={
              beside
                ? `translate(${middle + (longest * size) / 2 + 10} ${head - barSize / 2})`
                : `translate(${(box.width - bars.length * (barSize + 2)) / 2} ${head - under / 2 + lines.length * size * 0.6 + 15})`
            }
          >
            <text x={beside ? textWidth(words().area.bar, 11) / 2 : barSize + 1} y={beside ? barSize / 2 : -9}>
              {words().area.bar}
            </text>
            {bars.map((face, index) => (
              <DieMark
                key={index}
                face={face}
                x={(beside ? textWidth(words().area.bar, 11) + 6 : 0) + index * (barSize + 2)}
                y={0}
                size={barSize}
              />
            ))}
          </g>
        )}
      </Label>
      {area.arm && (
        <text
          class={inChinese.value ? "area-name felt-name felt-name-upright" : "area-name felt-name"}
          font-size={size}
          transform={`translate(${area.arm.width / 2} ${-area.arm.height / 2})${inChinese.value ? "" : " rotate(-90)"}`}
        >
          {name}
        </text>
      )}
      <Pays area={area} showing={showing} />
    </>
  );
}

/** Dice, below the name. */
function Pictured({ area, top, foot }: { area: PricedArea; top: number; foot: number }) {
  const { wager, box } = area;
  const { dice } = wager.picture;
  const free = box.height - foot - top;
  const size = Math.min(34, free - 4, (box.width - 10) / dice.length - 3);
  if (size < 12) return null;
  const left = box.width / 2 - (dice.length * (size + 3) - 3) / 2;
  return (
    <>
      {dice.map((face, index) => (
        <DieMark key={index} face={face} x={left + index * (size + 3)} y={top + (free - size) / 2} size={size} />
      ))}
    </>
  );
}

interface TotalsForm {
  /** Whether the totals are beside the name, and not below it. */
  beside: boolean;
  size: number;
  width: number;
}

/** How the totals of a line are set: below its name if it is high enough, else beside it, else below it in small type;
 * null if it has none, or no room for them. */
function totalsForm(wager: WagerEntry, name: string, width: number, free: number): TotalsForm | null {
  if (wager.picture.numbers.length === 0 || wager.rows.length <= 2) return null;
  const beside = width - 20 - capitals(name, SMALLEST);
  const [full, small] = [totalsWidth(wager, TOTAL), totalsWidth(wager, SMALL_TOTAL)];
  if (free >= TWO_ROWS && full <= width - 12) return { beside: false, size: TOTAL, width: full };
  if (totalsWidth(wager, SMALLEST) <= beside) {
    const size = full <= beside ? TOTAL : SMALLEST;
    return { beside: true, size, width: Math.min(beside, totalsWidth(wager, size) * 1.25) };
  }
  const oneLine = capitals(name, SMALLEST) <= width - 20;
  return oneLine && free >= TWO_SMALL_ROWS && small <= width - 12
    ? { beside: false, size: SMALL_TOTAL, width: small }
    : null;
}

/** Whether a total pays in a separate row. */
function isOwnRow(wager: WagerEntry, number: number): boolean {
  return wager.rows.includes(String(number));
}

function totalWidth(wager: WagerEntry, number: number, size: number): number {
  return isOwnRow(wager, number) ? size * CIRCLE * 2 : String(number).length * size * 0.66;
}

/** The least width of the totals of a line. */
function totalsWidth(wager: WagerEntry, size: number): number {
  const { numbers } = wager.picture;
  const all = numbers.reduce((sum, number) => sum + totalWidth(wager, number, size), 0);
  return all + (numbers.length - 1) * size * 0.5;
}

/** The totals that win, around the middle of a width; one that pays in a separate row is circled. */
function Totals(props: { wager: WagerEntry; size: number; x: number; y: number; width: number }) {
  const { wager, size, x: middle, y, width } = props;
  const { numbers } = wager.picture;
  const least = totalsWidth(wager, size);
  const gap =
    size * 0.5 + Math.min(size < TOTAL ? size * 0.4 : size * 1.4, (width - least) / Math.max(1, numbers.length - 1));
  let left = middle - (least + (gap - size * 0.5) * (numbers.length - 1)) / 2;
  return (
    <g class="felt-totals">
      {numbers.map(number => {
        const own = totalWidth(wager, number, size);
        const x = left + own / 2;
        left += own + gap;
        return (
          <g key={number}>
            {isOwnRow(wager, number) && <circle cx={x} cy={y} r={size * CIRCLE} />}
            <text x={x} y={y} font-size={size}>
              {number}
            </text>
          </g>
        );
      })}
    </g>
  );
}
