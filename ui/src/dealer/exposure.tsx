/** The house's exposure: the worst throw now, and every throw on request. */

import { Amount } from "../components/amount";
import { Dice } from "../components/dice";
import { consoleWords } from "../i18n/words/console";
import { type Desk, hasAct } from "./console";

/** "1-2-3" as the server writes a throw. */
function faces(text: string): number[] {
  return (text.match(/[1-6]/g) ?? []).map(Number);
}

export function Exposure({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const { exposure } = desk.staff;
  const money = desk.rules.money;
  const throws = Object.entries(exposure.by_throw).sort((one, other) => one[1] - other[1]);
  return (
    <section class="card" aria-label={t.exposure}>
      <dl class="card-facts exposure">
        <div>
          <dt>{t.staked}</dt>
          <dd>
            <Amount minor={desk.view.staked} money={money} />
          </dd>
        </div>
        <div>
          <dt>{t.worst}</dt>
          {exposure.worst_throw === null ? (
            <dd>{consoleWords().desk.nothingAtRisk}</dd>
          ) : (
            <dd class="worst">
              {exposure.worst_result !== 0 && <Dice faces={faces(exposure.worst_throw)} size={24} />}
              <Amount minor={exposure.worst_result} money={money} signed />
            </dd>
          )}
        </div>
        {hasAct(desk.book, "roll") && (
          <div>
            <dt>{consoleWords().desk.mostOverHand}</dt>
            <dd>
              <Amount minor={-exposure.rest_of_hand_most} money={money} signed />
            </dd>
          </div>
        )}
      </dl>
      {exposure.worst_throw !== null && (
        <details class="throws">
          <summary>{consoleWords().desk.allThrows}</summary>
          <ul>
            {throws.map(([thrown, result]) => (
              <li key={thrown}>
                <Dice faces={faces(thrown)} size={18} /> <Amount minor={result} money={money} signed />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
