/** The clauses on which something rests. */

import { listed, words } from "../i18n";

export function Clauses({ clauses }: { clauses: readonly string[] }) {
  if (clauses.length === 0) return null;
  return <span class="clause">{words().problem.clause(listed(clauses))}</span>;
}
