/** What is said aloud: for screen readers, and large on the table. */

import { signal } from "@preact/signals";

const said = signal<{ words: string; urgent: boolean; count: number }>({ words: "", urgent: false, count: 0 });

/** Announces something to screen readers; urgent interrupts what is being read. */
export function announce(words: string, options: { urgent?: boolean } = {}): void {
  said.value = { words, urgent: options.urgent ?? false, count: said.value.count + 1 };
}

/** The place that screen readers listen to; the shell has one. */
export function Announcer() {
  const { words, urgent, count } = said.value;
  // The same words twice are announced twice: the element is another one.
  return (
    <div class="unseen">
      <div aria-live="polite" role="status">
        {!urgent && <span key={count}>{words}</span>}
      </div>
      <div aria-live="assertive" role="alert">
        {urgent && <span key={count}>{words}</span>}
      </div>
    </div>
  );
}

interface AnnouncementProps {
  text: string;
  tone?: "open" | "closed" | "quiet";
  /** Beneath it, in small. */
  why?: string;
  /** What was announced in the book's English, where the text is something else. */
  original?: string;
}

/** The announcement of the table, unmistakable; `tone` sets its light. */
export function Announcement({ text, tone = "open", why, original }: AnnouncementProps) {
  return (
    <div key={text} class="announced">
      <p class={`announcement announcement-${tone}`}>{text}</p>
      {original !== undefined && (
        <p class="announcement-original">
          <q lang="en">{original}</q>
        </p>
      )}
      {why !== undefined && <p class="soft announcement-why">{why}</p>}
    </div>
  );
}
