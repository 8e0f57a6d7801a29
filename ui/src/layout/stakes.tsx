/** The chips on an area: one's own, what others have there together, and what was just paid. */

import type { WagerEntry } from "../api/types";
import { ChipMark, chipText } from "../components/chip";
import type { Box, Placed, Showing } from "./model";

/** So much room has the chance at the end of a track's head. */
const CHANCE = 122;
/** So wide is what stands in the middle at the foot of an area with a name. */
const NAME_ROOM = 52;
const EDGE = 3;
/** On a narrower area with its name at the top, what others have is moved into the very corner. */
const NARROW = 120;
const NAMED_ABOVE = new Set(["collect", "repeat"]);
/** So high is what an area pays, at its foot; above it stands what the area is. */
const PAYS = 19;
const ABOVE = 0.55;

/** Chips are as large as the area allows; where a name stands in its middle, they leave that free. */
function chipRadius(box: Box, wager: WagerEntry): number {
  const { dice, total } = wager.picture;
  const named = dice.length === 0 && total === null && wager.decided !== "count";
  const beside = named ? (box.width - NAME_ROOM) / 4 : box.width * 0.24;
  return Math.max(11, Math.min(19, beside, box.height * 0.25));
}

/** One's own lie in the corner at the foot, on a high area above what it pays; on a track of steps beside its name. */
function chipPlace({ wager, box }: Placed): { x: number; y: number; radius: number } {
  const radius = chipRadius(box, wager);
  if (wager.decided === "count") return { x: box.width - CHANCE - radius, y: radius + 4, radius };
  const x = box.width - radius - EDGE;
  const high = box.height - PAYS - 2 * radius > box.height * ABOVE;
  return { x, y: box.height - radius - (high ? PAYS : EDGE), radius };
}

/** So much of the foot of an area is free of chips, from the left. */
export function footRoom(placed: Placed, showing: Showing): number {
  const { x, y, radius } = chipPlace(placed);
  const { wager, box } = placed;
  const covered = (showing.own[wager.wager] ?? 0) > 0 && y + radius > box.height - PAYS;
  return covered ? x - radius - 1 : box.width;
}

export function Stakes({ placed, showing }: { placed: Placed; showing: Showing }) {
  const { wager, box } = placed;
  const { money } = showing;
  const own = showing.own[wager.wager] ?? 0;
  const others = showing.others[wager.wager] ?? 0;
  const paid = showing.paid[wager.wager] ?? 0;
  const swept = showing.swept.has(wager.wager) ? " own-chip-swept" : "";
  const ruled = showing.ruled?.has(wager.wager) ?? false;
  const place = chipPlace(placed);
  const { radius } = place;
  const text = chipText(others, money);
  const wide = Math.max(18, text.length * 6.4 + 6);
  const inset = box.width < NARROW && NAMED_ABOVE.has(wager.decided) ? 1 : 5;
  return (
    <>
      {others > 0 && (
        <g
          class={ruled && own === 0 ? "others others-ruled" : "others"}
          transform={`translate(${box.width - inset - wide} ${inset})`}
        >
          <rect width={wide} height="15" rx="7.5" />
          <text x={wide / 2} y="8">
            {text}
          </text>
        </g>
      )}
      {ruled && own > 0 && <circle class="ruled-ring" cx={place.x} cy={place.y} r={radius + 2.5} />}
      {own > 0 && <ChipMark class={`own-chip${swept}`} amount={own} money={money} {...place} />}
      {paid > 0 && (
        <ChipMark class="paid-chip" amount={paid} money={money} x={radius + 4} y={radius + 4} radius={radius} />
      )}
    </>
  );
}
