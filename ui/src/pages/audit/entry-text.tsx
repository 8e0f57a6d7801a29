/** The text of an entry in the language of the page: a sentence, and details below it. */

import type { JournalEntry } from "../../api/types";

export function EntryText({ entry }: { entry: JournalEntry }) {
  const [first, ...more] = entry.says;
  if (first === undefined) return null;
  return (
    <div class="audit-says">
      <p>{first.text}</p>
      {more.length > 0 && (
        <ul>
          {more.map((line, index) => (
            <li key={index}>{line.text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
