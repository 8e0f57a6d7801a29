/** An amount of money, the same everywhere. */

import { locale, words } from "../i18n";
import { type AmountStyle, amountText, isPlayMoney } from "../money/amounts";

interface AmountProps extends AmountStyle {
  minor: number;
  money: string;
}

export function Amount({ minor, money, ...style }: AmountProps) {
  const text = amountText(minor, money, locale.value, style);
  const kind = style.signed ? (minor > 0 ? " gain" : minor < 0 ? " loss" : "") : "";
  return (
    <span class={`amount${kind}`} title={isPlayMoney(money) ? words().money.play : undefined}>
      {text}
    </span>
  );
}
