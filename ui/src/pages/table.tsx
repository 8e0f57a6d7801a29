/** A table to play at: the layout, the dice, the player's chips, and past results. */

import { ProblemPage, Waiting } from "../components/problem-note";
import { useBook } from "../live/book";
import { useLiveTable } from "../live/use-table";
import type { PageProps } from "../shell/router";
import { Playing } from "./table/playing";

export default function TablePage({ parameters }: PageProps) {
  const live = useLiveTable(parameters.table ?? "");
  const view = live.view.value;
  const rules = live.rules.value;
  const book = useBook(rules);
  const problem = live.problem.value;
  if (problem !== null && view === null) return <ProblemPage problem={problem} retry={() => live.start()} />;
  if (view === null || rules === null || book === null) return <Waiting />;
  return <Playing live={live} view={view} rules={rules} book={book} />;
}
