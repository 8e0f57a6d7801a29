/** Odds in Chinese wording; books have only these few forms. */

const CHINESE: readonly [RegExp, string][] = [
  [/^([\d,]+) to ([\d,]+)$/, "$2賠$1"],
  [/^([\d,]+) for ([\d,]+)$/, "$2得$1"],
  [/^([\d,]+) wins? ([\d,]+)$/, "$1贏$2"],
  [/^push$/, "和局"],
  [/^lose$/, "輸"],
];

/** "8 to 1" is 1賠8. "For" (得) includes the stake. */
export function chineseOdds(odds: string): string {
  const [form, chinese] = CHINESE.find(([one]) => one.test(odds)) ?? [/$/, ""];
  return odds.replace(form, chinese);
}

/** Odds in Simplified Chinese. */
export function simplifiedOdds(odds: string): string {
  return odds.replace("賠", "赔").replace("贏", "赢").replace("輸", "输").replace("還", "还");
}
