/** A person by display name, with the sign-in name as the title. */

import { actorName } from "../i18n/names";
import { personName } from "../live/names";

export function Person({ name }: { name: string }) {
  return <span title={actorName(name) ?? name}>{personName(name)}</span>;
}
