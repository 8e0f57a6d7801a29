/** The cost of each throw to the house now: by total, throw by throw, and the worst. */

import { Amount } from "../../components/amount";
import { Dice } from "../../components/dice";
import { Fact, Facts } from "../../components/facts";
import { type Column, Figures } from "../../components/figures";
import { officeWords } from "../../i18n/words/office";
import type { Rules, Staff, View } from "../../live/view";
import { Card } from "./parts";

interface Throw {
  id: string;
  faces: number[];
  total: number;
  /** The house's result, negative if it loses. */
  result: number;
}

/** The number of shades on either side. */
const SHADES = 4;

export function Exposure(props: { staff: Staff; view: View; rules: Rules; craps: boolean }) {
  const t = officeWords().money;
  const { exposure } = props.staff;
  const money = props.rules.money;
  const throws = throwsOf(exposure.by_throw);
  const worst = throws.find(one => one.id === exposure.worst_throw);
  const mean = fraction(exposure.rest_of_hand_mean);
  return (
    <Card title={t.exposure} lead={t.exposureLead}>
      <Facts>
        <Fact name={t.staked}>
          <Amount minor={props.view.staked} money={money} />
        </Fact>
        <Fact name={t.worst}>
          {worst === undefined || worst.result >= 0 ? (
            t.noWorst
          ) : (
            <span class="worst">
              <Dice faces={worst.faces} size={26} /> <Amount minor={exposure.worst_result} money={money} signed />
            </span>
          )}
        </Fact>
        {props.view.payout_max !== null && (
          <Fact name={t.payoutMax} hint={t.payoutMaxHint}>
            <Amount minor={props.view.payout_max} money={money} />
          </Fact>
        )}
        {props.craps && (
          <>
            <Fact name={t.restMost}>
              <Amount minor={-exposure.rest_of_hand_most} money={money} signed />
            </Fact>
            <Fact name={t.restMean} hint={t.restMeanHint}>
              <span title={exposure.rest_of_hand_mean}>
                <Amount minor={-Math.round(mean)} money={money} signed />
              </span>
            </Fact>
          </>
        )}
      </Facts>
      {worst === undefined ? (
        <p class="note">{t.noBets}</p>
      ) : (
        <>
          <HeatGrid throws={throws} money={money} worst={worst.id} />
          <ThrowTable throws={throws} money={money} />
        </>
      )}
    </Card>
  );
}

function throwsOf(byThrow: Record<string, number>): Throw[] {
  return Object.entries(byThrow).map(([id, result]) => {
    const faces = (id.match(/[1-6]/g) ?? []).map(Number);
    return { id, faces, total: faces.reduce((sum, face) => sum + face, 0), result };
  });
}

/** A fraction as the server writes it: 7/36. */
function fraction(text: string): number {
  const [above = "0", below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

function shade(result: number, most: number): string {
  if (result === 0 || most === 0) return "heat-none";
  const step = Math.max(1, Math.ceil((Math.abs(result) / most) * SHADES));
  return `${result < 0 ? "heat-loss" : "heat-win"}-${step}`;
}

function HeatGrid({ throws, money, worst }: { throws: readonly Throw[]; money: string; worst: string }) {
  const t = officeWords().money;
  const most = Math.max(...throws.map(one => Math.abs(one.result)));
  const totals = [...new Set(throws.map(one => one.total))].sort((a, b) => a - b);
  return (
    <div class="heat" aria-hidden="true">
      {totals.map(total => (
        <div key={total} class="heat-row">
          <span class="heat-total">{total}</span>
          <div class="heat-cells">
            {throws
              .filter(one => one.total === total)
              .map(one => (
                <span
                  key={one.id}
                  class={`heat-cell ${shade(one.result, most)}${one.id === worst && one.result < 0 ? " heat-worst" : ""}`}
                  data-throw={one.id}
                >
                  <Dice faces={one.faces} size={16} />
                  <Amount minor={one.result} money={money} signed short />
                </span>
              ))}
          </div>
        </div>
      ))}
      <p class="soft office-hint">{t.heatKey}</p>
    </div>
  );
}

/** The same data as a table, to sort and for screen readers. */
function ThrowTable({ throws, money }: { throws: readonly Throw[]; money: string }) {
  const t = officeWords().money;
  const columns: Column<Throw>[] = [
    { id: "throw", name: t.throw, value: one => one.id, show: one => <Dice faces={one.faces} size={20} /> },
    { id: "total", name: t.total, value: one => one.total, kind: "figure" },
    {
      id: "result",
      name: t.result,
      value: one => one.result,
      show: one => <Amount minor={one.result} money={money} signed />,
      kind: "figure",
    },
  ];
  return (
    <details>
      <summary>{t.asTable}</summary>
      <Figures
        caption={t.exposure}
        columns={columns}
        rows={throws}
        rowKey={one => one.id}
        file="exposure"
        first={{ column: "result" }}
      />
    </details>
  );
}
