/** Small pieces of the pages about books. */

import type { ComponentChildren } from "preact";
import type { Figure } from "../../api/types";
import { withMinus } from "../../money/amounts";
import { locale, words } from "../../words";

export function Clauses({ clauses }: { clauses: readonly string[] }) {
  if (clauses.length === 0) return null;
  return <span class="clause">{words().problem.clause(clauses.join(", "))}</span>;
}

export function Section(props: { id: string; title: string; lead?: string; children: ComponentChildren }) {
  return (
    <section class="book-part" id={props.id}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft">{props.lead}</p>}
      {props.children}
    </section>
  );
}

/** A fact with its name; nothing where there is none. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === null || children === undefined || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A share to look at: 2.64%. */
export function percentage(value: number, options: { signed?: boolean } = {}): string {
  const small = value !== 0 && Math.abs(value) < 0.001;
  const format = new Intl.NumberFormat(locale.value, {
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 5 : 2,
    signDisplay: options.signed ? "exceptZero" : "auto",
  });
  return withMinus(format.format(value));
}

/** With so many decimals in every row, that the points of a column stand below each other. */
export function rounded(value: number, digits = 2): string {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return withMinus(new Intl.NumberFormat(locale.value, places).format(value));
}

/** A share with its fraction on hover; whoever has no mouse chooses fractions for the whole table. */
export function Share({ figure, exact = false }: { figure: Figure; exact?: boolean }) {
  return <span title={figure.exact}>{exact ? figure.exact : percentage(figure.value)}</span>;
}
