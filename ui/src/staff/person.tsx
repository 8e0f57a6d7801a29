/** Somebody, by the name that the house knows them by; the name they sign in with is the title, for who is in doubt. */

import { personName } from "../live/names";

export function Person({ name }: { name: string }) {
  return <span title={name}>{personName(name)}</span>;
}
