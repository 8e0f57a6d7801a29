/** What waits for a second person at this table, and what the house stands to lose. */

import { useEffect } from "preact/hooks";
import { useAsked } from "../api/asking";
import { api, told } from "../api/client";
import { asProblem } from "../api/problems";
import { Amount } from "../components/amount";
import { Button } from "../components/button";
import { toastProblem } from "../components/toasts";
import { words } from "../words";
import { type Desk, roleNames } from "./desk";

const EVERY = 5_000;

export function Approvals({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const { asked, again } = useAsked(() => told(api.GET("/api/v1/approvals")), [desk.view.step]);
  useEffect(() => {
    const timer = setInterval(again, EVERY);
    return () => clearInterval(timer);
  }, [again]);
  const all = asked.state === "here" ? asked.told.approvals : asked.state === "failed" ? asked.before?.approvals : [];
  const here = (all ?? []).filter(one => one.table === desk.live.id && one.standing === "waiting");
  if (here.length === 0) return null;
  const answer = (number: string, way: "approve" | "refuse"): void => {
    const params = { path: { number } };
    const sent =
      way === "approve"
        ? told(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} }))
        : told(api.POST("/api/v1/approvals/{number}/refuse", { params, body: { words: "" } }));
    sent.then(again, thrown => toastProblem(asProblem(thrown)));
  };
  return (
    <section class="card card-wanted">
      <h2>{say.approvals}</h2>
      <ul class="rules">
        {here.map(one => (
          <li key={one.id}>
            <div>
              <strong>{String(one.command.type ?? "")}</strong> <span class="soft">{say.asked(one.asker)}</span>
              <p class="soft">{one.words || say.waits(roleNames(desk.book, one.needs))}</p>
            </div>
            {one.yours && (
              <div class="buttons">
                <Button onClick={() => answer(one.id, "approve")}>{say.approve}</Button>
                <Button tone="quiet" onClick={() => answer(one.id, "refuse")}>
                  {say.refuse}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Exposure({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const { exposure } = desk.staff;
  const money = desk.rules.money;
  return (
    <section class="card">
      <h2>{say.exposure}</h2>
      <dl class="card-facts exposure">
        <div>
          <dt>{say.staked}</dt>
          <dd>
            <Amount minor={desk.view.staked} money={money} />
          </dd>
        </div>
        <div>
          <dt>
            {say.worst}
            {exposure.worst_throw !== null && ` ${exposure.worst_throw}`}
          </dt>
          <dd>
            <Amount minor={exposure.worst_result} money={money} signed />
          </dd>
        </div>
      </dl>
    </section>
  );
}
