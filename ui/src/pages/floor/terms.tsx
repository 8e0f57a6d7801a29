/** The terms of a table: what holds and by which clause, what may change while it is open, and why the rest may not. */

import { useMemo, useState } from "preact/hooks";
import type { Command, Setup, WagerEntry } from "../../api/types";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Fact } from "../../components/facts";
import { Field } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { Form } from "../../components/form";
import { ExactLine, Printed, Says } from "../../components/says";
import { toastDone } from "../../components/toasts";
import { amountText } from "../../money/amounts";
import { percentage } from "../../money/figures";
import { printedOdds } from "../../money/odds";
import { address } from "../../shell/router";
import { locale, named, words } from "../../words";
import type { FloorDesk } from "./desk";
import { type Draft, draftOf, limitText, setupOf } from "./draft";
import { type Choices, edgeOf, effectsOf, useEdges } from "./edges";
import { ClockForm, Part, TermsForm } from "./setup-form";
import { useTrial } from "./trial";
import { TrialNote } from "./trial-note";

export function TermsTab({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const [changing, setChanging] = useState(false);
  const may = desk.may("ChangeSetup") && desk.view.open;
  if (changing) return <Changing desk={desk} onDone={() => setChanging(false)} />;
  return (
    <div class="stack">
      <InForce desk={desk} />
      {may ? (
        <div>
          <Button tone="main" onClick={() => setChanging(true)}>
            {say.changeTerms}…
          </Button>
        </div>
      ) : (
        desk.view.open && <p class="soft">{say.onlyFor(say.managers)}</p>
      )}
      <ChoicesInForce desk={desk} />
      <WagerTerms desk={desk} />
    </div>
  );
}

function setupIn(desk: FloorDesk): Setup {
  return desk.rules.setup as Setup;
}

function InForce({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const setup = setupIn(desk);
  const run = setup.automatic ?? null;
  const money = desk.rules.money;
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  return (
    <section class="card">
      <h2>{say.termsNow}</h2>
      <dl class="desk-facts">
        <Fact name={say.facility}>{setup.facility}</Fact>
        <Fact name={say.payoutShort}>{setup.payout_max == null ? say.dash : amount(setup.payout_max)}</Fact>
        {run !== null && <Fact name={say.betting}>{run.betting_seconds}</Fact>}
        {run !== null && <Fact name={say.rest}>{run.rest_seconds}</Fact>}
        {run !== null && desk.rules.play_money && <Fact name={say.stack}>{amount(run.play_stack ?? 0)}</Fact>}
      </dl>
      <h3>{say.fixed}</h3>
      <p class="soft">{say.fixedWhy}</p>
      <dl class="desk-facts">
        <Fact name={say.bookName}>
          <a href={address`/books/${setup.book}`}>
            <Says text={desk.book.identity.title} />
          </a>
        </Fact>
        <Fact name={say.currency}>
          {setup.currency}
          {desk.rules.play_money && ` (${say.playMoney})`}
        </Fact>
        <Fact name={say.runs}>{run === null ? say.runPeople : say.runTumbler}</Fact>
        {run === null && desk.book.identity.game === "sic-bo" && (
          <Fact name={say.shaker}>{say.shakers[setup.shaker ?? "manual"]}</Fact>
        )}
      </dl>
    </section>
  );
}

function choicesIn(setup: Setup): Choices {
  return { paytables: setup.paytables ?? {}, readings: setup.readings ?? {}, options: setup.options ?? {} };
}

/** Pay tables, options and readings in force, each with its clause and, for readings, its effect. */
function ChoicesInForce({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const { book } = desk;
  const chosen = choicesIn(setupIn(desk));
  const figures = useEdges(book, chosen.options);
  const groups = Object.entries(book.groups).filter(([, group]) => group.paytables.length > 1);
  const options = Object.entries(book.options);
  const readings = Object.entries(book.readings).filter(([, one]) => Object.keys(one.choices).length > 1);
  if (groups.length + options.length + readings.length === 0) return null;
  return (
    <section class="card">
      <h2>{say.choicesNow}</h2>
      <ul class="things">
        {groups.map(([id, group]) => (
          <li key={id}>
            <div>
              <strong>
                {say.paytable}: {named(group.name)}
              </strong>{" "}
              <Clauses clauses={group.clause} />
              <p>{chosen.paytables[id] ?? group.paytables[0]}</p>
            </div>
            {(chosen.paytables[id] ?? group.paytables[0]) === group.paytables[0] && (
              <span class="tag">{say.byDefault}</span>
            )}
          </li>
        ))}
        {options.map(([id, option]) => (
          <li key={id}>
            <div>
              <strong>
                <ExactLine text={option.says} />
              </strong>{" "}
              <Clauses clauses={option.clause} />
              <p>
                <ExactLine text={option.choices[option.chosen]?.says ?? ""} />
              </p>
            </div>
            {option.chosen === option.default && <span class="tag">{say.byDefault}</span>}
          </li>
        ))}
        {readings.map(([id, reading]) => (
          <li key={id}>
            <div>
              <strong>
                {say.printed}: <Printed text={reading.printed} />
              </strong>{" "}
              <Clauses clauses={reading.clause} />
              <p>
                <ExactLine text={reading.choices[reading.chosen]?.says ?? ""} />
              </p>
              {figures !== null &&
                effectsOf(figures, book, chosen, id, reading.chosen).map(({ names, from, to }) => (
                  <p key={names} class="soft">
                    {from.exact === to.exact
                      ? say.sameNow(names, percentage(to.value))
                      : say.effect(names, percentage(from.value), percentage(to.value))}
                  </p>
                ))}
            </div>
            {reading.chosen === reading.default && <span class="tag">{say.byDefault}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every wager with its pay, its limits, its edge and its clause. */
function WagerTerms({ desk }: { desk: FloorDesk }) {
  const say = words().floor;
  const { book, rules } = desk;
  const chosen = choicesIn(setupIn(desk));
  const figures = useEdges(book, chosen.options);
  const lang = locale.value;
  const columns = useMemo<Column<WagerEntry>[]>(() => {
    const edge = (wager: WagerEntry) => (figures === null ? undefined : edgeOf(figures, book, wager, chosen));
    const limit = (wager: WagerEntry) => rules.limits[wager.wager];
    const pays = (wager: WagerEntry): string => printedOdds(wager, rules.paytables[wager.wager]);
    return [
      { id: "wager", name: say.wager, value: wager => named(wager.name) },
      { id: "pays", name: say.pays, value: pays, show: wager => <span lang="en">{pays(wager)}</span> },
      {
        id: "limits",
        name: say.limits,
        kind: "figure",
        value: wager => limit(wager)?.stake_max ?? null,
        show: wager => {
          const found = limit(wager);
          return found === undefined ? say.dash : limitText(found, rules.money, lang);
        },
      },
      {
        id: "edge",
        name: say.edge,
        kind: "figure",
        value: wager => edge(wager)?.value ?? null,
        show: wager => {
          const found = edge(wager);
          return found === undefined ? say.dash : percentage(found.value);
        },
        hint: wager => edge(wager)?.exact,
      },
      { id: "clause", name: say.clause, value: wager => wager.clauses.join(", ") },
    ];
  }, [figures, book, rules, lang]);
  return (
    <section class="card">
      <h2>{say.termsWagers}</h2>
      <Figures
        caption={say.termsWagers}
        columns={columns}
        rows={book.wagers}
        rowKey={wager => wager.wager}
        file={`${desk.live.id}-terms`}
      />
    </section>
  );
}

function Changing({ desk, onDone }: { desk: FloorDesk; onDone: () => void }) {
  const say = words().floor;
  const { book } = desk;
  const setup = setupIn(desk);
  const [draft, setDraft] = useState<Draft>(() => draftOf(setup));
  const change = (more: Partial<Draft>): void => setDraft(old => ({ ...old, ...more }));
  const asked = setupOf(draft, book);
  const wanted: Setup = { ...asked.setup, digest: setup.digest, currency: setup.currency };
  const good = Object.keys(asked.wrongs).length === 0;
  const command: Command = { type: "ChangeSetup", setup: wanted };
  const trial = useTrial(desk.live.id, good ? command : null, desk.staff.may.ChangeSetup);
  const figures = useEdges(book, draft.options);
  const go = async (): Promise<void> => {
    if (!(await desk.act(command))) return;
    toastDone(say.changed);
    onDone();
  };
  const form = { book, draft, wrongs: asked.wrongs, figures, onDraft: change };
  return (
    <Form
      class="open-form"
      onSend={() => {
        if (good) void go();
      }}
    >
      <Part title={say.changeTerms} lead={say.changeLead}>
        <div class="form-row">
          <Field
            label={say.facility}
            value={draft.facility}
            onValue={facility => change({ facility })}
            error={asked.wrongs.facility}
            maxLength={120}
          />
        </div>
        {draft.automatic && <ClockForm draft={draft} wrongs={asked.wrongs} onDraft={change} />}
        <p class="soft">
          <strong>{say.fixed}:</strong> {say.fixedWhy}
        </p>
      </Part>
      <TermsForm {...form} />
      <section class="card form-part open-go" aria-label={say.changeGo}>
        {good ? <TrialNote trial={trial} book={book} /> : <p class="unmet">{say.mend}</p>}
        <div class="buttons">
          <Button type="submit" tone="main" busy={desk.busy} disabled={!good}>
            {say.changeGo}
          </Button>
          <Button onClick={onDone}>{say.cancel}</Button>
        </div>
      </section>
    </Form>
  );
}
