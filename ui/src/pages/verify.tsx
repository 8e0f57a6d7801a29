/** A round of an automatic table, recomputed step by step: fetched from the house, or from a given proof. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { asProblem, type Problem } from "../api/problems";
import type { Proof, ProofChecked, Summary } from "../api/types";
import { useRequest } from "../api/use-request";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { FileField } from "../components/file-field";
import { Form } from "../components/form";
import { PageHead } from "../components/page-head";
import { ProblemNote, Waiting } from "../components/problem-note";
import { Tabs } from "../components/tabs";
import { words } from "../i18n";
import { booksWords } from "../i18n/words/books";
import { byTable, notedTables, tableName } from "../live/names";
import { setIn } from "../shell/book-choices";
import type { PageProps } from "../shell/router";
import { Checked } from "./verify/checked";

type Found =
  | { state: "none" }
  | { state: "busy" }
  | { state: "failed"; problem: Problem }
  | { state: "loaded"; proof: Proof; checked: ProofChecked };

export default function Verify({ place }: PageProps) {
  const t = booksWords().verify;
  const [found, setFound] = useState<Found>({ state: "none" });
  const check = async (proof: () => Promise<Proof>): Promise<void> => {
    setFound({ state: "busy" });
    try {
      const given = await proof();
      const checked = await unwrap(api.POST("/api/v1/verify", { body: given }));
      setFound({ state: "loaded", proof: given, checked });
    } catch (thrown) {
      setFound({ state: "failed", problem: asProblem(thrown) });
    }
  };
  const busy = found.state === "busy";
  return (
    <section class="page verify">
      <PageHead title={words().titles.verify} lead={t.lead} />
      <Tabs
        label={words().titles.verify}
        tabs={[
          {
            id: "round",
            name: t.byRound,
            panel: () => <ByRound query={place.query} busy={busy} onProof={check} />,
          },
          { id: "proof", name: t.byProof, panel: () => <ByProof busy={busy} onProof={check} /> },
        ]}
      />
      <div aria-live="polite">
        {busy && <p class="waiting">{t.checking}</p>}
        {found.state === "failed" && <ProblemNote problem={found.problem} />}
        {found.state === "loaded" && <Checked proof={found.proof} checked={found.checked} />}
      </div>
    </section>
  );
}

interface AskingProps {
  busy: boolean;
  onProof: (proof: () => Promise<Proof>) => Promise<void>;
}

function ByRound({ query, busy, onProof }: AskingProps & { query: URLSearchParams }) {
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  const tables = response.data.filter(table => table.automatic).sort((a, b) => byTable(a.id, b.id));
  const table = tables.find(one => one.id === query.get("table")) ?? tables[0];
  if (table === undefined) return <p class="note">{booksWords().verify.noTables}</p>;
  return (
    <RoundOf key={table.id} tables={tables} table={table} given={query.get("round")} busy={busy} onProof={onProof} />
  );
}

interface RoundOfProps extends AskingProps {
  tables: readonly Summary[];
  table: Summary;
  /** The round that the URL names. */
  given: string | null;
}

function RoundOf({ tables, table, given, busy, onProof }: RoundOfProps) {
  const t = booksWords().verify;
  const newest = table.last.at(-1)?.round ?? Math.max(1, table.round - 1);
  const [round, setRound] = useState(given ?? String(newest));
  const fetchProof = (number: number): Promise<Proof> =>
    unwrap(api.GET("/api/v1/tables/{table}/rounds/{number}/proof", { params: { path: { table: table.id, number } } }));
  const verify = (number: string): void => {
    setRound(number);
    setIn("round", number);
    void onProof(() => fetchProof(Number(number)));
  };
  useEffect(() => {
    // A link to a round shows it without another click.
    if (given !== null) void onProof(() => fetchProof(Number(given)));
  }, []);
  const latest = table.last.slice(-8).reverse();
  return (
    <Form class="verify-form" onSend={() => verify(round)}>
      <Choice
        label={t.table}
        value={table.id}
        options={tables.map(one => ({ value: one.id, name: tableName(one.id, one) }))}
        onValue={value => setIn("table", value)}
      />
      <Field label={t.round} type="number" inputMode="numeric" value={round} onValue={setRound} required />
      <Button type="submit" tone="main" busy={busy} disabled={!/^\d+$/.test(round.trim())}>
        {t.check}
      </Button>
      {latest.length > 0 && (
        <p class="latest">
          <span class="soft">{t.latest}</span>
          {latest.map(one => (
            <Button key={one.round} tone="quiet" disabled={busy} onClick={() => verify(String(one.round))}>
              {one.round}
            </Button>
          ))}
        </p>
      )}
    </Form>
  );
}

function ByProof({ busy, onProof }: AskingProps) {
  const t = booksWords().verify;
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const check = (given: string): void => {
    let proof: Proof;
    try {
      proof = JSON.parse(given) as Proof;
    } catch {
      setWrong(true);
      return;
    }
    setWrong(false);
    void onProof(() => Promise.resolve(proof));
  };
  const upload = ([content]: readonly string[]): void => {
    if (content === undefined) return;
    setText(content);
    check(content);
  };
  return (
    <Form class="verify-form verify-paste" onSend={() => check(text)}>
      <div class="field">
        <label for="proof-text">{t.paste}</label>
        <textarea
          id="proof-text"
          rows={7}
          spellcheck={false}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
          aria-describedby="proof-hint"
          aria-invalid={wrong || undefined}
        />
        <p id="proof-hint" class={wrong ? "error" : "hint"} role={wrong ? "alert" : undefined}>
          {wrong ? t.notProof : t.pasteHint}
        </p>
      </div>
      <FileField label={t.upload} accept=".json,application/json" onTexts={upload} />
      <Button type="submit" tone="main" busy={busy} disabled={text.trim() === ""}>
        {t.check}
      </Button>
    </Form>
  );
}
