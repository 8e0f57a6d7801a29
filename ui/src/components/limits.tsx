/** The stake limits of a table's areas, in short. */

import { listed, locale, named, words } from "../i18n";
import type { LimitGroup } from "../live/view";
import { amountText } from "../money/amounts";

/** With more groups or names than these, see the odds sign. */
const GROUPS = 3;
const NAMES = 2;

interface LimitsTextProps {
  groups: readonly LimitGroup[];
  money: string;
}

/** "1 to 500 per area", or "1–50 Three of a kind, 5–500 other areas" where limits differ. */
export function LimitsText({ groups, money }: LimitsTextProps) {
  return <>{limitsText(groups, money)}</>;
}

export function limitsText(groups: readonly LimitGroup[], money: string): string {
  const t = words().limits;
  const [only] = groups;
  if (only === undefined) return "";
  if (groups.length === 1) return t.each(rangeText(only, money));
  if (groups.length <= GROUPS && groups.every(one => one.names.length <= NAMES)) {
    return groups.map(one => t.of(rangeText(one, money), namesOf(one))).join(t.between);
  }
  return t.byArea(rangeText(spanOf(groups), money));
}

/** The areas of a group by name; those without a name are the others. */
export function namesOf(group: LimitGroup): string {
  return group.names.length === 0 ? words().limits.others : listed(group.names.map(named));
}

export function rangeText(
  { stake_min, stake_max }: Pick<LimitGroup, "stake_min" | "stake_max">,
  money: string,
): string {
  const amount = (minor: number): string => amountText(minor, money, locale.value, { short: true });
  const t = words().limits;
  return stake_max === null ? t.from(amount(stake_min)) : t.range(amount(stake_min), amount(stake_max));
}

function spanOf(groups: readonly LimitGroup[]): Pick<LimitGroup, "stake_min" | "stake_max"> {
  const most = groups.map(one => one.stake_max);
  return {
    stake_min: Math.min(...groups.map(one => one.stake_min)),
    stake_max: most.some(one => one === null) ? null : Math.max(...most.map(one => one ?? 0)),
  };
}
