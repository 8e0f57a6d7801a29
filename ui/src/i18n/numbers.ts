/** Counts inside messages. */

import { language } from "./language";

/** A count with the separators of the page's language. */
export function counted(count: number): string {
  return count.toLocaleString(language.value);
}
