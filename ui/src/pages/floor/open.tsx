/** Opening a table: its book, its name, how it runs, and its terms; a refusal is shown in advance. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { BookLine, BookPage, Command, Setup, Summary } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Authority, BookText } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { toastDone } from "../../components/toasts";
import { apiLanguage, labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { sendCommand } from "../../live/commands";
import { notedTables, tableLabel, tableNumber } from "../../live/names";
import { address, go } from "../../shell/router";
import { isManager } from "../../shell/session";
import { type Draft, draftOf, newDraft, setupOf } from "./draft";
import { useEdges } from "./edges";
import { BackToFloor } from "./frame";
import { NumberField, Part, RunForm, TermsForm } from "./setup-form";
import { useTrial } from "./trial";
import { TrialNote } from "./trial-note";

/** `again`: a closed table, to be reopened with its earlier terms. */
export function OpenTable({ reopen }: { reopen: string | null }) {
  const t = floorWords();
  if (!isManager())
    return (
      <>
        <p class="note">{t.onlyManagers}</p>
        <BackToFloor />
      </>
    );
  return reopen === null ? <Fresh /> : <Reopen table={reopen} />;
}

function Reopen({ table }: { table: string }) {
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/tables/{table}", { params: { path: { table } } })),
    [table],
  );
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  return <Fresh table={table} before={(response.data.rules as { setup: Setup }).setup} />;
}

function Fresh({ table, before }: { table?: string; before?: Setup }) {
  const t = floorWords();
  const books = useRequest(() => unwrap(api.GET("/api/v1/books")), []);
  const lobby = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  const [chosen, setChosen] = useState<readonly string[]>(before?.book.split("+") ?? []);
  if (books.response.state === "loading" || lobby.response.state === "loading") return <Waiting />;
  if (books.response.state === "failed") return <ProblemNote problem={books.response.problem} retry={books.reload} />;
  const all = books.response.data.books;
  const base = all.find(one => one.book === chosen[0]);
  const sides = all.filter(one => one !== base && one.game === base?.game && (one.game === "craps" || !one.packaged));
  const book = chosen.join("+");
  // A house has the same name on all of its tables.
  const facility = lobby.response.state === "loaded" ? (lobby.response.data[0]?.facility ?? "") : "";
  return (
    <>
      <PageHead title={table === undefined ? t.openTitle : t.openAgain(tableLabel(table))} lead={t.openLead} />
      <div class="open-form">
        <Part title={t.steps.book} lead={t.bookLead}>
          <Books books={all} chosen={chosen.slice(0, 1)} onChosen={one => setChosen([one])} />
        </Part>
        {sides.length > 0 && (
          <Part title={t.sideBooks}>
            <Books
              several
              books={sides}
              chosen={chosen}
              onChosen={one =>
                setChosen(chosen.includes(one) ? chosen.filter(other => other !== one) : [...chosen, one])
              }
            />
          </Part>
        )}
        {book !== "" && (
          <WithBook
            key={book}
            id={book}
            facility={facility}
            number={freeNumber(lobby.response.state === "loaded" ? lobby.response.data : [], table)}
            {...(table === undefined ? {} : { table })}
            {...(before?.book === book ? { before } : {})}
          />
        )}
      </div>
    </>
  );
}

/** The lowest number that no other open table has. */
function freeNumber(tables: readonly Summary[], table?: string): number {
  const taken = new Set(tables.filter(one => one.open && one.id !== table).map(one => tableNumber(one.id)));
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}

interface BooksProps {
  books: readonly BookLine[];
  chosen: readonly string[];
  /** Any number of them, or exactly one. */
  several?: boolean;
  onChosen: (book: string) => void;
}

