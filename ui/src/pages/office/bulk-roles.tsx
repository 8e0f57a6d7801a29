/** Assigning a role to several people, or removing it: one command each, with its result. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { components } from "../../api/schema";
import { Button } from "../../components/button";
import { Form } from "../../components/form";
import { problemWords } from "../../components/problem-note";
import { officeWords } from "../../i18n/words/office";
import { tableLabel } from "../../live/names";
import { RoleFields, useRoleChoice } from "./role-fields";
import { type RoleInfo, roleName } from "./roles";

type PersonInfo = components["schemas"]["PersonInfo"];

interface Result {
  person: PersonInfo;
  /** Null if it succeeded. */
  refused: string | null;
}

interface BulkRolesProps {
  chosen: readonly PersonInfo[];
  roles: readonly RoleInfo[];
  /** Whether some of it succeeded. */
  onDone: () => void;
  onNone: () => void;
}

export function BulkRoles({ chosen, roles, onDone, onNone }: BulkRolesProps) {
  const t = officeWords().people;
  const choice = useRoleChoice(roles);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ title: string; results: readonly Result[] } | null>(null);
  const { role, table } = choice;
  const act = async (way: "give" | "take"): Promise<void> => {
    setBusy(true);
    const results: Result[] = [];
    const title = t.severalDone[way](
      roleName(role, roles),
      table === null ? t.wholeHouse : t.atTable(tableLabel(table)),
    );
    // One after another: the roles that one person may hold can depend on those just assigned to another.
    for (const person of chosen) {
      const refused = await changed(way, person.name, role, table);
      results.push({ person, refused });
      setOutcome({ title, results: [...results] });
    }
    setBusy(false);
    onDone();
  };
  return (
    <section class="several" aria-label={t.several(chosen.length)}>
      {chosen.length > 0 && (
        <>
          <p>
            <strong>{t.several(chosen.length)}</strong>{" "}
            <Button tone="quiet" disabled={busy} onClick={onNone}>
              {t.chooseNobody}
            </Button>
          </p>
          <Form class="office-form giving" onSend={() => void act("give")}>
            <RoleFields roles={roles} choice={choice} />
            <div class="buttons">
              <Button type="submit" tone="main" busy={busy}>
                {t.give}
              </Button>
              <Button busy={busy} onClick={() => void act("take")}>
                {t.takeTheRole}
              </Button>
            </div>
          </Form>
        </>
      )}
      <div role="status">
        {outcome !== null && (
          <>
            <h3>{outcome.title}</h3>
            <ul class="several-results">
              {outcome.results.map(({ person, refused }) => (
                <li key={person.name} class={refused === null ? "verdict-good" : "verdict-bad"}>
                  {refused === null ? "✓" : "✗"} {person.shown} <span class="soft">{person.name}</span>
                  {refused !== null && <>: {refused}</>}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

/** Why it was refused; null if it succeeded. */
async function changed(way: "give" | "take", name: string, role: string, table: string | null): Promise<string | null> {
  const path = { name };
  const query = { role, ...(table === null ? {} : { table }) };
  try {
    await unwrap(
      way === "give"
        ? api.POST("/api/v1/people/{name}/roles", { params: { path }, body: { role, table } })
        : api.DELETE("/api/v1/people/{name}/roles", { params: { path, query } }),
    );
    return null;
  } catch (thrown) {
    return problemWords(asProblem(thrown));
  }
}
