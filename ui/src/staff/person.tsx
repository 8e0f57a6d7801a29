/** Somebody, by the name that the house knows them by; the name they sign in with is the title, in case of doubt. */

import { actorName } from "../i18n/names";
import { personName } from "../live/names";

export function Person({ name }: { name: string }) {
  return <span title={actorName(name) ?? name}>{personName(name)}</span>;
}
