/** The small round markers of a craps layout. */

interface LammerProps {
  label: string | number;
  x: number;
  y: number;
  radius: number;
  /** on: it is there; off: its place is empty; danger: the number that ends everything. */
  state: "on" | "off" | "danger";
}

/** A lammer, or its empty place, inside another drawing. */
export function LammerMark({ label, x, y, radius, state }: LammerProps) {
  return (
    <g class={`lammer lammer-${state}`}>
      <circle cx={x} cy={y} r={radius} />
      {state === "on" && <circle class="lammer-rim" cx={x} cy={y} r={radius * 0.78} />}
      <text x={x} y={y} font-size={radius * (String(label).length > 2 ? 0.72 : 0.95)}>
        {label}
      </text>
    </g>
  );
}
