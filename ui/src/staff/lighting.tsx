/** The areas that a device must light for entered values, compared with those that it does light. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { asProblem } from "../api/problems";
import { toastProblem } from "../components/toasts";
import { Layout } from "../layout/layout";
import type { AtTable } from "./at-table";

export interface Lighting {
  /** The areas that must light up; null until the values are complete and the server has responded. */
  must: readonly string[] | null;
  /** Those that did light up, as far as marked. */
  seen: ReadonlySet<string>;
  /** The differences. */
  differing: readonly string[];
  /** Toggles the mark of an area that lights up wrongly, or does not light up. */
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

/** The layout as the device lights it; press an area that differs. */
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

/** As computed by the server, under the pay tables of this table. */
async function mustLight(rules: AtTable["rules"], faces: readonly number[]): Promise<readonly string[]> {
  const { book, digest, readings, options } = rules.setup;
  const paytables = Object.fromEntries(
    Object.entries(rules.paytables).flatMap(([wager, table]) => (table === null ? [] : [[wager, table]])),
  );
  const body = { dice: [...faces], digest, readings: readings ?? {}, options: options ?? {}, paytables };
  const found = await unwrap(
    api.POST("/api/v1/books/{book_id}/illuminate", { params: { path: { book_id: book } }, body }),
  );
  return found.wins;
}
