/** One's chips in the rail and on layouts, of every kind of money. */

import { api, unwrap } from "../../api/client";
import { useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { labelled } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { currencyOf } from "../../money/amounts";
import { Card } from "./parts";

export function Balances() {
  const t = accountWords();
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/me/balances")), []);
  return (
    <Card title={t.chips} lead={t.chipsLead} wide>
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loaded" && response.data.length === 0 && <p class="soft">{t.chipsNone}</p>}
      {response.state === "loaded" && (
        <ul class="own-balances">
          {response.data.map(one => (
            <li key={one.money}>
              <span class="own-money">
                {one.play_money ? t.playOf(currencyOf(one.money)) : t.realOf(currencyOf(one.money))}
              </span>
              <strong class="own-balance">
                <Amount minor={one.balance} money={one.money} />
              </strong>
              <span class="soft">
                {labelled(t.atStake)}
                <Amount minor={one.at_stake} money={one.money} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
