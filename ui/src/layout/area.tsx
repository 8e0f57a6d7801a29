/** One area of a layout: its background and its content. Its lamp is below it, its chips are on it. */

import type { ComponentChildren } from "preact";
import { DieMark } from "../components/dice";
import { inChinese, named } from "../i18n";
import { areaInWords } from "./area-description";
import { Label } from "./label";
import type { Box, PricedArea, Showing } from "./model";
import { Pays, paysForm } from "./pays";
import { Stakes } from "./stakes";

interface AreaProps {
  area: PricedArea;
  showing: Showing;
  /** Whether it can be bet on. */
  live: boolean;
  /** Whether it can be reached with Tab. */
  stop: boolean;
  children: ComponentChildren;
}

/** Background and chips; the content comes from the caller. */
export function Area({ area, showing, live, stop, children }: AreaProps) {
  const { wager, box } = area;
  const lit = showing.lit.has(wager.wager);
  const dimmed = showing.lit.size > 0 && !lit;
  const classes = ["area", lit ? "area-lit" : "", dimmed ? "area-dim" : "", live ? "area-live" : ""];
  if (showing.chosen === wager.wager) classes.push("area-chosen");
  if (area.cell) classes.push("area-boxed");
  // The touch target has no text of its own: its label describes everything that is drawn.
  const touch = (
    <rect
      class="area-touch"
      data-wager={wager.wager}
      role={live ? "button" : "img"}
      tabindex={live ? (stop ? 0 : -1) : undefined}
      aria-label={areaInWords(wager, showing)}
      width={box.width}
      height={box.height}
    />
  );
  return (
    <g class={classes.filter(Boolean).join(" ")} transform={`translate(${box.x} ${box.y})`}>
      <g aria-hidden="true" class="area-drawing">
        {area.arm ? (
          <path class="area-ground area-rim" d={bent(area.box, area.arm)} />
        ) : (
          <rect class="area-ground" width={box.width} height={box.height} rx="7" />
        )}
        {children}
        {!area.arm && <rect class="area-rim" x="1" y="1" width={box.width - 2} height={box.height - 2} rx="6" />}
        <Stakes area={area} showing={showing} />
      </g>
      {area.arm && (
        <rect
          class="area-arm"
          data-arm={wager.wager}
          x={area.arm.x - box.x}
          y={area.arm.y - box.y}
          width={area.arm.width}
          height={area.arm.height}
        />
      )}
      {touch}
    </g>
  );
}

/** The outline of an area with an arm along the left side, with a rounded outer corner as on felt. */
function bent(box: Box, arm: Box): string {
  const top = arm.y - box.y + 1;
  const [right, foot, side] = [box.width - 1, box.height - 1, arm.width];
  return (
    `M 7 ${top} H ${side - 7} Q ${side} ${top} ${side} ${top + 7} V -10 Q ${side} 1 ${side + 11} 1 ` +
    `H ${right - 6} Q ${right} 1 ${right} 7 V ${foot - 6} Q ${right} ${foot} ${right - 6} ${foot} ` +
    `H 34 Q 1 ${foot} 1 ${foot - 33} V ${top + 6} Q 1 ${top} 7 ${top} Z`
  );
}

interface AreaContentProps {
  area: PricedArea;
  showing: Showing;
}

/** The content of an area of a grid. */
export function AreaContent({ area, showing }: AreaContentProps) {
  const { picture } = area.wager;
  return (
    <>
      <Label area={area} showing={showing}>
        {picture.dice.length > 0 ? (
          <PaintedDice area={area} dice={picture.dice} />
        ) : picture.total !== null ? (
          <PaintedTotal area={area} total={picture.total} />
        ) : (
          <PaintedName area={area} />
        )}
      </Label>
      <Pays area={area} showing={showing} />
    </>
  );
}

/** The height above the odds of an area. */
function freeHeight({ box, pays }: PricedArea): number {
  return box.height - (pays ? paysForm(pays, box.width).height + 3 : 8);
}

function PaintedTotal({ area, total }: { area: PricedArea; total: number }) {
  const { box } = area;
  return (
    <text
      class="area-figure"
      x={box.width / 2}
      y={area.pays ? freeHeight(area) / 2 + 4 : box.height / 2}
      font-size={Math.min(Math.max(30, box.height * 0.3), box.width * 0.5, freeHeight(area) - 4)}
    >
      {total}
    </text>
  );
}

function PaintedDice({ area, dice }: { area: PricedArea; dice: readonly number[] }) {
  const { box } = area;
  const free = freeHeight(area);
  const side = (inLine: number, lines: number): number =>
    Math.min(Math.max(30, free * 0.36), (box.width - 8) / inLine - 2, (free - 4) / lines - 2);
  const lines = side(dice.length, 1) < 15 && side(Math.ceil(dice.length / 2), 2) > side(dice.length, 1) ? 2 : 1;
  const inLine = Math.ceil(dice.length / lines);
  const size = side(inLine, lines);
  const top = (free - lines * (size + 2)) / 2 + 4;
  return (
    <>
      {dice.map((face, index) => {
        const line = Math.floor(index / inLine);
        const here = Math.min(inLine, dice.length - line * inLine);
        const x = box.width / 2 - (here * (size + 2)) / 2 + (index % inLine) * (size + 2) + 1;
        return <DieMark key={index} face={face} x={x} y={top + line * (size + 2)} size={size} />;
      })}
    </>
  );
}

const NAME_LINE = 16;
const RANGE_LINE = 14;

/** Sign, name and range below one another, as large as the area allows. */
function PaintedName({ area }: { area: PricedArea }) {
  const { wager, box } = area;
  const middle = box.width / 2;
  const { low, high } = wager.picture;
  const ranged = low !== null && high !== null;
  const chinese = inChinese.value;
  const lines = wrapped(named(wager.name), Math.max(6, Math.floor((box.width - 12) / 8)));
  const free = freeHeight(area);
  const rest = free - (ranged ? RANGE_LINE : 0) - 6;
  const sign = chinese ? "" : wager.name.zh.length <= 2 ? wager.name.zh : "";
  const large = chinese && wager.name.zh.length <= 2;
  const nameSize = large ? Math.min(34, rest, box.width / 2.4) : 14;
  const nameHeight = large ? nameSize + 4 : lines.length * NAME_LINE;
  const signSize = sign ? Math.min(36, rest - nameHeight, (box.width - 10) / sign.length) : 0;
  const signed = signSize >= 16;
  const top = 5 + (rest - nameHeight - (signed ? signSize : 0)) / 2;
  const nameTop = top + (signed ? signSize + 2 : 0);
  return (
    <>
      {signed && (
        <text class="area-sign" lang="zh-Hant" x={middle} y={top + signSize / 2} font-size={signSize}>
          {sign}
        </text>
      )}
      <text class="area-name" x={middle} y={nameTop + (large ? nameSize / 2 : NAME_LINE / 2)} font-size={nameSize}>
        {lines.map((line, index) => (
          <tspan key={line} x={middle} dy={index === 0 ? 0 : NAME_LINE}>
            {line}
          </tspan>
        ))}
      </text>
      {ranged && (
        <text class="area-range" x={middle} y={nameTop + nameHeight + RANGE_LINE / 2}>
          {low}–{high}
        </text>
      )}
    </>
  );
}

/** Splits words into lines of a maximum length. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
