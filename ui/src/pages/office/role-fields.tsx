/** A role, and where it applies: at a table whose book has it, or in the whole house. */

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Choice } from "../../components/field";
import { officeWords } from "../../i18n/words/office";
import { byTable, tableLabel } from "../../live/names";
import { place } from "../../shell/router";
import { type RoleInfo, roleName } from "./roles";

const HOUSE = "";

export interface RoleChoice {
  role: string;
  /** Null for the whole house. */
  table: string | null;
  setRole: (role: string) => void;
  setTable: (table: string) => void;
}

/** The table chosen last: the next person usually works there, too. */
const lastTable = signal(HOUSE);

/** Starts with the table that the URL names, or else the one chosen last. */
export function useRoleChoice(roles: readonly RoleInfo[]): RoleChoice {
  const [role, setRole] = useState("player");
  const named = place.value.query.get("table");
  useEffect(() => {
    if (named !== null) lastTable.value = named;
  }, [named]);
  const table = lastTable.value;
  const there = roles.find(one => one.role === role)?.tables.includes(table) ?? false;
  const setTable = (chosen: string): void => {
    lastTable.value = chosen;
  };
  return { role, table: there ? table : null, setRole, setTable };
}

export function RoleFields({ roles, choice }: { roles: readonly RoleInfo[]; choice: RoleChoice }) {
  const t = officeWords().people;
  const tables = roles.find(one => one.role === choice.role)?.tables ?? [];
  return (
    <>
      <Choice
        label={t.role}
        value={choice.role}
        options={roles.map(one => ({ value: one.role, name: roleName(one.role, roles) }))}
        onValue={choice.setRole}
      />
      <Choice
        label={t.where}
        value={choice.table ?? HOUSE}
        options={[
          { value: HOUSE, name: t.house },
          ...[...tables].sort(byTable).map(one => ({ value: one, name: tableLabel(one) })),
        ]}
        onValue={choice.setTable}
      />
    </>
  );
}
