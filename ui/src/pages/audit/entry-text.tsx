/** What an entry says: a sentence, and what belongs below it. In Chinese the record's own words stand beneath. */

import type { BookPage, JournalEntry } from "../../api/types";
import { entryInChinese } from "../../i18n/entries";
import { auditWords } from "../../i18n/words/audit";

interface SaysProps {
  entry: JournalEntry;
  /** For the names of areas, steps and equipment; null where there is none, or not yet. */
  book: BookPage | null;
  money: string;
}

export function Says({ entry, book, money }: SaysProps) {
  const chinese = entryInChinese(entry, book, money);
  if (chinese !== null) {
    return (
      <div class="audit-says">
        <Lines lines={chinese} />
        {entry.says.length > 0 && (
          <div lang="en" class="exact">
            <Lines lines={entry.says} />
          </div>
        )}
      </div>
    );
  }
  const unsaid = auditWords().replay.unsaid[entry.kind];
  if (entry.says.length === 0) return unsaid === undefined ? null : <p class="soft">{unsaid}</p>;
  return (
    <div lang="en" class="audit-says">
      <Lines lines={entry.says} />
    </div>
  );
}

function Lines({ lines: [first, ...more] }: { lines: readonly string[] }) {
  return (
    <>
      <p>{first}</p>
      {more.length > 0 && (
        <ul>
          {more.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}
