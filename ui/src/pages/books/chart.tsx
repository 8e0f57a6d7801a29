/** The chart, loaded on demand: readers of figures don't wait for it. */

import { useEffect, useState } from "preact/hooks";
import { Waiting } from "../../components/problem-note";
import type { EdgeChart, EdgeChartProps } from "./edge-chart";

export function LazyChart(props: EdgeChartProps) {
  const [chart, setChart] = useState<{ Chart: typeof EdgeChart } | null>(null);
  useEffect(() => {
    let wanted = true;
    import("./edge-chart").then(
      ({ EdgeChart: Chart }) => {
        if (wanted) setChart({ Chart });
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, []);
  return chart === null ? <Waiting /> : <chart.Chart {...props} />;
}
