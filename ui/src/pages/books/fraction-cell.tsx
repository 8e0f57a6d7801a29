/** A share of a book's figures, with its exact fraction. */

import type { Figure } from "../../api/types";
import { percentage } from "../../money/figures";

/** A share with its fraction on hover; without a mouse, choose fractions for the whole table. */
export function Share({ figure, exact = false }: { figure: Figure; exact?: boolean }) {
  return <span title={figure.exact}>{exact ? figure.exact : percentage(figure.value)}</span>;
}
