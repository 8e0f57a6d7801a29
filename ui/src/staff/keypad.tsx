/** Typing dice: shown as drawings, with keys for devices without a keyboard. */

import { DieMark } from "../components/dice";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";

const FACES = [1, 2, 3, 4, 5, 6];

interface DiceKeysProps {
  faces: readonly number[];
  count: number;
  onFaces: (faces: readonly number[]) => void;
}

export function DiceKeys({ faces, count, onFaces }: DiceKeysProps) {
  const t = consoleWords().dealer;
  const whole = faces.length === count;
  return (
    <div class="entry">
      <Typed faces={faces} count={count} />
      <div class="entry-keys">
        {FACES.map(face => (
          <button
            key={face}
            type="button"
            aria-label={t.face(face)}
            disabled={whole}
            onClick={() => onFaces([...faces, face])}
          >
            <svg viewBox="0 0 100 100" width="36" height="36" aria-hidden="true">
              <DieMark face={face} x={0} y={0} size={100} />
            </svg>
          </button>
        ))}
        <button
          type="button"
          class="entry-back"
          disabled={faces.length === 0}
          onClick={() => onFaces(faces.slice(0, -1))}
        >
          {t.back}
        </button>
      </div>
    </div>
  );
}

/** The typed dice, with places for the missing ones. */
function Typed({ faces, count }: { faces: readonly number[]; count: number }) {
  const t = words().table;
  const label = faces.length === 0 ? t.noDice : t.dice(faces.join(", "));
  return (
    <span class="dice typed" role="img" aria-label={label}>
      {Array.from({ length: count }, (_, place) => place).map(place => (
        <svg
          key={place}
          class={`die${faces[place] === undefined ? " die-blank" : ""}`}
          viewBox="0 0 100 100"
          aria-hidden="true"
        >
          <DieMark face={faces[place] ?? 0} x={0} y={0} size={100} />
        </svg>
      ))}
    </span>
  );
}
