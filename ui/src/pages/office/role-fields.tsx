/** A role, and where it holds: at a table whose book has it, or in the whole house. */

import { useState } from "preact/hooks";
import { Choice } from "../../components/field";
import { officeWords } from "../../i18n/words/office";
import { type RoleInfo, roleName } from "./roles";

const HOUSE = "";

export interface RoleChoice {
  role: string;
  /** null: in the whole house. */
  table: string | null;
  setRole: (role: string) => void;
  setTable: (table: string) => void;
}

export function useRoleChoice(roles: readonly RoleInfo[]): RoleChoice {
  const [role, setRole] = useState("player");
  const [table, setTable] = useState(HOUSE);
  const there = roles.find(one => one.role === role)?.tables.includes(table) ?? false;
  return { role, table: there ? table : null, setRole, setTable };
}

export function RoleFields({ roles, choice }: { roles: readonly RoleInfo[]; choice: RoleChoice }) {
  const say = officeWords().people;
  const tables = roles.find(one => one.role === choice.role)?.tables ?? [];
  return (
    <>
      <Choice
        label={say.role}
        value={choice.role}
        options={roles.map(one => ({ value: one.role, name: roleName(one.role, roles) }))}
        onValue={choice.setRole}
      />
      <Choice
        label={say.where}
        value={choice.table ?? HOUSE}
        options={[
          { value: HOUSE, name: say.wholeHouse },
          ...tables.map(one => ({ value: one, name: say.atTable(one) })),
        ]}
        onValue={choice.setTable}
      />
    </>
  );
}
