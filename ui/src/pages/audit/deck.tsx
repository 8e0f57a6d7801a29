/** The controls of a playback: play, step, scrub, and how fast. */

import { useEffect } from "preact/hooks";
import { words } from "../../words";

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
  const say = words().audit.replay;
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
        <Key label={say.first} sign="⏮" onClick={() => step(0)} disabled={at === 0} />
        <Key label={say.back} sign="◀" onClick={() => step(at - 1)} disabled={at === 0} />
        <button type="button" class="button button-main deck-play" onClick={play}>
          <span aria-hidden="true">{playing ? "❚❚" : "▶"}</span> {playing ? say.pause : say.play}
        </button>
        <Key label={say.forth} sign="▶" onClick={() => step(at + 1)} disabled={at === last} />
        <Key label={say.last} sign="⏭" onClick={() => step(last)} disabled={at === last} />
      </div>
      <input
        class="deck-scrub"
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={say.scrub}
        aria-valuetext={say.step(at, last)}
        onInput={event => step(Number(event.currentTarget.value))}
      />
      <span class="deck-at" aria-live="off">
        {say.step(at, last)}
      </span>
      <div class="switch" role="group" aria-label={say.speed}>
        {SPEEDS.map(one => (
          <button key={one} type="button" aria-pressed={one === speed} onClick={() => onSpeed(one)}>
            {one}×
          </button>
        ))}
      </div>
    </div>
  );
}

function Key(props: { label: string; sign: string; onClick: () => void; disabled: boolean }) {
  return (
    <button
      type="button"
      class="button deck-key"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
      disabled={props.disabled}
    >
      <span aria-hidden="true">{props.sign}</span>
    </button>
  );
}

/** Keys of the whole page, but not of who is at a control or an area that has its own use for them. */
function useKeys(acts: Record<string, () => void>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element | null;
      if (
        target?.closest("input, select, textarea, button, a, summary, dialog, [data-wager], [role=tab], [tabindex='0']")
      )
        return;
      const act = acts[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
