/** The exact chance that a running bet still wins: a percentage and a small bar, with the fraction on hover. */

import { locale } from "../i18n";
import { percent, share } from "./model";

interface ChanceBarProps {
  exact: string | undefined;
  x: number;
  y: number;
  width: number;
}

export function ChanceBar({ exact, x, y, width }: ChanceBarProps) {
  if (exact === undefined) return null;
  return (
    <g class="chance" transform={`translate(${x} ${y})`}>
      <title>{exact}</title>
      <rect class="chance-track" width={width} height="4" rx="2" />
      <rect class="chance-left" width={Math.max(2, width * share(exact))} height="4" rx="2" />
      <text x={width / 2} y="15">
        {percent(exact, locale.value)}
      </text>
    </g>
  );
}
