/** Announcements: for screen readers, and large on the table. */

import { signal } from "@preact/signals";

const announcement = signal<{ words: string; urgent: boolean; count: number }>({ words: "", urgent: false, count: 0 });

/** Announces a text to screen readers; an urgent one interrupts what is being read. */
export function announce(words: string, options: { urgent?: boolean } = {}): void {
  announcement.value = { words, urgent: options.urgent ?? false, count: announcement.value.count + 1 };
}

/** The live region for screen readers; the shell has one. */
export function Announcer() {
  const { words, urgent, count } = announcement.value;
  // A repeated text is announced again because it gets a new element.
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
  /** A second line in small type. */
  why?: string;
  /** The announcement in the book's English, if the text is in another language. */
  original?: string;
}

/** The announcement of the table, in large type; `tone` sets its colour. */
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
