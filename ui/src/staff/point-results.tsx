/** The results of a checklist: one for each point, with its clause, and the recorded approval. */

import { Exact } from "../components/book-sentence";
import { Clauses } from "../components/clauses";
import { floorWords } from "../i18n/words/floor";
import type { Equipment } from "../live/view";

export function PointResults({ thing }: { thing: Equipment["to_check"][number] }) {
  const t = floorWords();
  if (thing.result === "not checked") return null;
  return (
    <ul class="soft">
      {thing.points.map(point => (
        <li key={point.says.en} class={point.result === "failed" ? "bad" : undefined}>
          <Exact text={point.says} /> <Clauses clauses={point.clause} />: {t.results[point.result]}
        </li>
      ))}
      {(thing.approval !== "" || thing.approved_on !== "") && (
        <li>{t.approvalSaid(thing.approval, thing.approved_on).trim()}</li>
      )}
    </ul>
  );
}
