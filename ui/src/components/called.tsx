/** What was called at the table in this round, in the book's words and with its clause. */

import { useEffect, useState } from "preact/hooks";
import type { BookPage } from "../api/types";
import type { LiveTable } from "../live/table";
import { named, words } from "../words";
import { remedyWords } from "../words/server";

interface Called {
  irregularity: string;
  /** Whether it ended its round, so that it is read in the next. */
  void: boolean;
  round: number;
}

const ENDS = new Set(["void and return"]);

export function CalledNote({ live, book }: { live: LiveTable; book: BookPage }) {
  const say = words();
  const [called, setCalled] = useState<Called | null>(null);
  useEffect(
    () =>
      live.hear(entry => {
        if (entry.kind !== "IrregularityCalled") return;
        const { irregularity, remedy } = entry.event as { irregularity: string; remedy: string };
        setCalled({ irregularity, void: ENDS.has(remedy), round: live.view.value?.round ?? 0 });
      }),
    [live],
  );
  const view = live.view.value;
  const rule = called === null ? undefined : book.irregularities[called.irregularity];
  if (called === null || rule === undefined || view === null) return null;
  if (view.round > called.round + (called.void ? 1 : 0)) return null;
  return (
    <p class="note called" role="status">
      <span>
        <span class="soft">{say.play.called}</span> <strong>{named(rule.name)}</strong> · {remedyWords(rule.remedy)}{" "}
        <span class="clause">{say.problem.clause(rule.clause.join(", "))}</span>
      </span>
    </p>
  );
}
