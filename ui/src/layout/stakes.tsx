/** The chips on an area: one's own, the total of all others, and what was just paid. */

import type { WagerEntry } from "../api/types";
import { ChipMark, chipText } from "../components/chip";
import { LammerMark } from "../components/lammer";
import { words } from "../i18n";
import { type Box, flatOn, type PricedArea, type Showing } from "./model";
import { paysForm, textWidth } from "./pays";

/** The space for the chance at the end of a track's head. */
const CHANCE = 122;
/** The width of the text in the middle at the foot of a named area. */
const NAME_ROOM = 52;
const EDGE = 3;
/** The height of the others' total. */
const OTHERS = 15;
/** On a narrower area with its name at the top, the others' total moves into the corner. */
const NARROW = 120;
const NAMED_ABOVE = new Set(["collect", "repeat"]);
/** From here up is the name of the area. */
const ABOVE = 0.55;

/** Chips are as large as the area allows, without covering a name in its middle. */
function chipRadius(box: Box, wager: WagerEntry): number {
  const { dice, total } = wager.picture;
  const named = dice.length === 0 && total === null && wager.decided !== "count";
  const beside = named ? (box.width - NAME_ROOM) / 4 : box.width * 0.24;
  const share = wager.decided === "phases" ? 0.34 : 0.25;
  return Math.max(11, Math.min(19, beside, box.height * share));
}

interface ChipPlace {
  x: number;
  y: number;
  radius: number;
  /** Whether it is beside the odds of the area, and not above them. */
  beside: boolean;
}

/** One's own chips are in the corner at the foot, above the odds unless these leave room; on a track beside its name. */
function chipPlace({ wager, box, pays }: PricedArea): ChipPlace {
  const radius = chipRadius(box, wager);
  if (wager.decided === "count") return { x: box.width - CHANCE - radius, y: radius + 4, radius, beside: false };
  const x = box.width - radius - EDGE;
  const { lines, size, height } = paysForm(pays, box.width);
  const long = Math.max(0, ...lines.map(line => textWidth(line, size)));
  const high = box.height - height - 2 * radius > box.height * ABOVE;
  const beside = !high && long + 2 * EDGE <= x - radius;
  const y = beside ? box.height - radius - EDGE : Math.max(radius + 1, box.height - radius - height);
  return { x, y, radius, beside };
}

/** How much of the foot of an area is free of chips, from the left. */
export function footRoom(area: PricedArea, showing: Showing): number {
  const { x, radius, beside } = chipPlace(area);
  return beside && (showing.own[area.wager.wager] ?? 0) > 0 ? x - radius - 1 : area.box.width;
}

export function Stakes({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager, box } = area;
  const { money } = showing;
  const own = showing.own[wager.wager] ?? 0;
  const pending = Math.min(own, Math.max(0, showing.pending?.[wager.wager] ?? 0));
  const confirmed = own - pending;
  const refused = showing.refused?.wager === wager.wager ? showing.refused.amount : 0;
  const flat = flatOn(wager, showing);
  const others = (showing.others[wager.wager] ?? 0) + flat.others;
  const working = showing.working?.[wager.wager];
  const paid = showing.paid[wager.wager] ?? 0;
  const swept = showing.swept.has(wager.wager) ? " own-chip-swept" : "";
  const ruled = showing.ruled?.has(wager.wager) ?? false;
  const { beside: _beside, ...place } = chipPlace(area);
  const { radius } = place;
  const text = chipText(others, money);
  const wide = Math.max(18, text.length * 6.4 + 6);
  const inset = box.width < NARROW && NAMED_ABOVE.has(wager.decided) ? 1 : 5;
  // If one's own chip reaches up to it, the others' total is beside it; on a narrow area in the other corner.
  const covered = own + flat.own + refused > 0 && place.y - radius < inset + OTHERS;
  const right = covered ? place.x - radius - EDGE : box.width - inset;
  const left = covered && box.width < NARROW ? 1 : right - wide;
  return (
    <>
      {others > 0 && (
        <g
          class={ruled && own === 0 ? "others others-ruled" : "others"}
          transform={`translate(${left} ${covered && box.width < NARROW ? 1 : inset})`}
        >
          <rect width={wide} height={OTHERS} rx={OTHERS / 2} />
          <text x={wide / 2} y="8">
            {text}
          </text>
        </g>
      )}
      {ruled && own > 0 && <circle class="ruled-ring" cx={place.x} cy={place.y} r={radius + 2.5} />}
      {flat.own > 0 && (
        <ChipMark class="flat-chip" amount={flat.own} money={money} {...place} x={own > 0 ? radius + EDGE : place.x} />
      )}
      {confirmed > 0 && <ChipMark class={`own-chip${swept}`} amount={confirmed} money={money} {...place} />}
      {pending > 0 && (
        <ChipMark
          class={showing.doubtful ? "pending-chip doubtful-chip" : "pending-chip"}
          amount={pending}
          money={money}
          {...place}
          x={confirmed > 0 ? place.x - radius * 0.9 : place.x}
        />
      )}
      {refused > 0 && <ChipMark class="pending-chip refused-chip" amount={refused} money={money} {...place} />}
      {working !== undefined && own + flat.own > 0 && (
        <LammerMark
          label={working === "on" ? words().area.on : words().area.off}
          x={place.x - radius * 0.9}
          y={place.y - radius * 0.8}
          radius={9}
          state={working === "on" ? "on" : "off"}
        />
      )}
      {paid > 0 && (
        <ChipMark class="paid-chip" amount={paid} money={money} x={radius + 4} y={radius + 4} radius={radius} />
      )}
    </>
  );
}
