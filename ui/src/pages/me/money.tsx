/** One's chips in the rail and on layouts, of every kind of money. */

import { api, told } from "../../api/client";
import { useAsked } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { labelled } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { currencyOf } from "../../money/amounts";
import { Card } from "./parts";

export function Balances() {
  const say = accountWords();
  const { asked, again } = useAsked(() => told(api.GET("/api/v1/me/balances")), []);
  return (
    <Card title={say.chips} lead={say.chipsLead} wide>
      {asked.state === "waiting" && <Waiting />}
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {asked.state === "here" && asked.told.length === 0 && <p class="soft">{say.chipsNone}</p>}
      {asked.state === "here" && (
        <ul class="own-balances">
          {asked.told.map(one => (
            <li key={one.money}>
              <span class="own-money">
                {one.play_money ? say.playOf(currencyOf(one.money)) : say.realOf(currencyOf(one.money))}
              </span>
              <strong class="own-balance">
                <Amount minor={one.balance} money={one.money} />
              </strong>
              <span class="soft">
                {labelled(say.atStake)}
                <Amount minor={one.at_stake} money={one.money} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
