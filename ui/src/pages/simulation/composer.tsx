/** Composing a scenario: a form and its file side by side, checked by the server while it is edited, and started. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { BookLine, BookPage } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Choice } from "../../components/field";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { apiLanguage, named } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { byName } from "../../shell/book-choices";
import { type Checking, errorAt, useChecked } from "./checking";
import { composedOf, formOf, type ScenarioForm } from "./form";
import type { Runs } from "./runs";
import { ScenarioFile } from "./scenario-file";
import { ScenarioFields } from "./scenario-form";
import { Start } from "./start";

const EXAMPLES = ["quiet", "doubling", "full"] as const;
type ExampleName = (typeof EXAMPLES)[number];

export function Composer({ query, runs }: { query: URLSearchParams; runs: Runs | null }) {
  const books = useRequest(() => unwrap(api.GET("/api/v1/books")), []);
  const repeatOf = query.get("again");
  const before = useRequest(async () => (repeatOf === null ? null : await fileOf(repeatOf)), [repeatOf]);
  if (books.response.state === "failed") return <ProblemNote problem={books.response.problem} retry={books.reload} />;
  if (before.response.state === "failed") return <ProblemNote problem={before.response.problem} />;
  if (books.response.state === "loading" || before.response.state === "loading") return <Waiting />;
  return <Written books={books.response.data.books} query={query} file={before.response.data} runs={runs} />;
}

/** The scenario of an earlier run. */
async function fileOf(run: string): Promise<string> {
  const path = { run, name: "scenario.toml" };
  return String(await unwrap(api.GET("/api/v1/simulations/{run}/files/{name}", { params: { path }, parseAs: "text" })));
}

interface WrittenProps {
  books: readonly BookLine[];
  query: URLSearchParams;
  file: string | null;
  runs: Runs | null;
}

function Written({ books, query, file, runs }: WrittenProps) {
  const t = simulationWords();
  const wanted = query.get("book");
  const [book, setBook] = useState(books.find(one => one.book === wanted)?.book ?? books[0]?.book ?? "");
  const [example, setExample] = useState<ExampleName>("quiet");
  const [form, setForm] = useState<ScenarioForm | null>(null);
  const [text, setText] = useState<string | null>(file);
  const [problem, setProblem] = useState<Problem | null>(null);
  const turn = useRef(0);
  const checking = useChecked(text !== null ? { toml: text } : form !== null ? { composed: composedOf(form) } : null);
  const written = text === null ? form?.book : checking.checked?.composed?.book;
  const selectedBook = books.find(one => one.book === written)?.book ?? book;

  const begin = async (id: string, name: ExampleName): Promise<void> => {
    setBook(id);
    setExample(name);
    setProblem(null);
    setForm(null); // nothing is typed that the example would overwrite
    turn.current += 1;
    const mine = turn.current;
    try {
      const found = await unwrap(api.GET("/api/v1/simulations/examples", { params: { query: { book: id } } }));
      const one = found.examples.find(other => other.name === name);
      if (one === undefined || mine !== turn.current) return;
      const under =
        id === wanted ? { readings: byName(query.getAll("reading")), options: byName(query.getAll("option")) } : {};
      const form = formOf(one.composed);
      const players = form.players.map(group => ({ ...group, name: t.examplePlayers[group.name] ?? group.name }));
      setForm({ ...form, players, ...under });
      setText(null);
    } catch (thrown) {
      setProblem(asProblem(thrown));
    }
  };
  useEffect(() => {
    if (file === null) void begin(book, example);
  }, []);

  const toForm = (): void => {
    const composed = checking.fresh ? checking.checked?.composed : null;
    if (composed && books.some(one => one.book === composed.book)) {
      setForm(formOf(composed));
      setBook(composed.book);
      setText(null);
    } else if (form !== null) setText(null);
    else void begin(book, example);
  };
  return (
    <div class="composer">
      <div class="choices">
        <Choice
          label={t.book}
          value={selectedBook}
          options={books.map(one => ({ value: one.book, name: named(one.title) }))}
          onValue={id => void begin(id, example)}
        />
        <fieldset class="examples">
          <legend>{t.startFrom}</legend>
          {EXAMPLES.map(name => (
            <Button key={name} onClick={() => void begin(selectedBook, name)}>
              {t.examples[name]}
            </Button>
          ))}
        </fieldset>
      </div>
      {problem !== null && <ProblemNote problem={problem} />}
      <div class={text === null ? "composed" : "composed composed-file"}>
        {text === null && form === null && problem === null && <Waiting />}
        {text === null && form !== null && (
          <BookForm book={selectedBook} form={form} checking={checking} onForm={setForm} />
        )}
        <div class="composed-side">
          <ScenarioFile
            text={text ?? checking.checked?.toml ?? ""}
            loading={text === null && checking.checked === null && checking.problem === null && problem === null}
            leads={text !== null}
            shows={checking.fresh && checking.checked?.composed != null}
            onText={changed => {
              turn.current += 1;
              setText(changed);
            }}
            onForm={toForm}
          />
          <Start checking={checking} runs={runs} />
        </div>
      </div>
    </div>
  );
}

interface BookFormProps {
  book: string;
  form: ScenarioForm;
  checking: Checking;
  onForm: (form: ScenarioForm) => void;
}

function BookForm({ book, form, checking, onForm }: BookFormProps) {
  const lang = apiLanguage.value;
  const { response, reload } = useRequest(
    (): Promise<BookPage> =>
      unwrap(api.GET("/api/v1/books/{book_id}", { params: { path: { book_id: book }, query: { lang } } })),
    [book, lang],
  );
  if (response.state === "failed") return <ProblemNote problem={response.problem} retry={reload} />;
  if (response.state === "loading" || response.data.book !== book) return <Waiting />;
  return <ScenarioFields book={response.data} form={form} wrong={errorAt(checking)} onForm={onForm} />;
}
