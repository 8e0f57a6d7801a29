/** What an entry says: a sentence, and what belongs below it. The record is kept in English. */

import type { JournalEntry } from "../../api/types";
import { words } from "../../words";

export function Says({ entry }: { entry: JournalEntry }) {
  const [first, ...more] = entry.says;
  const unsaid = words().audit.replay.unsaid[entry.kind];
  if (first === undefined) return unsaid === undefined ? null : <p class="soft">{unsaid}</p>;
  return (
    <div lang="en" class="audit-says">
      <p>{first}</p>
      {more.length > 0 && (
        <ul>
          {more.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
