/** The chips on an area: one's own, the total of all others, and what was just paid. */

import type { WagerEntry } from "../api/types";
import { ChipMark, chipText } from "../components/chip";
import { LammerMark } from "../components/lammer";
import { words } from "../i18n";
import { type Box, flatOn, type PricedArea, type Showing } from "./model";
import { paysForm } from "./pays";

/** The space for the chance at the end of a track's head. */
const CHANCE = 122;
/** The width of the text in the middle at the foot of a named area. */
const NAME_ROOM = 52;
const EDGE = 3;
/** The height of the others' total. */
const OTHERS = 15;
/** On a narrower area chips are stacked, and the others' total is in the corner. */
const NARROW = 120;
/** An area that is hardly wider than a fingertip has smaller chips. */
const NARROWEST = 48;
/** From here up is the name of the area. */
const ABOVE = 0.55;
/** On an area that is wider than this multiple of its height, odds are not broken to make room for a chip. */
const WIDE = 1.5;
/** Smaller odds are not legible beside a chip. */
const LEGIBLE = 8;

/** Chips are as large as the area allows, without covering a name in its middle. */
function chipRadius(box: Box, wager: WagerEntry): number {
  const { dice, total } = wager.picture;
  const named = dice.length === 0 && total === null && wager.decided !== "count";
  const beside = named ? (box.width - NAME_ROOM) / 4 : box.width * 0.24;
  const share = wager.decided === "phases" ? 0.34 : 0.25;
  return Math.max(box.width < NARROWEST ? 10 : 11, Math.min(19, beside, box.height * share));
}

interface Disc {
  x: number;
  y: number;
  radius: number;
}

interface ChipPlace extends Disc {
  /** The width for the odds if the chip is beside them, and not above them. */
  foot: number | null;
}

/** One's own chips are in the corner at the foot: beside the odds, in two lines if necessary, or above them; on a track
 * beside its name. */
function chipPlace({ wager, box, pays }: PricedArea): ChipPlace {
  const radius = chipRadius(box, wager);
  if (wager.decided === "count") return { x: box.width - CHANCE - radius, y: radius + 4, radius, foot: null };
  const x = box.width - radius - (box.width < NARROWEST ? EDGE - 1 : EDGE);
  const { height } = paysForm(pays, box.width);
  const high = box.height - height - 2 * radius > box.height * ABOVE;
  const foot = x - radius + 1;
  const narrowed = paysForm(pays, foot);
  const beside = !high && narrowed.size >= LEGIBLE && (narrowed.height <= height || box.width < box.height * WIDE);
  const y = beside || !pays ? box.height - radius - EDGE : Math.max(radius + 1, box.height - radius - height);
  return { x, y, radius, foot: beside ? foot : null };
}

/** How much of the foot of an area is free of chips, from the left. */
export function footRoom(area: PricedArea, showing: Showing): number {
  const { foot } = chipPlace(area);
  return foot !== null && hasChip(area.wager, showing) ? foot : area.box.width;
}

function hasChip(wager: WagerEntry, showing: Showing): boolean {
  return (showing.own[wager.wager] ?? 0) + flatOn(wager, showing).own + refusedOn(wager, showing) > 0;
}

function refusedOn(wager: WagerEntry, showing: Showing): number {
  return showing.refused?.wager === wager.wager ? showing.refused.amount : 0;
}

/** The positions of an area's chips; chips that are absent are left out. */
interface StakePlaces {
  chip: Disc;
  /** A chip on its way, beside the one that is there, or on it. */
  second: Disc;
  flat?: Disc;
  paid?: Disc;
  lammer?: Disc;
  others?: Box;
}