function Books(props: BooksProps) {
  const t = floorWords();
  return (
    <fieldset class="book-choice">
      <legend class="unseen">{props.several ? t.sideBooks : t.steps.book}</legend>
      {props.books.map(one => (
        <label key={one.book} class={props.chosen.includes(one.book) ? "book-chosen" : undefined}>
          <input
            type={props.several ? "checkbox" : "radio"}
            name={props.several ? "sides" : "book"}
            checked={props.chosen.includes(one.book)}
            onChange={() => props.onChosen(one.book)}
          />
          <span>
            <strong>
              <BookText text={one.title} />
            </strong>
            <span class="soft">
              <Authority name={one.authority} /> · {t.wagersOf(one.wagers)} · {t.clausesOf(one.clauses)} ·{" "}
              {one.currency}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface WithBookProps {
  id: string;
  facility: string;
  /** A number for the table that is free. */
  number: number;
  table?: string;
  before?: Setup;
}

function WithBook({ id, table, before, ...fresh }: WithBookProps) {
  const lang = apiLanguage.value;
  const { response, reload } = useRequest(
    () => unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: id }, query: { lang } } })),
    [id, lang],
  );
  const policy = useRequest(() => unwrap(api.GET("/api/v1/policy")), []);
  if (response.state === "loading") return <Waiting />;
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  const real = policy.response.state === "loaded" && policy.response.data.real_money_automatic;
  return <Filling {...fresh} book={response.data} realAllowed={real} {...(table ? { table } : {})} before={before} />;
}

interface FillingProps {
  book: BookPage;
  facility: string;
  number: number;
  realAllowed: boolean;
  table?: string;
  before: Setup | undefined;
}

function Filling({ book, facility, number, realAllowed, table, before }: FillingProps) {
  const t = floorWords();
  const [draft, setDraft] = useState<Draft>(() => ({
    ...(before ? draftOf(before) : newDraft(book, facility)),
    number: String(before?.number ?? number),
  }));
  const [name, setName] = useState(table ?? "");
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (more: Partial<Draft>): void => {
    setTouched(true);
    setDraft(old => ({ ...old, ...more }));
  };
  const { setup, wrongs } = setupOf(draft, book);
  const named = name.trim();
  const good = Object.keys(wrongs).length === 0 && named !== "";
  // Errors are marked once something was entered; until then, the form only says what comes first.
  const marked = touched ? wrongs : {};
  const bad = Object.keys(marked).length > 0;
  const command: Command = { type: "OpenTable", setup };
  const trial = useTrial(named, good ? command : null, "manager");
  const figures = useEdges(book, draft.options);
  useEffect(() => setProblem(null), [JSON.stringify(setup), named]);
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendCommand(named, command, { role: "manager" });
      toastDone(t.opened(tableLabel(named)));
      go(address`/floor/tables/${named}`);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  const form = { book, draft, wrongs: marked, figures, onDraft: change };
  return (
    <Form
      class="open-form"
      onSend={() => {
        if (good) void open();
      }}
    >
      <Part title={t.steps.place}>
        <div class="form-row">
          <NumberField draft={draft} wrongs={marked} onDraft={change} />
          {table === undefined && (
            <Field
              label={t.name}
              value={name}
              onValue={setName}
              hint={t.nameHint}
              maxLength={60}
              autocomplete="off"
              autocapitalize="none"
            />
          )}
          <Field
            label={t.facility}
            value={draft.facility}
            onValue={next => change({ facility: next })}
            hint={t.facilityHint}
            error={marked.facility}
            maxLength={120}
          />
        </div>
        <p class="soft">
          <strong>
            {labelled(t.currency)}
            {book.identity.currency}
          </strong>{" "}
          {t.currencyWhy}
        </p>
      </Part>
      <Part title={t.steps.run}>
        <RunForm {...form} realAllowed={realAllowed} />
      </Part>
      <TermsForm {...form} />
      <section class="card form-part open-go" aria-label={t.openGo}>
        {problem !== null ? (
          <ProblemNote problem={problem} />
        ) : good ? (
          <TrialNote trial={trial} />
        ) : (
          <p class={bad ? "unmet" : "soft"}>{bad ? t.mend : t.nameFirst}</p>
        )}
        <Button type="submit" tone="main" busy={busy} disabled={!good}>
          {t.openGo}
        </Button>
      </section>
    </Form>
  );
}
