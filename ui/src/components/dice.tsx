/** Dice as drawings, never as text. One and four have red pips, as on the dice of Sic Bo. */

import { words } from "../i18n";

/** Returns the total of dice. */
export function totalOf(dice: readonly number[]): number {
  return dice.reduce((sum, face) => sum + face, 0);
}

const LEFT = 27;
const MIDDLE = 50;
const RIGHT = 73;

/** The positions of the pips on a die of 100 × 100. */
export const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[MIDDLE, MIDDLE]],
  2: [
    [LEFT, LEFT],
    [RIGHT, RIGHT],
  ],
  3: [
    [LEFT, LEFT],
    [MIDDLE, MIDDLE],
    [RIGHT, RIGHT],
  ],
  4: [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
  5: [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [MIDDLE, MIDDLE],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
  6: [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [LEFT, MIDDLE],
    [RIGHT, MIDDLE],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
};

/** A die inside another drawing, by position and size. */
export function DieMark(props: { face: number; x: number; y: number; size: number }) {
  const scale = props.size / 100;
  const red = props.face === 1 || props.face === 4;
  return (
    <g class="die-mark" transform={`translate(${props.x} ${props.y}) scale(${scale})`}>
      <rect class="die-body" x="3" y="3" width="94" height="94" rx="20" />
      {(PIPS[props.face] ?? []).map(([x, y]) => (
        <circle key={`${x}-${y}`} class={red ? "pip pip-red" : "pip"} cx={x} cy={y} r={props.face === 1 ? 15 : 9.5} />
      ))}
    </g>
  );
}

interface DiceProps {
  faces: readonly number[];
  /** In CSS pixels. */
  size?: number;
  /** Whether they are animated when they change. */
  tumbling?: boolean;
  /** Covered: present, but not visible. */
  covered?: boolean;
  /** The number of dice, before their faces are known. */
  count?: number;
}

/** The dice of a throw, with their faces as text for screen readers. */
export function Dice({ faces, size = 44, tumbling = false, covered = false, count = 0 }: DiceProps) {
  const t = words().table;
  const unknown = covered || faces.length === 0;
  const label = covered ? t.covered : faces.length === 0 ? t.noDice : t.dice(faces.join(", "));
  const visible = unknown ? Array.from({ length: count || faces.length }, () => 0) : faces;
  return (
    <span class="dice" role="img" aria-label={label}>
      {visible.map((face, index) => (
        <svg
          key={`${index}-${tumbling ? faces.join() : ""}`}
          class={`die${tumbling && !unknown ? ` tumble tumble-${index % 3}` : ""}${unknown ? " die-blank" : ""}`}
          viewBox="0 0 100 100"
          width={size}
          height={size}
          aria-hidden="true"
        >
          <DieMark face={face} x={0} y={0} size={100} />
        </svg>
      ))}
    </span>
  );
}
