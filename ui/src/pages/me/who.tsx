/** Who this is, and what they do in the house. */

import type { Me } from "../../api/types";
import { words } from "../../words";
import { useHouseNames } from "./names";

export function Who({ who }: { who: Me }) {
  const say = words().own;
  const names = useHouseNames(who.roles.flatMap(one => (one.table ? [one.table] : [])));
  return (
    <header class="page-head">
      <div>
        <p class="card-kind">{say.title}</p>
        <h1>{who.shown}</h1>
        <p class="lead">{say.signsInAs(who.name)}</p>
        <ul class="own-roles" aria-label={say.roles}>
          {who.roles.length === 0 && <li>{say.noRoles}</li>}
          {who.roles.map(({ role, table }) => (
            <li key={`${role} ${table}`}>
              <strong>{names.role(role, table ?? null)}</strong>{" "}
              <span class="soft">{table ? say.roleAt(names.table(table)) : say.inTheHouse}</span>
            </li>
          ))}
        </ul>
      </div>
    </header>
  );
}
