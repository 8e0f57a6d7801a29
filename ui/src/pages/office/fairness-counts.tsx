/** The frequency of each face of a set, and the kinds of evidence against it. */

import type { components } from "../../api/schema";
import { Dice } from "../../components/dice";
import { officeWords } from "../../i18n/words/office";
import { percentage, powerOfTen, rounded } from "../../money/figures";

type DiceSet = components["schemas"]["SetWatched"];

/** A wealth: a multiple of what was staked. */
export function times(value: number): string {
  if (value >= 1e15) return `${powerOfTen(Math.log10(value))} ×`;
  if (value >= 1e6) return `${rounded(Number(value.toPrecision(2)))} ×`;
  return `${rounded(value, value >= 100 ? 0 : 2)} ×`;
}

export function Faces({ set }: { set: DiceSet }) {
  const t = officeWords().fairness;
  const all = set.counts.reduce((sum, one) => sum + one, 0);
  const most = Math.max(...set.counts, all / 6, 1);
  return (
    <table class="faces">
      <caption class="unseen">{t.faces}</caption>
      <thead>
        <tr>
          <th scope="col">{t.face}</th>
          <th scope="col">
            <span class="unseen">{t.bar}</span>
          </th>
          <th scope="col" class="figure">
            {t.count}
          </th>
          <th scope="col" class="figure">
            {t.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {set.counts.map((count, index) => (
          <tr key={index}>
            <th scope="row">
              <Dice faces={[index + 1]} size={26} />
            </th>
            <td class="faces-bar">
              <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
                <rect class="bar-track" width="100" height="14" />
                <rect class="bar" width={(count / most) * 100} height="14" />
                <line class="faces-fair" x1={(all / 6 / most) * 100} x2={(all / 6 / most) * 100} y1="0" y2="14" />
              </svg>
            </td>
            <td class="figure">{rounded(count)}</td>
            <td class="figure">{all ? percentage(count / all) : "–"}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t.fairShare}
          </th>
          <td class="figure">{rounded(all / 6, 1)}</td>
          <td class="figure">{percentage(1 / 6)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

export function Kinds({ set }: { set: DiceSet }) {
  const t = officeWords().fairness;
  const rows = Object.entries(set.parts).sort((a, b) => b[1] - a[1]);
  return (
    <ul class="kinds">
      {rows.map(([kind, log]) => (
        <li key={kind}>
          <div>
            <strong>{t.kindNames[kind] ?? kind}</strong>
            <p class="soft">{t.kindWords[kind] ?? ""}</p>
          </div>
          <span class="figure">{times(10 ** log)}</span>
        </li>
      ))}
    </ul>
  );
}
