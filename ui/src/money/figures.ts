/** Formats of figures: digits, and the minus sign of amounts. */

import { locale } from "../i18n";
import { withMinus } from "./amounts";

const written = (value: number, style: Intl.NumberFormatOptions): string =>
  withMinus(new Intl.NumberFormat(locale.value, style).format(value));

/** A share as a percentage: 2.64%. */
export function percentage(value: number, options: { signed?: boolean } = {}): string {
  const small = value !== 0 && Math.abs(value) < 0.001;
  return written(value, {
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 5 : 2,
    signDisplay: options.signed ? "exceptZero" : "auto",
  });
}

/** With a fixed number of decimals, so that the decimal points of a column are aligned. */
export function rounded(value: number, digits = 0): string {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten: 10⁶. */
export function powerOfTen(exponent: number): string {
  return `10${[...String(Math.round(exponent))].map(digit => RAISED[Number(digit)] ?? "⁻").join("")}`;
}
