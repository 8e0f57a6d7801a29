/** Somebody, by the name that the house knows them by; the name they sign in with is the title, for who is in doubt. */

import { ownInChinese } from "../i18n/server";
import { personName } from "../live/names";

export function Person({ name }: { name: string }) {
  return <span title={ownInChinese(name) ?? name}>{personName(name)}</span>;
}
