/** What a device must light for values entered, held against what it does light. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../api/client";
import { asProblem } from "../api/problems";
import { toastProblem } from "../components/toasts";
import { Layout } from "../layout/layout";
import type { AtTable } from "./at-table";

export interface Lighting {
  /** The areas that must light up; null until the values are whole and the server has said. */
  must: readonly string[] | null;
  /** Those that did, as far as was marked. */
  seen: ReadonlySet<string>;
  /** Those that differ. */
  differing: readonly string[];
  /** An area lights that must not, or does not that must; once more, and it is as it must be. */
  toggle: (wager: string) => void;
}

export function useLighting(desk: Pick<AtTable, "book" | "rules">, faces: readonly number[]): Lighting {
  const [must, setMust] = useState<readonly string[] | null>(null);
  const [differing, setDiffering] = useState<readonly string[]>([]);
  useEffect(() => {
    setMust(null);
    setDiffering([]);
    if (faces.length < desk.book.identity.dice) return;
    let wanted = true;
    mustLight(desk.rules, faces).then(
      found => wanted && setMust(found),
      thrown => toastProblem(asProblem(thrown)),
    );
    return () => {
      wanted = false;
    };
  }, [faces.join()]);
  const seen = new Set(must ?? []);
  for (const wager of differing) if (!seen.delete(wager)) seen.add(wager);
  const toggle = (wager: string): void =>
    setDiffering(before => (before.includes(wager) ? before.filter(one => one !== wager) : [...before, wager]));
  return { must, seen, differing, toggle };
}

/** The layout as the device lights it; an area that differs is pressed. */
export function LitLayout({ desk, lighting }: { desk: Pick<AtTable, "book" | "rules">; lighting: Lighting }) {
  return (
    <Layout
      book={desk.book}
      showing={{ lit: lighting.seen, paytables: desk.rules.paytables }}
      info={false}
      onBet={lighting.toggle}
      onTakeOff={lighting.toggle}
    />
  );
}

/** As the server works it out, under the pay tables of this table. */
async function mustLight(rules: AtTable["rules"], faces: readonly number[]): Promise<readonly string[]> {
  const { book, digest, readings, options } = rules.setup;
  const paytables = Object.fromEntries(
    Object.entries(rules.paytables).flatMap(([wager, table]) => (table === null ? [] : [[wager, table]])),
  );
  const body = { dice: [...faces], digest, readings: readings ?? {}, options: options ?? {}, paytables };
  const found = await told(
    api.POST("/api/v1/books/{book_id}/illuminate", { params: { path: { book_id: book } }, body }),
  );
  return found.wins;
}
