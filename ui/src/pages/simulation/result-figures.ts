/** Formats of the figures of a run. */

import { locale } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";
import { decimalsOf, withMinus } from "../../money/amounts";

/** An amount of the run, in minor units; signed by default. */
export type Money = (minor: number, signed?: boolean) => string;

/** The range of the middle 90 %, and the median. */
export function spread(
  low: number | undefined,
  high: number | undefined,
  middle: number | undefined,
  name: (v: number) => string,
) {
  return simulationWords().between(name(low ?? 0), name(high ?? 0), name(middle ?? 0));
}

/** An amount for an axis: 1.5K. */
export function compact(minor: number, currency: string): string {
  const unit = 10 ** decimalsOf(currency);
  const format = new Intl.NumberFormat(locale.value, { notation: "compact", maximumFractionDigits: 1 });
  return withMinus(format.format(minor / unit));
}
