/** A count: a track of steps with what each of them pays, and the lammer on the step reached. */

import { oddsFigure, oddsWords, payTable } from "../money/odds";
import { named } from "../words";
import { trackLines } from "./arrange";
import { ChanceBar } from "./chance-bar";
import type { Placed, Showing } from "./model";

export function Counting({ placed, showing }: { placed: Placed; showing: Showing }) {
  const { wager, box } = placed;
  const found = showing.lammers[wager.wager];
  const table = payTable(wager, showing.paytables[wager.wager]);
  const lines = trackLines(wager, box.width);
  const inLine = Math.ceil(wager.rows.length / lines);
  const step = (box.width - 16) / inLine;
  const reached = found?.row === undefined ? -1 : wager.rows.indexOf(found.row);
  const counting = (found?.count ?? 0) > 0;
  return (
    <>
      <text class="area-name area-name-left" x={12} y={22} font-size="15">
        {named(wager.name)}
      </text>
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
            <text class="step-count" x={(step - 3) / 2} y={20} font-size={stepText(row).length > 3 ? 12 : 17}>
              {stepText(row)}
            </text>
            <text class="step-pay" x={(step - 3) / 2} y={40} font-size={step < 62 ? 9.5 : 11.5}>
              {gain < 0 ? "–" : shortOdds(oddsWords(table?.pays[row] ?? ""), step)}
            </text>
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

function shortOdds(pays: string, step: number): string {
  return step >= 54 ? pays : pays.endsWith(" to 1") ? pays.replace(" to 1", ":1") : oddsFigure(pays);
}
