/** The person's name and roles. */

import type { Me } from "../../api/types";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { byTable } from "../../live/names";
import { useHouseNames } from "./names";

/** Each role with the tables at which it is held; without tables if it is held in the whole house. */
function byRole(who: Me): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { role } of who.roles) {
    const grants = who.roles.filter(one => one.role === role);
    const everywhere = grants.some(one => !one.table);
    found.set(role, everywhere ? [] : grants.flatMap(one => one.table ?? []));
  }
  return found;
}

export function Identity({ who }: { who: Me }) {
  const t = accountWords();
  const names = useHouseNames(who.roles.flatMap(one => (one.table ? [one.table] : [])));
  return (
    <header class="page-head">
      <div>
        <p class="card-kind">{words().titles.account}</p>
        <h1>{who.shown}</h1>
        <p class="lead">{t.signsInAs(who.name)}</p>
        <ul class="own-roles" aria-label={t.roles}>
          {who.roles.length === 0 && <li>{t.noRoles}</li>}
          {[...byRole(who)].map(([role, tables]) => (
            <li key={role}>
              <strong>{names.role(role, tables[0] ?? null)}</strong>{" "}
              <span class="soft">
                {tables.length > 0 ? t.roleAt([...tables].sort(byTable).map(names.table).join(t.and)) : t.inTheHouse}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </header>
  );
}
