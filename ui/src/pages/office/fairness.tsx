/** The fairness of dice: the evidence against each set, its sources, and the frequency of each face. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { Fact, Facts } from "../../components/facts";
import { Choice } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { percentage, powerOfTen, rounded } from "../../money/figures";
import { address } from "../../shell/router";
import { Chart } from "./chart";
import { Faces, Kinds, times } from "./fairness-counts";
import { Card } from "./parts";

type FairnessInfo = components["schemas"]["Fairness"];
type DiceSet = components["schemas"]["SetWatched"];

export function Fairness({ table }: { table: string }) {
  const request = useRequest(
    () => unwrap(api.GET("/api/v1/tables/{table}/fairness", { params: { path: { table } } })),
    [table],
  );
  return (
    <div class="office fairness">
      <RequestResult request={request}>{fairness => <FairnessReport fairness={fairness} />}</RequestResult>
    </div>
  );
}

function FairnessReport({ fairness }: { fairness: FairnessInfo }) {
  const t = officeWords().fairness;
  const [wanted, setWanted] = useState<string | null>(null);
  if (fairness.automatic) {
    return (
      <div class="note">
        <p>{t.automatic}</p>
        <a href={address`/verify?table=${fairness.table}`}>{t.verify}</a>
      </div>
    );
  }
  const key = (set: DiceSet): string => `${set.dice} ${set.set}`;
  const set = fairness.sets.find(one => key(one) === wanted) ?? fairness.sets[0];
  const options = fairness.sets.map(one => ({ value: key(one), name: setName(one) }));
  return (
    <>
      {fairness.trouble && <p class="note note-bad">{t.trouble(fairness.trouble)}</p>}
      {set === undefined ? (
        <p class="note">{t.nothing}</p>
      ) : (
        <>
          {options.length > 1 && (
            <div class="office-bar">
              <Choice label={t.set} value={key(set)} options={options} onValue={setWanted} />
              {fairness.set_count > fairness.sets.length && (
                <p class="soft">{t.someSets(fairness.sets.length, fairness.set_count)}</p>
              )}
            </div>
          )}
          <Verdict set={set} />
          <Card title={t.chart} lead={t.chartLead}>
            <Evidence set={set} />
          </Card>
          <div class="office-pair">
            <Card title={t.faces} lead={t.facesLead}>
              <Faces set={set} />
            </Card>
            <Card title={t.kinds} lead={t.kindsLead}>
              <Kinds set={set} />
            </Card>
          </div>
          <p class="soft office-foot">
            {t.falseAlarms(
              rounded(fairness.rate.false_alarms_per_year, 2),
              fairness.rate.sets,
              rounded(fairness.rate.days, 1),
            )}
          </p>
        </>
      )}
    </>
  );
}

function setName(set: DiceSet): string {
  const t = officeWords().fairness;
  const name = set.set || t.noName;
  return set.alarm ? `${name} · ${t.alarm}` : set.in_use ? `${name} · ${t.inUse}` : name;
}

function Verdict({ set }: { set: DiceSet }) {
  const t = officeWords().fairness;
  const threshold = 1 / set.level;
  return (
    <Card
      title={set.alarm ? t.alarmTitle(set.set || t.noName) : t.fairTitle(set.set || t.noName)}
      wanted={set.alarm !== null}
    >
      {set.alarm ? (
        <div class="note note-bad" role="alert">
          <p>
            {t.alarmWords(set.alarm.throw)} <Timestamp at={set.alarm.at} />
          </p>
          <p>
            <strong>{t.whatToDo}</strong>
          </p>
        </div>
      ) : (
        <p class="verdict-words">{set.throws < 100 ? t.early : t.fairWords}</p>
      )}
      <Facts>
        <Fact name={t.throws}>{rounded(set.throws)}</Fact>
        <Fact name={t.wealth} hint={t.wealthHint}>
          {times(set.wealth)}
        </Fact>
        <Fact name={t.peak}>{times(set.peak)}</Fact>
        <Fact name={t.threshold} hint={t.level(percentage(set.level))}>
          {times(threshold)}
        </Fact>
        <Fact name={t.since}>
          <Timestamp at={set.since} />
        </Fact>
      </Facts>
    </Card>
  );
}

function Evidence({ set }: { set: DiceSet }) {
  const t = officeWords().fairness;
  const alarm = -Math.log10(set.level);
  const last = set.history.at(-1);
  const columns: Column<DiceSet["history"][number]>[] = [
    { id: "throw", name: t.throws, value: point => point.throw, kind: "figure" },
    {
      id: "wealth",
      name: t.wealth,
      value: point => point.log10_wealth,
      show: point => times(10 ** point.log10_wealth),
      kind: "figure",
    },
  ];
  return (
    <>
      <Chart
        label={t.chartLabel(set.throws, times(10 ** (last?.log10_wealth ?? 0)), times(10 ** alarm))}
        xName={t.throws}
        lineName={t.wealth}
        line={set.history.map(point => ({ x: point.throw, y: point.log10_wealth }))}
        levels={[
          { y: alarm, name: t.alarmLine, tone: "alarm" },
          { y: 0, name: t.oneLine, tone: "calm" },
        ]}
        showX={x => rounded(x)}
        showY={power}
      />
      <details>
        <summary>{t.asTable}</summary>
        <Figures
          caption={t.chart}
          columns={columns}
          rows={set.history}
          rowKey={point => point.throw}
          file="dice"
          filterFrom={Number.POSITIVE_INFINITY}
        />
      </details>
    </>
  );
}

/** A power of ten as a plain number: 1,000 for 3, 0.1 for -1. */
function power(exponent: number): string {
  if (exponent > 5) return powerOfTen(exponent);
  const digits = Math.max(0, Math.ceil(-exponent));
  return rounded(10 ** exponent, Number.isInteger(exponent) ? digits : digits + 1);
}
