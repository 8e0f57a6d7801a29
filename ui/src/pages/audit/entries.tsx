/** The entries of a round as a list to step through; for a long one, those around the current entry. */

import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../components/button";
import { auditWords } from "../../i18n/words/audit";
import { count, kindName } from "./formatting";
import type { Playback } from "./playback";

/** The number of entries listed at a time; a round may have many thousands. */
const LISTED = 200;

export function Entries(props: { playback: Playback; at: number; table: string; onStep: (at: number) => void }) {
  const t = auditWords().replay;
  const { playback } = props;
  const page = Math.floor(Math.max(0, props.at - 1) / LISTED);
  const [first, last] = [page * LISTED + 1, Math.min(playback.last, (page + 1) * LISTED)];
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Only the list scrolls: scrollIntoView would scroll the page, too.
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (!list.current || !current) return;
    const [top, height] = [current.offsetTop - list.current.offsetTop, list.current.clientHeight];
    const from = list.current.scrollTop;
    if (top < from || top + current.offsetHeight > from + height) list.current.scrollTop = top - height / 3;
  }, [props.at, playback]);
  return (
    <section class="panel">
      <h2>{t.entries}</h2>
      <ol class="replay-entries" ref={list}>
        {places.map(place => {
          const entry = playback.entry(place);
          if (entry === null) return null;
          return (
            <li key={entry.sequence}>
              <button
                type="button"
                aria-current={place === props.at ? "step" : undefined}
                class={place > props.at ? "replay-ahead" : undefined}
                onClick={() => props.onStep(place)}
              >
                <span class="audit-number">{entry.sequence}</span>
                <span>{entry.says[0]?.text ?? kindName(entry.kind, props.table)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {playback.last > LISTED && (
        <div class="buttons">
          <Button tone="quiet" disabled={page === 0} onClick={() => props.onStep(first - 1)}>
            {t.earlierEntries}
          </Button>
          <span class="soft">{t.listed(count(first), count(last), count(playback.last))}</span>
          <Button tone="quiet" disabled={last === playback.last} onClick={() => props.onStep(last + 1)}>
            {t.laterEntries}
          </Button>
        </div>
      )}
      <p class="soft hint">{t.keys}</p>
    </section>
  );
}
