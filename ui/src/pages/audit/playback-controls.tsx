/** The controls of a replay: play, step, scrub, and speed. */

import { useEffect, useRef } from "preact/hooks";
import { auditWords } from "../../i18n/words/audit";

/** Elements that handle keys themselves. */
const OWN_KEYS = "input, select, textarea, button, a, summary, dialog, [data-wager], [role=tab], [tabindex='0']";
const SPEEDS = [0.5, 1, 2, 4] as const;

interface DeckProps {
  at: number;
  last: number;
  playing: boolean;
  speed: number;
  onStep: (at: number) => void;
  onPlay: (playing: boolean) => void;
  onSpeed: (speed: number) => void;
}

export function Deck({ at, last, playing, speed, onStep, onPlay, onSpeed }: DeckProps) {
  const t = auditWords().replay;
  const step = (to: number): void => {
    onPlay(false);
    onStep(Math.max(0, Math.min(last, to)));
  };
  const play = (): void => {
    if (!playing && at >= last) onStep(0);
    onPlay(!playing);
  };
  useKeys({
    " ": play,
    ArrowLeft: () => step(at - 1),
    ArrowRight: () => step(at + 1),
    Home: () => step(0),
    End: () => step(last),
  });
  return (
    <div class="deck">
      <div class="deck-keys">
        <Key label={t.first} drawing="M5 4v16M20 4 8 12l12 8z" onClick={() => step(0)} disabled={at === 0} />
        <Key label={t.back} drawing="M18 4 6 12l12 8z" onClick={() => step(at - 1)} disabled={at === 0} />
        <button type="button" class="button button-main deck-play" onClick={play}>
          <Sign drawing={playing ? "M8 5v14M16 5v14" : "M6 4l12 8-12 8z"} /> {playing ? t.pause : t.play}
        </button>
        <Key label={t.forth} drawing="M6 4l12 8-12 8z" onClick={() => step(at + 1)} disabled={at === last} />
        <Key label={t.last} drawing="M19 4v16M4 4l12 8-12 8z" onClick={() => step(last)} disabled={at === last} />
      </div>
      <input
        class="deck-scrub"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={t.scrub}
        aria-valuetext={t.step(at, last)}
        onInput={event => step(Number(event.currentTarget.value))}
      />
      <span class="deck-at" aria-live="off">
        {t.step(at, last)}
      </span>
      <div class="switch" role="group" aria-label={t.speed}>
        {SPEEDS.map(one => (
          <button key={one} type="button" aria-pressed={one === speed} onClick={() => onSpeed(one)}>
            {one}×
          </button>
        ))}
      </div>
    </div>
  );
}

function Sign({ drawing }: { drawing: string }) {
  return (
    <svg class="deck-sign" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={drawing} />
    </svg>
  );
}

function Key(props: { label: string; drawing: string; onClick: () => void; disabled: boolean }) {
  return (
    <button
      type="button"
      class="button deck-key"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
      disabled={props.disabled}
    >
      <Sign drawing={props.drawing} />
    </button>
  );
}

/** Keys of the whole page, except while the focus is on an element that handles them. */
function useKeys(acts: Record<string, () => void>): void {
  // Keys may arrive faster than effects run: the actions are always those of the last render.
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element | null)?.closest(OWN_KEYS)) return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
