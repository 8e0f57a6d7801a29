/** Values are entered into a device, and the areas that it lights are compared with those that must light up. */

import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { gap, words } from "../i18n";
import { floorWords } from "../i18n/words/floor";
import type { AtTable } from "./at-table";
import { DiceKeys } from "./keypad";
import { useDiceKeys } from "./keys";
import { LitLayout, useLighting } from "./lighting";

interface LightsFormProps {
  desk: Pick<AtTable, "book" | "rules"> & { busy: boolean };
  onFound: (found: { entered: number[]; lit: string[] }) => void;
  onCancel: () => void;
}

/** The server decides what the device must light; press an area that differs. */
export function LightsForm({ desk, onFound, onCancel }: LightsFormProps) {
  const t = floorWords();
  const count = desk.book.identity.dice;
  const [faces, setFaces] = useState<readonly number[]>([]);
  const lighting = useLighting(desk, faces);
  useDiceKeys(faces, count, setFaces);
  const { must, seen, differing } = lighting;
  return (
    <>
      <p>
        <strong>{t.enter}</strong> <span class="soft">{t.enterAny}</span>
      </p>
      <DiceKeys faces={faces} count={count} onFaces={setFaces} />
      {must !== null && (
        <>
          <p>
            {t.mustLight}
            {gap()}
            <strong>{t.mustLightCount(must.length)}</strong>
          </p>
          <LitLayout desk={desk} lighting={lighting} />
        </>
      )}
      {differing.length > 0 && (
        <p class="unmet" role="status">
          {t.differs(differing.length)}
        </p>
      )}
      <div class="buttons">
        <Button
          tone={differing.length > 0 ? "danger" : "main"}
          busy={desk.busy}
          disabled={must === null}
          onClick={() => onFound({ entered: [...faces], lit: [...seen] })}
        >
          {differing.length > 0 ? t.asMarked : t.asMust}
        </Button>
        <Button onClick={onCancel}>{words().dialog.cancel}</Button>
      </div>
    </>
  );
}
