/** The figures of the floor in one line: staked, exposure, win, alarms, approvals. */

import type { ComponentChildren } from "preact";
import type { components } from "../../api/schema";
import { Amount } from "../../components/amount";
import { locale } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { amountText, currencyOf } from "../../money/amounts";
import type { OfficeNews } from "../../shell/office-news";
import { oversees } from "../../shell/session";

type Floor = components["schemas"]["Floor"];
type Total = components["schemas"]["FloorTotal"];

export function FigureStrip({ floor, news }: { floor: Floor; news: OfficeNews }) {
  const t = floorWords();
  const totals = floor.totals ?? [];
  const won = totals.filter(total => total.win !== null);
  const settled = won.filter(total => total.win?.wagered);
  const raised = news.alarms.length;
  const others = news.approvals - news.yours;
  return (
    <dl class="floor-figures">
      <Figure id="staked" name={t.staked}>
        <ByMoney
          totals={having(totals, total => total.staked)}
          show={total => <Amount minor={total.staked} money={total.money} />}
        />
      </Figure>
      <Figure id="exposure" name={t.exposure} hint={t.exposureHint}>
        <ByMoney
          totals={having(totals, total => total.exposure)}
          show={total => <Amount minor={total.exposure} money={total.money} />}
        />
      </Figure>
      {won.length > 0 && (
        <Figure id="win" name={t.win} hint={settled.length === 0 ? t.noPlay : undefined}>
          {settled.length === 0 ? "–" : <ByMoney totals={settled} show={total => <Win total={total} />} />}
        </Figure>
      )}
      {oversees.value && (
        <Figure id="alarms" name={t.alarmsNow} hint={raised > 0 ? t.alarmsSome : t.alarmsNone} bad={raised > 0}>
          <a href="/floor/alarms">{raised}</a>
        </Figure>
      )}
      <Figure
        id="approvals"
        name={t.approvalsWaiting}
        hint={others > 0 ? t.approvalsOthers(others) : t.approvalsYours(news.yours)}
        bad={news.yours > 0}
      >
        <a href="/floor/approvals">{news.yours}</a>
      </Figure>
    </dl>
  );
}

interface FigureProps {
  id: string;
  name: string;
  hint?: string | undefined;
  bad?: boolean;
  children: ComponentChildren;
}

function Figure({ id, name, hint, bad = false, children }: FigureProps) {
  return (
    <div class={bad ? "floor-figure floor-figure-bad" : "floor-figure"} data-figure={id}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint !== undefined && <dd class="soft floor-figure-hint">{hint}</dd>}
    </div>
  );
}

/** Every money that is in use, and the first one in any case. */
function having(totals: readonly Total[], amount: (total: Total) => number): readonly Total[] {
  return totals.filter((total, place) => place === 0 || amount(total) !== 0);
}

/** One line per money, real money first. */
function ByMoney({ totals, show }: { totals: readonly Total[]; show: (total: Total) => ComponentChildren }) {
  const plays = totals.filter(total => total.play_money).length;
  return (
    <ul>
      {totals.map(total => (
        <li key={total.money} data-money={total.money}>
          {total.play_money && plays > 1 && <span class="soft">{currencyOf(total.money)} </span>}
          {show(total)}
        </li>
      ))}
    </ul>
  );
}

function Win({ total }: { total: Total }) {
  const t = floorWords();
  if (total.win === null) return null;
  return (
    <>
      <Amount minor={total.win.won} money={total.money} signed />{" "}
      <span class="soft floor-theory">
        {t.theory(amountText(Math.round(total.win.theory), total.money, locale.value, { signed: true }))}
      </span>
    </>
  );
}
