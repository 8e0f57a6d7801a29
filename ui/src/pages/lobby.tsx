/** The lobby: every table with its book, limits, phase and last results. No account is needed. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import { usePolling } from "../api/polling";
import type { Result, Summary } from "../api/types";
import { latestData } from "../api/use-request";
import { BookText } from "../components/book-sentence";
import { LinkButton } from "../components/button";
import { Countdown } from "../components/countdown";
import { Dice } from "../components/dice";
import { LimitsText } from "../components/limits";
import { PageHead } from "../components/page-head";
import { ProblemNote, Waiting } from "../components/problem-note";
import { named, words } from "../i18n";
import { playWords } from "../i18n/words/play";
import { byTable, notedTables, tableLabel, tableName } from "../live/names";
import { GuestSeat, useGuestsWelcome } from "../shell/guest-seat";
import { address } from "../shell/router";

const POLL_INTERVAL = 2_500;

export default function Lobby() {
  const t = playWords().lobby;
  const { response, reload } = usePolling(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), POLL_INTERVAL);
  const [game, setGame] = useState("all");
  const tables = latestData(response);
  const games = [...new Set((tables ?? []).map(table => table.game))].filter(Boolean).sort().reverse();
  const visible = (tables ?? []).filter(table => game === "all" || table.game === game).sort(easiestFirst);
  const guests = useGuestsWelcome();
  return (
    <section class="page lobby">
      <PageHead title={words().titles.tables} lead={t.lead}>
        {games.length > 1 && (
          <fieldset class="switch">
            <legend class="unseen">{words().titles.tables}</legend>
            {["all", ...games].map(one => (
              <button key={one} type="button" aria-pressed={game === one} onClick={() => setGame(one)}>
                {t.filter[one] ?? one}
              </button>
            ))}
          </fieldset>
        )}
      </PageHead>
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loading" && <Waiting />}
      {tables !== null && tables.length === 0 && (
        <div class="note">
          <p>
            <strong>{t.none}</strong>
          </p>
          <p class="soft">{t.noneMore}</p>
        </div>
      )}
      <ul class="table-cards">
        {visible.map(table =>
          table.disabled ? (
            <DisabledCard key={table.id} table={table} />
          ) : (
            <TableCard key={table.id} table={table} guests={guests} />
          ),
        )}
      </ul>
    </section>
  );
}

/** Tables where one can play at once come first: automatic tables, Sic Bo before craps; closed ones come last. */
function easiestFirst(one: Summary, other: Summary): number {
  const rank = (table: Summary): number =>
    (table.open ? 0 : 8) + (table.automatic ? 0 : 4) + (table.play_money ? 0 : 2) + (table.game === "sic-bo" ? 0 : 1);
  return rank(one) - rank(other) || byTable(one.id, other.id);
}

function TableCard({ table, guests }: { table: Summary; guests: boolean }) {
  const t = words();
  const here = address`/tables/${table.id}`;
  const isShort = named(table.title) === named(table.short ?? table.title); // there is no more to say of the book
  const phase = table.open ? (t.phase[table.phase ?? ""] ?? table.phase ?? "") : playWords().lobby.closed;
  const until = table.until === null ? null : Date.parse(table.until);
  return (
    <li class={`table-card${table.open ? "" : " table-card-closed"}`}>
      <header>
        <div>
          <p class="card-kind">{isShort ? table.facility : <BookText text={table.title} />}</p>
          <h2>
            <a href={here}>{tableName(table.id, table)}</a>
          </h2>
        </div>
        <Countdown until={table.phase === "betting" ? until : null} seconds={table.betting_seconds ?? 1} size={54} />
      </header>
      <p class="card-phase">
        <span class={`phase phase-${(table.phase ?? "closed").replaceAll(" ", "-")}`}>{phase}</span>
        <span class="soft">{playWords().lobby.round(table.round)}</span>
        <span class="tag">{table.automatic ? playWords().lobby.automatic : playWords().lobby.dealt}</span>
        {table.play_money && <span class="tag">{playWords().lobby.playMoney}</span>}
      </p>
      <p class="soft">
        {playWords().gameLead[table.game]} <a href={address`/books/${table.book}`}>{playWords().lobby.rules}</a>
      </p>
      <LastResults results={table.last} dice={table.dice} />
      <dl class="card-facts">
        <div>
          <dt>{playWords().lobby.limits}</dt>
          <dd>
            <LimitsText groups={table.limits} money={table.money} />
          </dd>
        </div>
        <div>
          <dt>{playWords().lobby.bets}</dt>
          <dd>{playWords().lobby.players(table.players)}</dd>
        </div>
      </dl>
      <footer>
        {guests && table.open && table.automatic && table.play_money && <GuestSeat table={table.id} />}
        <LinkButton href={here} tone={guests && table.automatic && table.play_money ? "plain" : "main"}>
          {playWords().lobby.open}
        </LinkButton>
      </footer>
    </li>
  );
}

/** A disabled table: only its name is known. */
function DisabledCard({ table }: { table: Summary }) {
  const t = playWords().lobby;
  return (
    <li class="table-card table-card-closed">
      <header>
        <h2>{tableLabel(table.id)}</h2>
      </header>
      <p class="soft">{t.disabled}</p>
    </li>
  );
}

/** The newest in large type, the others as totals. */
function LastResults({ results, dice }: { results: readonly Result[]; dice: number }) {
  const t = playWords().lobby;
  const newest = results.at(-1);
  const before = results.slice(0, -1).reverse();
  return (
    <div class="card-results">
      <Dice faces={newest?.dice ?? []} count={dice} size={40} tumbling />
      {newest === undefined ? (
        <span class="soft">{t.noResults}</span>
      ) : (
        <ol class="totals" aria-label={t.last}>
          {[newest, ...before].slice(0, 8).map(result => (
            <li key={result.round}>{result.dice.length === 0 ? t.void : total(result.dice)}</li>
          ))}
        </ol>
      )}
    </div>
  );
}

function total(dice: readonly number[]): number {
  return dice.reduce((sum, face) => sum + face, 0);
}
