/** Money that entries moved, by account: in one entry, and since a round began. */

import type { Transfer } from "../../api/types";
import { Amount } from "../../components/amount";
import { auditWords } from "../../i18n/words/audit";
import { personName, playerOf } from "../../live/names";

export type Moved = ReadonlyMap<string, number>;

/** The sum of transfers for each account; accounts with a sum of zero stay, because they were involved. */
export function movedBy(transfers: readonly Transfer[]): Moved {
  const sums = new Map<string, number>();
  for (const { legs } of transfers) {
    for (const { account, amount } of legs) sums.set(account, (sums.get(account) ?? 0) + amount);
  }
  return sums;
}

/** The name of an account: `player:ann:USD` is Ann's chips. */
export function accountName(account: string): string {
  const t = auditWords().money;
  const [kind] = account.split(":");
  switch (kind) {
    case "player":
      return t.player(personName(playerOf(account)));
    case "escrow":
    case "float":
    case "dealers":
    case "disputes":
    case "drop":
    case "cage":
      return t[kind];
    default:
      return account;
  }
}

const ORDER = ["player", "escrow", "float", "dealers", "drop", "cage", "disputes"];

/** Players first, then the table's own accounts. */
export function inOrder(accounts: Iterable<string>): string[] {
  const place = (account: string): number => ORDER.indexOf(account.split(":")[0] ?? "");
  return [...accounts].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** The movements of one entry in a line: from whom, to whom. */
export function Movements({ transfers, money }: { transfers: readonly Transfer[]; money: string }) {
  const sums = movedBy(transfers);
  return (
    <ul class="audit-moves">
      {inOrder(sums.keys())
        .filter(account => sums.get(account) !== 0)
        .map(account => (
          <li key={account} title={account}>
            {accountName(account)} <Amount minor={sums.get(account) ?? 0} money={money} signed />
          </li>
        ))}
    </ul>
  );
}

interface StateProps {
  /** Moved by the current entry. */
  now: Moved;
  /** Moved since the round began, including this entry. */
  since: Moved;
  money: string;
}

/** The state of the money: every account involved in the round. */
export function MoneyState({ now, since, money }: StateProps) {
  const t = auditWords().money;
  const accounts = inOrder(since.keys());
  if (accounts.length === 0) return <p class="soft">{t.quiet}</p>;
  const sum = (moved: Moved): number => [...moved.values()].reduce((total, one) => total + one, 0);
  return (
    <table class="audit-table money-state">
      <thead>
        <tr>
          <th scope="col">{t.account}</th>
          <th scope="col" class="figure">
            {t.now}
          </th>
          <th scope="col" class="figure">
            {t.since}
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(account => (
          <tr key={account} data-account={account}>
            <th scope="row">{accountName(account)}</th>
            <td class="figure">
              {now.get(account) ? <Amount minor={now.get(account) ?? 0} money={money} signed /> : "–"}
            </td>
            <td class="figure" data-minor={since.get(account)}>
              <Amount minor={since.get(account) ?? 0} money={money} signed />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.sum}</th>
          <td class="figure">
            <Amount minor={sum(now)} money={money} />
          </td>
          <td class="figure">
            <Amount minor={sum(since)} money={money} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
