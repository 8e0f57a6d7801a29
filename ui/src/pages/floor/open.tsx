/** Opening a table: its book, its name, how it runs, and its terms; a refusal is shown in advance. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { BookLine, BookPage, Command, Setup, Summary } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { Says } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Form } from "../../components/form";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { toastDone } from "../../components/toasts";
import { apiLanguage, labelled } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { ask } from "../../live/commands";
import { notedTables, tableLabel, tableNumber } from "../../live/names";
import { address, go } from "../../shell/router";
import { isManager } from "../../shell/session";
import { type Draft, draftOf, newDraft, setupOf } from "./draft";
import { useEdges } from "./edges";
import { ToFloor } from "./frame";
import { NumberField, Part, RunForm, TermsForm } from "./setup-form";
import { useTrial } from "./trial";
import { TrialNote } from "./trial-note";

/** `again`: a closed table, to be reopened with its earlier terms. */
export function OpenTable({ again }: { again: string | null }) {
  const say = floorWords();
  if (!isManager())
    return (
      <>
        <p class="note">{say.onlyManagers}</p>
        <ToFloor />
      </>
    );
  return again === null ? <Fresh /> : <Again table={again} />;
}

function Again({ table }: { table: string }) {
  const { asked, again } = useAsked(
    () => told(api.GET("/api/v1/tables/{table}", { params: { path: { table } } })),
    [table],
  );
  if (asked.state === "waiting") return <Waiting />;
  if (asked.state === "failed") return <ProblemNote problem={asked.problem} again={again} />;
  return <Fresh table={table} before={(asked.told.rules as { setup: Setup }).setup} />;
}

function Fresh({ table, before }: { table?: string; before?: Setup }) {
  const say = floorWords();
  const books = useAsked(() => told(api.GET("/api/v1/books")), []);
  const lobby = useAsked(() => told(api.GET("/api/v1/tables")).then(notedTables), []);
  const [chosen, setChosen] = useState<readonly string[]>(before?.book.split("+") ?? []);
  if (books.asked.state === "waiting" || lobby.asked.state === "waiting") return <Waiting />;
  if (books.asked.state === "failed") return <ProblemNote problem={books.asked.problem} again={books.again} />;
  const all = books.asked.told.books;
  const base = all.find(one => one.book === chosen[0]);
  const sides = all.filter(one => one !== base && one.game === base?.game && (one.game === "craps" || !one.packaged));
  const book = chosen.join("+");
  // A house has the same name on all of its tables.
  const facility = lobby.asked.state === "here" ? (lobby.asked.told[0]?.facility ?? "") : "";
  return (
    <>
      <PageHead title={table === undefined ? say.openTitle : say.openAgain(tableLabel(table))} lead={say.openLead} />
      <div class="open-form">
        <Part title={say.steps.book} lead={say.bookLead}>
          <Books books={all} chosen={chosen.slice(0, 1)} onChosen={one => setChosen([one])} />
        </Part>
        {sides.length > 0 && (
          <Part title={say.sideBooks}>
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
            number={freeNumber(lobby.asked.state === "here" ? lobby.asked.told : [], table)}
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
  const say = floorWords();
  return (
    <fieldset class="book-choice">
      <legend class="unseen">{props.several ? say.sideBooks : say.steps.book}</legend>
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
              <Says text={one.title} />
            </strong>
            <span class="soft">
              <Says text={one.authority} /> · {say.wagersOf(one.wagers)} · {say.clausesOf(one.clauses)} · {one.currency}
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
  const { asked, again } = useAsked(
    () => told(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: id }, query: { lang } } })),
    [id, lang],
  );
  const policy = useAsked(() => told(api.GET("/api/v1/policy")), []);
  if (asked.state === "waiting") return <Waiting />;
  if (asked.state === "failed") return <ProblemNote problem={asked.problem} again={again} />;
  const real = policy.asked.state === "here" && policy.asked.told.real_money_automatic;
  return <Filling {...fresh} book={asked.told} realAllowed={real} {...(table ? { table } : {})} before={before} />;
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
  const say = floorWords();
  const [draft, setDraft] = useState<Draft>(() => ({
    ...(before ? draftOf(before) : newDraft(book, facility)),
    number: String(before?.number ?? number),
  }));
  const [name, setName] = useState(table ?? "");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (more: Partial<Draft>): void => setDraft(old => ({ ...old, ...more }));
  const { setup, wrongs } = setupOf(draft, book);
  const named = name.trim();
  const good = Object.keys(wrongs).length === 0 && named !== "";
  const command: Command = { type: "OpenTable", setup };
  const trial = useTrial(named, good ? command : null, "manager");
  const figures = useEdges(book, draft.options);
  useEffect(() => setProblem(null), [JSON.stringify(setup), named]);
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask(named, command, { role: "manager" });
      toastDone(say.opened(tableLabel(named)));
      go(address`/floor/tables/${named}`);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  const form = { book, draft, wrongs, figures, onDraft: change };
  return (
    <Form
      class="open-form"
      onSend={() => {
        if (good) void open();
      }}
    >
      <Part title={say.steps.place}>
        <div class="form-row">
          <NumberField draft={draft} wrongs={wrongs} onDraft={change} />
          {table === undefined && (
            <Field
              label={say.name}
              value={name}
              onValue={setName}
              hint={say.nameHint}
              maxLength={60}
              autocomplete="off"
              autocapitalize="none"
            />
          )}
          <Field
            label={say.facility}
            value={draft.facility}
            onValue={next => change({ facility: next })}
            hint={say.facilityHint}
            error={wrongs.facility}
            maxLength={120}
          />
        </div>
        <p class="soft">
          <strong>
            {labelled(say.currency)}
            {book.identity.currency}
          </strong>{" "}
          {say.currencyWhy}
        </p>
      </Part>
      <Part title={say.steps.run}>
        <RunForm {...form} realAllowed={realAllowed} />
      </Part>
      <TermsForm {...form} />
      <section class="card form-part open-go" aria-label={say.openGo}>
        {problem !== null ? (
          <ProblemNote problem={problem} />
        ) : good ? (
          <TrialNote trial={trial} />
        ) : (
          <p class="unmet">{Object.keys(wrongs).length > 0 ? say.mend : say.nameFirst}</p>
        )}
        <Button type="submit" tone="main" busy={busy} disabled={!good}>
          {say.openGo}
        </Button>
      </section>
    </Form>
  );
}
