/** People and their roles; `rest` is the name of one of them. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { locale } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { address, go } from "../../shell/router";
import { isManager } from "../../shell/session";
import { BulkRoles } from "./bulk-roles";
import { HousePolicy } from "./house-policy";
import { ActForm, Card } from "./parts";
import { Person } from "./person";
import { type RoleInfo, roleName, useRoles } from "./roles";

type PersonInfo = components["schemas"]["PersonInfo"];

const PAGE = 50;
const ANY = "";

export function People({ rest }: { rest: string }) {
  const name = rest.replace(/^\/+|\/+$/g, "");
  return <div class="office people">{name ? <Person key={name} name={name} /> : <Everybody />}</div>;
}

function Everybody() {
  const t = officeWords().people;
  const roles = useRoles();
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <List roles={roles} />
      {isManager() && <Add roles={roles} />}
      <HousePolicy />
    </>
  );
}

function List({ roles }: { roles: readonly RoleInfo[] }) {
  const t = officeWords().people;
  const [find, setFind] = useState("");
  const [role, setRole] = useState(ANY);
  const [more, setMore] = useState<{ people: PersonInfo[]; next: string | null }>({ people: [], next: null });
  const query = { limit: PAGE, ...(find.trim() ? { find: find.trim() } : {}), ...(role ? { role } : {}) };
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/people", { params: { query } })), [find, role]);
  useEffect(() => {
    if (response.state === "loaded") setMore({ people: response.data.people, next: response.data.next });
  }, [response]);
  const following = useSubmission();
  const showMore = (after: string): void => {
    void following.submit(async () => {
      const page = await unwrap(api.GET("/api/v1/people", { params: { query: { ...query, after } } }));
      setMore(before => ({ people: [...before.people, ...page.people], next: page.next }));
    }, t.moreShown);
  };
  const [chosen, setChosen] = useState<ReadonlyMap<string, PersonInfo>>(new Map());
  const choose = (person: PersonInfo, on: boolean): void =>
    setChosen(before => {
      const now = new Map(before);
      if (on) now.set(person.name, person);
      else now.delete(person.name);
      return now;
    });
  const options = roles.map(one => ({ value: one.role, name: roleName(one.role, roles) }));
  return (
    <Card title={t.everybody}>
      <div class="office-bar">
        <Field label={t.find} type="search" value={find} onValue={setFind} maxLength={60} />
        <Choice label={t.role} value={role} options={[{ value: ANY, name: t.anyRole }, ...options]} onValue={setRole} />
      </div>
      {isManager() && (
        <BulkRoles chosen={[...chosen.values()]} roles={roles} onDone={reload} onNone={() => setChosen(new Map())} />
      )}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loading" && <Waiting />}
      {response.state === "loaded" && more.people.length === 0 && <p class="note">{t.nobody}</p>}
      <ul class="persons">
        {byShownName(more.people).map(person => (
          <li key={person.name}>
            <span class="person-name">
              {isManager() && (
                <input
                  type="checkbox"
                  checked={chosen.has(person.name)}
                  aria-label={t.choose(person.shown)}
                  onChange={event => choose(person, event.currentTarget.checked)}
                />
              )}
              <span>
                <a href={address`/floor/people/${person.name}`}>{person.shown}</a>{" "}
                <span class="soft">{person.name}</span>
              </span>
            </span>
            <span class="person-roles">
              {[...new Set(person.roles.map(one => one.role))].map(one => (
                <span key={one} class="tag">
                  {roleName(one, roles)}
                </span>
              ))}
              {person.roles.length === 0 && <span class="soft">{t.noRoleYet}</span>}
              {!person.active && <span class="tag tag-bad">{t.closed}</span>}
              {person.excluded_until !== null && Date.parse(person.excluded_until) > Date.now() && (
                <span class="tag tag-bad">{t.excluded}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more.next !== null && (
        <div class="buttons">
          <Button busy={following.busy} onClick={() => more.next !== null && showMore(more.next)}>
            {t.more}
          </Button>
        </div>
      )}
    </Card>
  );
}

function byShownName(people: readonly PersonInfo[]): PersonInfo[] {
  const { compare } = new Intl.Collator(locale.value, { numeric: true });
  return [...people].sort((one, other) => compare(one.shown, other.shown) || compare(one.name, other.name));
}

function Add({ roles }: { roles: readonly RoleInfo[] }) {
  const t = officeWords().people;
  const [name, setName] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [role, setRole] = useState(ANY);
  const submission = useSubmission();
  const add = async (): Promise<void> => {
    const body = {
      name,
      roles: role === ANY ? [] : [{ role }],
      ...(displayName.trim() ? { shown: displayName.trim() } : {}),
    };
    if (await submission.submit(() => unwrap(api.POST("/api/v1/people", { body })), t.added(name))) {
      go(address`/floor/people/${name}`);
    }
  };
  const house = roles.filter(one => one.house || !one.staff);
  return (
    <Card title={t.add} lead={t.addLead}>
      <ActForm sending={submission} onSend={() => void add()} class="adding">
        <Field label={t.name} hint={t.nameHint} value={name} onValue={setName} autocapitalize="none" maxLength={40} />
        <Field label={t.shown} value={displayName} onValue={setDisplayName} maxLength={60} />
        <Choice
          label={t.firstRole}
          value={role}
          options={[
            { value: ANY, name: t.roleLater },
            ...house.map(one => ({ value: one.role, name: roleName(one.role, roles) })),
          ]}
          onValue={setRole}
        />
        <Button type="submit" tone="main" busy={submission.busy} disabled={name.trim() === ""}>
          {t.addGo}
        </Button>
      </ActForm>
    </Card>
  );
}
