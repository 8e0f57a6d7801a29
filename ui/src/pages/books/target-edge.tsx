/** Asks the server for the whole odds that come closest to a house edge. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem } from "../../api/problems";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { problemWords } from "../../components/problem-note";
import { booksWords } from "../../i18n/words/books";
import { percentage } from "../../money/figures";

interface TargetEdgeProps {
  book: string;
  wager: string;
  paytable: string | null;
  readings: Record<string, string>;
  options: Record<string, string>;
  onFound: (pays: (before: Record<string, string>) => Record<string, string>) => void;
}

export function TargetEdge({ book, onFound, ...about }: TargetEdgeProps) {
  const say = booksWords().analysis;
  const [target, setTarget] = useState("");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [found, setFound] = useState<string | null>(null);
  const find = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    setFound(null);
    try {
      const designed = await told(
        api.POST("/api/v1/books/{book_id}/design", {
          params: { path: { book_id: book } },
          body: { ...about, target_edge: target },
        }),
      );
      onFound(before => ({ ...before, ...designed.pays }));
      setFound(say.found(percentage(designed.house_edge.value)));
    } catch (thrown) {
      setWrong(problemWords(asProblem(thrown)));
    }
    setBusy(false);
  };
  return (
    <form class="target" onSubmit={find}>
      <Field label={say.target} value={target} onValue={setTarget} hint={found ?? say.targetHint} error={wrong} />
      <Button type="submit" busy={busy} disabled={target.trim() === ""}>
        {say.find}
      </Button>
    </form>
  );
}
