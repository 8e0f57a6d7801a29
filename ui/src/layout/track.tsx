/** A count: a track of steps with their odds, and the lammer on the current step. */

import { named } from "../i18n";
import { oddsWords, payTable } from "../money/odds";
import { trackLines } from "./arrange";
import { ChanceBar } from "./chance-bar";
import { Label } from "./label";
import type { PricedArea, Showing } from "./model";
import { paysForm } from "./pays";

export function Counting({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const found = showing.lammers[wager.wager];
  const table = payTable(wager, showing.paytables[wager.wager]);
  const lines = trackLines(wager, box.width);
  const inLine = Math.ceil(wager.rows.length / lines);
  const step = (box.width - 16) / inLine;
  const reached = found?.row === undefined ? -1 : wager.rows.indexOf(found.row);
  const counting = (found?.count ?? 0) > 0;
  return (
    <>
      <Label area={area} showing={showing} floor={44}>
        <text class="area-name area-name-left" x={12} y={22} font-size="15">
          {named(wager.name)}
        </text>
      </Label>
      <ChanceBar exact={showing.chances[wager.wager]} x={box.width - 112} y={15} width={100} />
      {wager.rows.map((row, index) => {
        const x = 8 + (index % inLine) * step;
        const y = 46 + Math.floor(index / inLine) * 58;
        const gain = table?.gains[row]?.value ?? -1;
        const state = index === reached && counting ? "step-here" : index < reached ? "step-passed" : "";
        return (
          <g
            key={row}
            class={`step ${state} ${gain > 0 ? "step-pays" : "step-loses"}`}
            transform={`translate(${x} ${y})`}
          >
            <rect width={step - 3} height="52" rx="6" />
            <StepPay count={stepText(row)} pays={gain < 0 ? "–" : oddsWords(table?.pays[row] ?? "")} width={step - 3} />
          </g>
        );
      })}
    </>
  );
}

/** A row's number: "11 or more wins" is 11+, "2 or less" is ≤2. */
function stepText(row: string): string {
  const number = /\d+/.exec(row)?.[0];
  if (number === undefined) return row;
  if (/more/.test(row)) return `${number}+`;
  return /less/.test(row) ? `≤${number}` : number;
}

/** A step's count, with its odds below. */
function StepPay({ count, pays, width }: { count: string; pays: string; width: number }) {
  const { lines, size } = paysForm(pays, width);
  const two = lines.length > 1;
  return (
    <>
      <text class="step-count" x={width / 2} y={two ? 15 : 20} font-size={count.length > 3 ? 12 : 17}>
        {count}
      </text>
      <text class="step-pay" y={two ? 32 : 40} font-size={size}>
        {lines.map((line, index) => (
          <tspan key={line} x={width / 2} dy={index === 0 ? 0 : 11}>
            {line}
          </tspan>
        ))}
      </text>
    </>
  );
}
