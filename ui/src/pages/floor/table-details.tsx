/** The details of a table, below its row on the floor. */

import type { FloorTable } from "../../api/types";
import { Amount } from "../../components/amount";
import { LinkButton } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dice } from "../../components/dice";
import { floorWords } from "../../i18n/words/floor";
import { address } from "../../shell/router";
import { StepWords } from "../../staff/book-step-text";
import { DiceLife } from "./dice-life";
import { newsOf } from "./table-news";

export function Details({ table, alarms }: { table: FloorTable; alarms: number }) {
  const t = floorWords();
  return (
    <>
      <ul class="flags">
        {newsOf(table, alarms).map(news => (
          <li key={news.id} class={news.bad ? "flag flag-bad" : "flag"}>
            {news.href === undefined ? news.says : <a href={news.href}>{news.says}</a>}{" "}
            {news.id === "lacking" && <Clauses clauses={table.lacking?.clause ?? []} />}
          </li>
        ))}
      </ul>
      <dl class="floor-facts">
        {table.open && table.due !== null && (
          <div class="floor-due">
            <dt>{t.due}</dt>
            <dd>
              <StepWords act={table.due.act} says={table.due.says} /> <Clauses clauses={table.due.clause} />
            </dd>
          </div>
        )}
        <div class="fact-narrow">
          <dt>{t.dealer}</dt>
          <dd>{dealerOf(table)}</dd>
        </div>
        <div class="fact-narrow">
          <dt>{t.players}</dt>
          <dd>{t.playersCount(table.players)}</dd>
        </div>
        <div>
          <dt>{t.dice}</dt>
          <dd>
            <DiceOf table={table} />
          </dd>
        </div>
        <div>
          <dt>{t.worst}</dt>
          <dd class="worst">
            {table.worst_throw === null || table.worst_result === 0 ? (
              t.noRisk
            ) : (
              <>
                <Dice faces={facesOf(table.worst_throw)} size={20} />{" "}
                <Amount minor={table.worst_result} money={table.money} signed />
              </>
            )}
          </dd>
        </div>
        {table.open && !table.automatic && (
          <div>
            <dt>{t.tray}</dt>
            <dd>
              <Amount minor={table.float} money={table.money} />
            </dd>
          </div>
        )}
        {table.payout_max !== null && (
          <div>
            <dt>{t.limit}</dt>
            <dd>
              <Amount minor={table.payout_max} money={table.money} short />
            </dd>
          </div>
        )}
      </dl>
      <div class="buttons">
        {table.automatic && <span class="tag">{t.automatic}</span>}
        {table.play_money && <span class="tag">{t.playMoney}</span>}
        <LinkButton href={address`/tables/${table.id}`} tone="quiet">
          {t.toTable}
        </LinkButton>
        <LinkButton href={address`/tables/${table.id}/board`} tone="quiet">
          {t.board}
        </LinkButton>
      </div>
    </>
  );
}

function DiceOf({ table }: { table: FloorTable }) {
  const t = floorWords();
  if (table.automatic) return <>{t.noDiceHere}</>;
  if (table.dice === null && table.game === "craps") return <>{t.shooters}</>;
  return <DiceLife dice={table.dice} />;
}

/** At craps several people deal together, and none of them takes over the table. */
export function dealerOf(table: FloorTable): string {
  const t = floorWords();
  if (table.automatic) return t.automatic;
  return table.dealer ?? (table.game === "craps" && table.staffed ? t.theCrew : t.nobody);
}

/** A throw as the server writes it: 1-2-6. */
export function facesOf(thrown: string): number[] {
  return thrown.split("-").map(Number);
}
