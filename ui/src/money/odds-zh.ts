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

const ENGLISH: readonly [RegExp, string][] = [
  [/^([\d,]+) *[賠赔] *([\d,]+)$/, "$2 to $1"],
  [/^([\d,]+) *得 *([\d,]+)$/, "$2 for $1"],
  [/^([\d,]+) *[贏赢] *([\d,]+)$/, "$1 wins $2"],
  [/^和局?$/, "push"],
  [/^[輸输]$/, "lose"],
];

/** Odds that were typed in Chinese, as the server reads them; anything else as it is. */
export function englishOdds(typed: string): string {
  const [form, english] = ENGLISH.find(([one]) => one.test(typed.trim())) ?? [/$/, ""];
  return typed.trim().replace(form, english);
}

/** Odds in Simplified Chinese. */
export function simplifiedOdds(odds: string): string {
  return odds.replace("賠", "赔").replace("贏", "赢").replace("輸", "输").replace("還", "还");
}
