/** Bars beside their names and values, one or two for each name; also as files. */

import { Downloads, PLOT } from "../../components/downloads";

export interface NamedBars {
  key: string;
  name: string;
  bars: readonly { value: number; text: string; exact: string }[];
}

interface BarListProps {
  title: string;
  file: string;
  rows: readonly NamedBars[];
  /** All bars, if only some are shown. */
  all?: readonly NamedBars[];
  /** The columns of a table of the bars: their names, then the meaning of each bar. */
  columns: readonly string[];
}

export function BarList({ title, file, rows, all = rows, columns }: BarListProps) {
  const most = Math.max(...all.flatMap(row => row.bars.map(bar => Math.abs(bar.value))), 1e-9);
  const content = async () => ({
    sheets: [{ name: title, columns, rows: all.map(row => [row.name, ...row.bars.map(bar => bar.value)]) }],
    drawing: (await import("../../components/files")).barsDrawing(all, title),
  });
  return (
    <>
      <Downloads file={file} about={title} forms={PLOT} content={content} />
      <svg class="defs" width="0" height="0" aria-hidden="true">
        <defs>
          <pattern id="hatch" width="2" height="10" patternUnits="userSpaceOnUse">
            <rect class="hatch" width="1" height="10" />
          </pattern>
        </defs>
      </svg>
      <ul>
        {rows.map(row => (
          <li key={row.key} title={row.bars.map(bar => bar.exact).join("; ")}>
            <span class="bar-name">{row.name}</span>
            <span class="bars">
              {row.bars.map((bar, place) => (
                <svg key={place} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="bar-track" width="100" height="10" />
                  <rect
                    class={bar.value < 0 ? "bar bar-player" : place > 0 ? "bar bar-second" : "bar"}
                    width={(Math.abs(bar.value) / most) * 100}
                    height="10"
                  />
                </svg>
              ))}
            </span>
            <span class="bar-value">
              {row.bars.map((bar, place) => (
                <span key={place}>{bar.text}</span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
