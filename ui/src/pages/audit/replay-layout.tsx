/** The layout at one point of a round, with the dice and, at craps, the hand so far. */

import type { BookPage, RoundReplay } from "../../api/types";
import { Dice, totalOf } from "../../components/dice";
import { words } from "../../i18n";
import { auditWords } from "../../i18n/words/audit";
import { Layout } from "../../layout/layout";
import { SettledRows } from "../../layout/settled-wagers";
import { personName } from "../../live/names";
import type { Rules } from "../../live/view";
import { Person } from "../../staff/person";
import type { Moment } from "./playback";

interface StageProps {
  now: Moment;
  before: Moment | null;
  replay: RoundReplay;
  rules: Rules;
  book: BookPage;
}

export function Stage({ now, before, replay, rules, book }: StageProps) {
  const t = words();
  const craps = Object.keys(now.lammers).length > 0;
  // An entry that settles bets removes their chips at once; they are shown once more while they move.
  const settling = now.swept.size > 0 || Object.keys(now.paid).length > 0;
  const stakes = settling && before !== null ? before.stakes : now.stakes;
  return (
    <div class="replay-table">
      <div class="replay-dice">
        <Dice faces={now.dice} count={book.identity.dice} covered={now.covered && now.dice.length === 0} size={48} />
        {now.dice.length > 0 && <strong>{t.table.total(totalOf(now.dice))}</strong>}
        <span class="soft">{t.phase[now.phase] ?? now.phase}</span>
        {craps && (
          <span class="tag">
            {now.point === null ? auditWords().replay.comeOut : auditWords().replay.point(now.point)}
          </span>
        )}
        {craps && now.shooter !== null && (
          <span class="soft">{auditWords().replay.shooter(personName(now.shooter))}</span>
        )}
      </div>
      {craps && <Hand rolls={replay.hand} now={now.dice} />}
      <Layout
        book={book}
        info={false}
        showing={{
          lit: new Set(now.lit),
          lammers: now.lammers,
          chances: now.chances,
          own: stakes,
          everyone: true,
          swept: now.swept,
          paid: now.paid,
          money: rules.money,
          paytables: rules.paytables,
        }}
      />
    </div>
  );
}

/** The shooter's rolls since the last seven-out. */
function Hand({ rolls, now }: { rolls: readonly (readonly number[])[]; now: readonly number[] }) {
  const t = auditWords().replay;
  if (rolls.length === 0 && now.length === 0) return null;
  return (
    <ol class="replay-hand" aria-label={t.hand}>
      {rolls.map((dice, index) => (
        <li key={index}>
          <Dice faces={dice} size={20} />
          <span>{totalOf(dice)}</span>
        </li>
      ))}
      {now.length > 0 && (
        <li aria-current="step">
          <Dice faces={now} size={20} />
          <span>{totalOf(now)}</span>
        </li>
      )}
    </ol>
  );
}

/** The bets that the entry settles. */
export function Lines({ now, book, money }: { now: Moment; book: BookPage; money: string }) {
  const t = auditWords().replay;
  if (now.lines.length === 0) return null;
  return (
    <section class="panel">
      <h2>{t.lines}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="audit-scroll" tabIndex={0} role="region" aria-label={t.lines}>
        <table class="audit-table">
          <thead>
            <tr>
              <th scope="col">{t.player}</th>
              <th scope="col">{t.area}</th>
              <th scope="col" class="figure">
                {t.stake}
              </th>
              <th scope="col">{t.pays}</th>
              <th scope="col" class="figure">
                {t.net}
              </th>
              <th scope="col">{words().problem.clause("").trim()}</th>
            </tr>
          </thead>
          <SettledRows
            lines={now.lines}
            book={book}
            money={money}
            player={line => line.player !== undefined && <Person name={line.player} />}
          />
        </table>
      </div>
    </section>
  );
}
