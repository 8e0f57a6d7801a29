/** A number that must repeat: one column each, with as many places as repeats are needed. */

import { ChanceBar } from "./chance-bar";
import { Label } from "./label";
import type { PricedArea, Showing } from "./model";
import { Pays, paysForm } from "./pays";

export function Repeating({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const found = showing.lammers[wager.wager];
  const times = wager.picture.times ?? 1;
  const count = found?.paid ? times : (found?.count ?? 0);
  const label = wager.picture.numbers.join(" ");
  const floor = box.height - 31 - paysForm(area.pays, box.width).height;
  return (
    <>
      <Label area={area} showing={showing} floor={32}>
        <text class="area-figure" x={box.width / 2} y={18} font-size={label.length > 3 ? 13 : 22}>
          {label}
        </text>
      </Label>
      {Array.from({ length: times }, (_, index) => (
        <circle
          key={index}
          class={index < count ? "place place-taken" : "place"}
          cx={box.width / 2}
          cy={floor - 8 - index * 19}
          r="7"
        />
      ))}
      <ChanceBar
        exact={found?.paid ? undefined : showing.chances[wager.wager]}
        x={6}
        y={floor + 5}
        width={box.width - 12}
      />
      <Pays area={area} showing={showing} />
    </>
  );
}
