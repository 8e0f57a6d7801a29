/** The fairness of dice: the evidence against each set, its sources, and the frequency of each face. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { useAsked } from "../../api/use-request";
import { Fact, Facts } from "../../components/facts";
import { Choice } from "../../components/field";
import { type Column, Figures } from "../../components/figures";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { percentage, powerOfTen, rounded } from "../../money/figures";
import { address } from "../../shell/router";
import { Chart } from "./chart";
import { Faces, Kinds, times } from "./fairness-counts";
import { Card } from "./parts";

type FairnessInfo = components["schemas"]["Fairness"];
type DiceSet = components["schemas"]["SetWatched"];

export function Fairness({ table }: { table: string }) {
  const asking = useAsked(
    () => told(api.GET("/api/v1/tables/{table}/fairness", { params: { path: { table } } })),
    [table],
  );
  return (
    <div class="office fairness">
      <Told asking={asking}>{fairness => <Shown fairness={fairness} />}</Told>
    </div>
  );
}

function Shown({ fairness }: { fairness: FairnessInfo }) {
  const say = officeWords().fairness;
  const [wanted, setWanted] = useState<string | null>(null);
  if (fairness.automatic) {
    return (
      <div class="note">
        <p>{say.automatic}</p>
        <a href={address`/verify?table=${fairness.table}`}>{say.verify}</a>
      </div>
    );
  }
  const key = (set: DiceSet): string => `${set.dice} ${set.set}`;
  const set = fairness.sets.find(one => key(one) === wanted) ?? fairness.sets[0];
  const options = fairness.sets.map(one => ({ value: key(one), name: setName(one) }));
  return (
    <>
      {fairness.trouble && <p class="note note-bad">{say.trouble(fairness.trouble)}</p>}
      {set === undefined ? (
        <p class="note">{say.nothing}</p>
      ) : (
        <>
          {options.length > 1 && (
            <div class="office-bar">
              <Choice label={say.set} value={key(set)} options={options} onValue={setWanted} />
              {fairness.set_count > fairness.sets.length && (
                <p class="soft">{say.someSets(fairness.sets.length, fairness.set_count)}</p>
              )}
            </div>
          )}
          <Verdict set={set} />
          <Card title={say.chart} lead={say.chartLead}>
            <Evidence set={set} />
          </Card>
          <div class="office-pair">
            <Card title={say.faces} lead={say.facesLead}>
              <Faces set={set} />
            </Card>
            <Card title={say.kinds} lead={say.kindsLead}>
              <Kinds set={set} />
            </Card>
          </div>
          <p class="soft office-foot">
            {say.falseAlarms(
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
  const say = officeWords().fairness;
  const name = set.set || say.noName;
  return set.alarm ? `${name} · ${say.alarm}` : set.in_use ? `${name} · ${say.inUse}` : name;
}

function Verdict({ set }: { set: DiceSet }) {
  const say = officeWords().fairness;
  const threshold = 1 / set.level;
  return (
    <Card
      title={set.alarm ? say.alarmTitle(set.set || say.noName) : say.fairTitle(set.set || say.noName)}
      wanted={set.alarm !== null}
    >
      {set.alarm ? (
        <div class="note note-bad" role="alert">
          <p>
            {say.alarmWords(set.alarm.throw)} <When at={set.alarm.at} />
          </p>
          <p>
            <strong>{say.whatToDo}</strong>
          </p>
        </div>
      ) : (
        <p class="verdict-words">{set.throws < 100 ? say.early : say.fairWords}</p>
      )}
      <Facts>
        <Fact name={say.throws}>{rounded(set.throws)}</Fact>
        <Fact name={say.wealth} hint={say.wealthHint}>
          {times(set.wealth)}
        </Fact>
        <Fact name={say.peak}>{times(set.peak)}</Fact>
        <Fact name={say.threshold} hint={say.level(percentage(set.level))}>
          {times(threshold)}
        </Fact>
        <Fact name={say.since}>
          <When at={set.since} />
        </Fact>
      </Facts>
    </Card>
  );
}

function Evidence({ set }: { set: DiceSet }) {
  const say = officeWords().fairness;
  const alarm = -Math.log10(set.level);
  const last = set.history.at(-1);
  const columns: Column<DiceSet["history"][number]>[] = [
    { id: "throw", name: say.throws, value: point => point.throw, kind: "figure" },
    {
      id: "wealth",
      name: say.wealth,
      value: point => point.log10_wealth,
      show: point => times(10 ** point.log10_wealth),
      kind: "figure",
    },
  ];
  return (
    <>
      <Chart
        label={say.chartLabel(set.throws, times(10 ** (last?.log10_wealth ?? 0)), times(10 ** alarm))}
        xName={say.throws}
        lineName={say.wealth}
        line={set.history.map(point => ({ x: point.throw, y: point.log10_wealth }))}
        levels={[
          { y: alarm, name: say.alarmLine, tone: "alarm" },
          { y: 0, name: say.oneLine, tone: "calm" },
        ]}
        showX={x => rounded(x)}
        showY={power}
      />
      <details>
        <summary>{say.asTable}</summary>
        <Figures
          caption={say.chart}
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
