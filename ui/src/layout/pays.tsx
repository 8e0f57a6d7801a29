/** The odds of an area, at its foot: always with the book's "to", "for" or "win", in two lines on a narrow area. */

import { oddsLines } from "../money/odds";
import type { PricedArea, Showing } from "./model";
import { footRoom } from "./stakes";

/** How odds are set: in one line or more, their size, and how much of the area's foot they take. */
export interface PaysForm {
  lines: string[];
  size: number;
  height: number;
}

const LETTER = 0.56;
const CHINESE = /[\u4e00-\u9fff]/;
const EDGE = 2;
const LINE = 11;
const FOOT = 19;
/** From the largest to the smallest legible size. */
const ONE_LINE = [11.5, 9.5];
const TWO_LINES = [11, 10, 9, 8];

/** Return how wide a text is, in pixels. */
export function textWidth(text: string, size: number): number {
  return [...text].reduce((sum, letter) => sum + (CHINESE.test(letter) ? 1 : LETTER), 0) * size;
}

/** Return the largest form of these odds that fits into a width; the words are never left out. */
export function paysForm(pays: string, width: number): PaysForm {
  if (!pays) return { lines: [], size: 0, height: 0 };
  const fits = (lines: string[], size: number): boolean =>
    Math.max(...lines.map(line => textWidth(line, size))) <= width - 2 * EDGE;
  const size = ONE_LINE.find(one => fits([pays], one));
  if (size !== undefined) return { lines: [pays], size, height: FOOT };
  const lines = oddsLines(pays);
  const smaller = TWO_LINES.find(one => fits(lines, one)) ?? 7;
  return { lines, size: smaller, height: FOOT + LINE * (lines.length - 1) };
}

interface PaysProps {
  area: PricedArea;
  showing: Showing;
}

export function Pays({ area, showing }: PaysProps) {
  const { box } = area;
  // Beside a chip the text moves to the left, in two lines if necessary.
  const room = footRoom(area, showing);
  const { lines, size } = paysForm(area.pays, room);
  if (lines.length === 0) return null;
  const long = Math.max(...lines.map(line => textWidth(line, size)));
  const x = box.width / 2 + long / 2 <= room ? box.width / 2 : room / 2;
  return (
    <text class="area-pays" y={box.height - 10 - (lines.length - 1) * LINE} font-size={size}>
      {lines.map((line, index) => (
        <tspan key={line} x={x} dy={index === 0 ? 0 : LINE}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** The height of the odds at the foot of an area. */
export function footHeight({ area, showing }: PaysProps): number {
  return paysForm(area.pays, footRoom(area, showing)).height;
}
