/** One area of a layout: its ground, what is painted on it, and the chips that lie there. Its lamp is under it. */

import type { ComponentChildren } from "preact";
import type { WagerEntry } from "../api/types";
import { ChipMark, chipText } from "../components/chip";
import { DieMark } from "../components/dice";
import { oddsFigure, printedOdds } from "../money/odds";
import { language, named } from "../words";
import type { Box, Placed, Showing } from "./model";
import { areaInWords } from "./telling";

/** So much room has the chance at the end of a track's head. */
const CHANCE = 122;
/** So wide is what stands in the middle at the foot of an area with a name. */
const NAME_ROOM = 52;

interface AreaProps {
  placed: Placed;
  showing: Showing;
  /** Whether it can be bet on. */
  live: boolean;
  /** Whether Tab comes here. */
  stop: boolean;
  children: ComponentChildren;
}

/** Ground and chips; what is painted comes from outside. */
export function Area({ placed, showing, live, stop, children }: AreaProps) {
  const { wager, box } = placed;
  const lit = showing.lit.has(wager.wager);
  const dimmed = showing.lit.size > 0 && !lit;
  const classes = ["area", lit ? "area-lit" : "", dimmed ? "area-dim" : "", live ? "area-live" : ""];
  // What is touched and told is one thing without text of its own: its label tells all that is drawn.
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
        <rect class="area-ground" width={box.width} height={box.height} rx="7" />
        {children}
        <rect class="area-rim" x="1" y="1" width={box.width - 2} height={box.height - 2} rx="6" />
        <Stakes
          box={box}
          wager={wager}
          own={showing.own[wager.wager] ?? 0}
          others={showing.others[wager.wager] ?? 0}
          showing={showing}
        />
      </g>
      {touch}
    </g>
  );
}

/** On a track of steps chips lie beside its name, where they cover no pay. */
function besideTheName(box: Box, radius: number): { x: number; y: number } {
  return { x: box.width - CHANCE - radius, y: radius + 4 };
}

/** Chips are as large as the area allows; where a name stands in its middle, they leave that free. */
function chipRadius(box: Box, wager: WagerEntry): number {
  const { dice, total } = wager.picture;
  const named = dice.length === 0 && total === null && wager.decided !== "count";
  const beside = named ? (box.width - NAME_ROOM) / 4 : box.width * 0.24;
  return Math.max(11, Math.min(19, beside, box.height * 0.25));
}

interface StakesProps {
  box: Box;
  wager: WagerEntry;
  own: number;
  others: number;
  showing: Showing;
}

function Stakes(props: StakesProps) {
  const { box, wager, own, others, showing } = props;
  const track = wager.decided === "count";
  const paid = showing.paid[wager.wager] ?? 0;
  const swept = showing.swept.has(wager.wager) ? " own-chip-swept" : "";
  const ruled = showing.ruled?.has(wager.wager) ?? false;
  const radius = chipRadius(box, wager);
  const text = chipText(others, showing.money);
  const place = track ? besideTheName(box, radius) : { x: box.width - radius - 3, y: box.height - radius - 3 };
  const wide = Math.max(18, text.length * 6.4 + 6);
  return (
    <>
      {others > 0 && (
        <g
          class={ruled && own === 0 ? "others others-ruled" : "others"}
          transform={`translate(${box.width - 5 - wide} 5)`}
        >
          <rect width={wide} height="15" rx="7.5" />
          <text x={wide / 2} y="8">
            {text}
          </text>
        </g>
      )}
      {ruled && own > 0 && <circle class="ruled-ring" cx={place.x} cy={place.y} r={radius + 2.5} />}
      {own > 0 && <ChipMark class={`own-chip${swept}`} amount={own} money={showing.money} {...place} radius={radius} />}
      {paid > 0 && (
        <ChipMark class="paid-chip" amount={paid} money={showing.money} x={radius + 4} y={radius + 4} radius={radius} />
      )}
    </>
  );
}

/** What is painted on an area of a grid. */
export function Painted({ placed, showing, odds }: { placed: Placed; showing: Showing; odds: boolean }) {
  const { wager, box } = placed;
  const { picture } = wager;
  const middle = box.width / 2;
  const pays = odds ? printedOdds(wager, showing.paytables[wager.wager]) : "";
  if (picture.dice.length > 0) return <PaintedDice box={box} dice={picture.dice} pays={pays} />;
  if (picture.total !== null) {
    return (
      <>
        <text
          class="area-figure"
          x={middle}
          y={box.height * (pays ? 0.4 : 0.5)}
          font-size={Math.min(30, box.width * 0.5)}
        >
          {picture.total}
        </text>
        <Pays box={box} pays={pays} />
      </>
    );
  }
  return <PaintedName box={box} wager={wager} pays={pays} />;
}

function PaintedDice({ box, dice, pays }: { box: Box; dice: readonly number[]; pays: string }) {
  const free = box.height - (pays ? 22 : 8);
  const side = (inLine: number, lines: number): number =>
    Math.min(30, (box.width - 8) / inLine - 2, (free - 4) / lines - 2);
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
      <Pays box={box} pays={pays} />
    </>
  );
}

const NAME_LINE = 16;
const RANGE_LINE = 14;

/** Sign, name and range under each other, as large as the area allows. */
function PaintedName({ box, wager, pays }: { box: Box; wager: WagerEntry; pays: string }) {
  const middle = box.width / 2;
  const { low, high } = wager.picture;
  const ranged = low !== null && high !== null;
  const chinese = language.value === "zh";
  const lines = wrapped(named(wager.name), Math.max(6, Math.floor(box.width / 8)));
  const free = box.height - (pays ? 22 : 8);
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
      <Pays box={box} pays={pays} />
    </>
  );
}

/** What an area pays; where it is too narrow for the whole of it, the figures. */
export function Pays({ box, pays }: { box: Box; pays: string }) {
  if (!pays) return null;
  const figures = pays.includes("/") ? pays.replace(/^1 \S+ | (to|for) 1$/, "") : oddsFigure(pays);
  const [text, size] = [
    [pays, 11.5],
    [pays, 9.5],
    [figures, 11],
    [figures.replaceAll(" ", ""), 10],
  ].find(([one, large]) => String(one).length * Number(large) * 0.56 <= box.width - 4) ?? [
    figures.replaceAll(" ", ""),
    9,
  ];
  return (
    <text class="area-pays" x={box.width / 2} y={box.height - 10} font-size={size}>
      {text}
    </text>
  );
}

/** Words on lines of at most so many letters. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
