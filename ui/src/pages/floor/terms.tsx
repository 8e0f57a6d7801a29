/** The terms of a table: what applies under which clause, what may change while it is open, and why the rest may not. */

import { useState } from "preact/hooks";
import { BookText, ExactLine, Printed } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Fact } from "../../components/facts";
import { bracketed, labelled, locale, named, untranslated } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { amountText } from "../../money/amounts";
import { percentage } from "../../money/figures";
import { address } from "../../shell/router";
import { choicesIn, effectsOf, useEdges } from "./edges";
import { type FloorDesk, setupIn } from "./table-actions";
import { Changing } from "./terms-changing";
import { WagerTerms } from "./terms-wagers";

export function TermsTab({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const [changing, setChanging] = useState(false);
  const may = desk.may("ChangeSetup") && desk.view.open;
  if (changing) return <Changing desk={desk} onDone={() => setChanging(false)} />;
  return (
    <div class="stack">
      <InForce desk={desk} />
      {may ? (
        <div>
          <Button tone="main" onClick={() => setChanging(true)}>
            {t.changeTerms}…
          </Button>
        </div>
      ) : (
        desk.view.open && <p class="soft">{t.onlyFor(t.managers)}</p>
      )}
      <ChoicesInForce desk={desk} />
      <WagerTerms desk={desk} />
    </div>
  );
}

function InForce({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const setup = setupIn(desk);
  const run = setup.automatic ?? null;
  const money = desk.rules.money;
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  return (
    <section class="card">
      <h2>{t.termsNow}</h2>
      <dl class="desk-facts">
        <Fact name={t.number}>{setup.number ?? t.dash}</Fact>
        <Fact name={t.facility}>{setup.facility}</Fact>
        <Fact name={t.payoutShort}>{setup.payout_max == null ? t.dash : amount(setup.payout_max)}</Fact>
        {run !== null && <Fact name={t.betting}>{run.betting_seconds}</Fact>}
        {run !== null && <Fact name={t.rest}>{run.rest_seconds}</Fact>}
        {run?.approval && <Fact name={t.approval}>{run.approval}</Fact>}
        {run !== null && desk.rules.play_money && <Fact name={t.stack}>{amount(run.play_stack ?? 0)}</Fact>}
      </dl>
      <h3>{t.fixed}</h3>
      <p class="soft">{t.fixedWhy}</p>
      <dl class="desk-facts">
        <Fact name={t.bookName}>
          <a href={address`/books/${setup.book}`}>
            <BookText text={desk.book.identity.title} />
          </a>
        </Fact>
        <Fact name={t.currency}>
          {setup.currency}
          {desk.rules.play_money && bracketed(t.playMoney)}
        </Fact>
        <Fact name={t.runs}>{run === null ? t.runPeople : t.runTumbler}</Fact>
        {run === null && desk.book.identity.game === "sic-bo" && (
          <Fact name={t.shaker}>{t.shakers[setup.shaker ?? "manual"]}</Fact>
        )}
      </dl>
    </section>
  );
}

/** Pay tables, options and readings in force, each with its clause and, for readings, its effect. */
function ChoicesInForce({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { book } = desk;
  const chosen = choicesIn(setupIn(desk));
  const figures = useEdges(book, chosen.options);
  const groups = Object.entries(book.groups).filter(([, group]) => group.paytables.length > 1);
  const options = Object.entries(book.options);
  const readings = Object.entries(book.readings).filter(([, one]) => Object.keys(one.choices).length > 1);
  if (groups.length + options.length + readings.length === 0) return null;
  return (
    <section class="card">
      <h2>{t.choicesNow}</h2>
      <ul class="things">
        {groups.map(([id, group]) => (
          <li key={id}>
            <div>
              <strong>
                {t.paytable}: {named(group.name)}
              </strong>{" "}
              <Clauses clauses={group.clause} />
              <p>{chosen.paytables[id] ?? group.paytables[0]}</p>
            </div>
            {(chosen.paytables[id] ?? group.paytables[0]) === group.paytables[0] && (
              <span class="tag">{t.byDefault}</span>
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
                <ExactLine text={option.choices[option.chosen]?.says ?? untranslated(option.chosen)} />
              </p>
            </div>
            {option.chosen === option.default && <span class="tag">{t.byDefault}</span>}
          </li>
        ))}
        {readings.map(([id, reading]) => (
          <li key={id}>
            <div>
              <strong>
                {labelled(t.printed)}
                <Printed text={reading.printed} />
              </strong>{" "}
              <Clauses clauses={reading.clause} />
              <p>
                <ExactLine text={reading.choices[reading.chosen]?.says ?? untranslated(reading.chosen)} />
              </p>
              {figures !== null &&
                effectsOf(figures, book, chosen, id, reading.chosen).map(({ names, from, to }) => (
                  <p key={names} class="soft">
                    {from.exact === to.exact
                      ? t.sameNow(names, percentage(to.value))
                      : t.effect(names, percentage(from.value), percentage(to.value))}
                  </p>
                ))}
            </div>
            {reading.chosen === reading.default && <span class="tag">{t.byDefault}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