function stakePlaces(area: PricedArea, showing: Showing): StakePlaces {
  const { wager, box } = area;
  const { foot: _foot, ...chip } = chipPlace(area);
  const { x, y, radius } = chip;
  const own = showing.own[wager.wager] ?? 0;
  const flat = flatOn(wager, showing);
  const narrow = box.width < NARROW;
  const above = { ...chip, y: Math.max(radius + 1, y - 2 * radius) };
  const places: StakePlaces = { chip, second: narrow ? above : { ...chip, x: x - radius * 0.9 } };
  if (flat.own > 0) places.flat = own === 0 ? chip : narrow ? above : { ...chip, x: radius + EDGE };
  if ((showing.paid[wager.wager] ?? 0) > 0) {
    const left = wager.decided === "count" ? x - 2 * radius - EDGE : radius + 4;
    places.paid = narrow ? above : { x: left, y: radius + 4, radius };
  }
  if (showing.working?.[wager.wager] !== undefined && own + flat.own > 0) {
    places.lammer = { x: x - radius * 0.9, y: y - radius * 0.8, radius: Math.min(9, radius * 0.7) };
  }
  const others = (showing.others[wager.wager] ?? 0) + flat.others;
  if (others > 0) {
    const width = Math.max(18, chipText(others, showing.money).length * 6.4 + 6);
    const inset = narrow ? 1 : 5;
    // If one's own chip reaches up to it, the others' total is beside it; on a narrow area in the other corner.
    const covered = hasChip(wager, showing) && y - radius < inset + OTHERS;
    const right = covered ? x - radius - EDGE : box.width - inset;
    places.others = { x: covered && narrow ? 1 : right - width, y: inset, width, height: OTHERS };
  }
  return places;
}

/** The parts of an area that chips cover. */
export function takenBy(area: PricedArea, showing: Showing): Box[] {
  const { chip, second, flat, paid, lammer, others } = stakePlaces(area, showing);
  const { wager } = area;
  const [own, pending] = [showing.own[wager.wager] ?? 0, showing.pending?.[wager.wager] ?? 0];
  const there = own + refusedOn(wager, showing) > 0 ? [chip] : [];
  const discs = [...there, ...(pending > 0 && own > pending ? [second] : []), flat, paid, lammer];
  const boxes = discs.flatMap(one =>
    one ? [{ x: one.x - one.radius, y: one.y - one.radius, width: 2 * one.radius, height: 2 * one.radius }] : [],
  );
  return others ? [...boxes, others] : boxes;
}

export function Stakes({ area, showing }: { area: PricedArea; showing: Showing }) {
  const { wager } = area;
  const { money } = showing;
  const own = showing.own[wager.wager] ?? 0;
  const pending = Math.min(own, Math.max(0, showing.pending?.[wager.wager] ?? 0));
  const confirmed = own - pending;
  const refused = refusedOn(wager, showing);
  const flat = flatOn(wager, showing);
  const working = showing.working?.[wager.wager];
  const swept = showing.swept.has(wager.wager) ? " own-chip-swept" : "";
  const ruled = showing.ruled?.has(wager.wager) ?? false;
  const places = stakePlaces(area, showing);
  const { chip, others } = places;
  return (
    <>
      {others && (
        <g
          class={ruled && own === 0 ? "others others-ruled" : "others"}
          transform={`translate(${others.x} ${others.y})`}
        >
          <rect width={others.width} height={OTHERS} rx={OTHERS / 2} />
          <text x={others.width / 2} y="8">
            {chipText((showing.others[wager.wager] ?? 0) + flat.others, money)}
          </text>
        </g>
      )}
      {ruled && own > 0 && <circle class="ruled-ring" cx={chip.x} cy={chip.y} r={chip.radius + 2.5} />}
      {places.flat && <ChipMark class="flat-chip" amount={flat.own} money={money} {...places.flat} />}
      {confirmed > 0 && <ChipMark class={`own-chip${swept}`} amount={confirmed} money={money} {...chip} />}
      {pending > 0 && (
        <ChipMark
          class={showing.doubtful ? "pending-chip doubtful-chip" : "pending-chip"}
          amount={pending}
          money={money}
          {...(confirmed > 0 ? places.second : chip)}
        />
      )}
      {refused > 0 && <ChipMark class="pending-chip refused-chip" amount={refused} money={money} {...chip} />}
      {places.lammer && (
        <LammerMark
          label={working === "on" ? words().area.on : words().area.off}
          {...places.lammer}
          state={working === "on" ? "on" : "off"}
        />
      )}
      {places.paid && (
        <ChipMark class="paid-chip" amount={showing.paid[wager.wager] ?? 0} money={money} {...places.paid} />
      )}
    </>
  );
}
