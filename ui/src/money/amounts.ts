/** The format of amounts: the same for a currency everywhere. Amounts are whole minor units. */

const PLAY = "play-";
/** Signs that distinguish dollars, because `Intl` writes a bare $ in some locales. */
const SIGNS: Readonly<Record<string, string>> = {
  AUD: "A$",
  CAD: "CA$",
  HKD: "HK$",
  NZD: "NZ$",
  SGD: "S$",
  TWD: "NT$",
  USD: "US$",
};
/** The sign of play money, which is worth nothing. */
export const PLAY_SIGN = "◇";

export interface AmountStyle {
  /** With a plus sign for gains. */
  signed?: boolean;
  /** Without decimals if they are zero: for chips and limits. */
  short?: boolean;
}

export function isPlayMoney(money: string): boolean {
  return money.startsWith(PLAY);
}

export function currencyOf(money: string): string {
  return money.replace(PLAY, "");
}

const decimalsKnown = new Map<string, number>();

/** The number of decimals of a currency. */
export function decimalsOf(money: string): number {
  const currency = currencyOf(money);
  let known = decimalsKnown.get(currency);
  if (known === undefined) {
    known = format("en", currency).resolvedOptions().maximumFractionDigits ?? 2;
    decimalsKnown.set(currency, known);
  }
  return known;
}

const formats = new Map<string, Intl.NumberFormat>();

function format(locale: string, currency: string, digits?: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits ?? ""}`;
  let made = formats.get(key);
  if (made === undefined) {
    const fixed = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    made = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol", ...fixed });
    formats.set(key, made);
  }
  return made;
}

/** An exact amount, a fraction of minor units like 5/2, in whole units: 0.025. */
export function exactText(exact: string, money: string): string {
  const [above, below] = exact.split("/").map(Number);
  const decimals = decimalsOf(money);
  const figure = (above ?? 0) / (below ?? 1) / 10 ** decimals;
  return withMinus(String(Number(figure.toFixed(decimals + 6))));
}

/** A number formatted by `Intl`, with the minus sign of amounts. */
export function withMinus(figure: string): string {
  return figure.replace("-", "−");
}

function signOf(money: string, usual: string): string {
  return isPlayMoney(money) ? PLAY_SIGN : (SIGNS[money] ?? usual);
}

/** A formatted amount: US$1,250.00, −S$3.00, ◇500. */
export function amountText(minor: number, money: string, locale: string, style: AmountStyle = {}): string {
  const decimals = decimalsOf(money);
  const unit = 10 ** decimals;
  const digits = style.short && minor % unit === 0 ? 0 : decimals;
  const parts = format(locale, currencyOf(money), digits).formatToParts(Math.abs(minor) / unit);
  const figures = parts
    .filter(part => part.type !== "literal")
    .map(part => (part.type === "currency" ? signOf(money, part.value) : part.value))
    .join("");
  const sign = minor < 0 ? "−" : style.signed && minor > 0 ? "+" : "";
  return sign + figures;
}

/** Parses an amount that a person typed, in minor units; null if it is not valid. Commas separate thousands only: 2,50
 * is not 250. Full-width digits, as typed on Chinese keyboards, are accepted; amounts beyond exact integers are not. */
export function amountTyped(text: string, money: string): number | null {
  const plain = text.normalize("NFKC").replace(/\s/g, "");
  const decimals = decimalsOf(money);
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(plain);
  const [, whole = "", part = ""] = match ?? [];
  if (match === null || part.length > decimals) return null;
  const minor = Number(whole.replaceAll(",", "") + part.padEnd(decimals, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}
