/** People and their roles; `rest` names one of them. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Choice, Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { officeWords } from "../../i18n/words/office";
import { address, go } from "../../shell/router";
import { isManager } from "../../shell/session";
import { Several } from "./bulk-roles";
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
  const say = officeWords().people;
  const roles = useRoles();
  return (
    <>
      <PageHead title={say.title} lead={say.lead} />
      <List roles={roles} />
      {isManager() && <Add roles={roles} />}
      <HousePolicy />
    </>
  );
}

function List({ roles }: { roles: readonly RoleInfo[] }) {
  const say = officeWords().people;
  const [find, setFind] = useState("");
  const [role, setRole] = useState(ANY);
  const [more, setMore] = useState<{ people: PersonInfo[]; next: string | null }>({ people: [], next: null });
  const query = { limit: PAGE, ...(find.trim() ? { find: find.trim() } : {}), ...(role ? { role } : {}) };
  const { asked, again } = useAsked(() => told(api.GET("/api/v1/people", { params: { query } })), [find, role]);
  useEffect(() => {
    if (asked.state === "here") setMore({ people: asked.told.people, next: asked.told.next });
  }, [asked]);
  const following = useSending();
  const showMore = (after: string): void => {
    void following.send(async () => {
      const page = await told(api.GET("/api/v1/people", { params: { query: { ...query, after } } }));
      setMore(before => ({ people: [...before.people, ...page.people], next: page.next }));
    }, say.moreShown);
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
    <Card title={say.everybody}>
      <div class="office-bar">
        <Field label={say.find} type="search" value={find} onValue={setFind} maxLength={60} />
        <Choice
          label={say.role}
          value={role}
          options={[{ value: ANY, name: say.anyRole }, ...options]}
          onValue={setRole}
        />
      </div>
      {isManager() && (
        <Several chosen={[...chosen.values()]} roles={roles} onDone={again} onNone={() => setChosen(new Map())} />
      )}
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {asked.state === "waiting" && <Waiting />}
      {asked.state === "here" && more.people.length === 0 && <p class="note">{say.nobody}</p>}
      <ul class="persons">
        {more.people.map(person => (
          <li key={person.name}>
            <span class="person-name">
              {isManager() && (
                <input
                  type="checkbox"
                  checked={chosen.has(person.name)}
                  aria-label={say.choose(person.shown)}
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
              {person.roles.length === 0 && <span class="soft">{say.noRoleYet}</span>}
              {!person.active && <span class="tag tag-bad">{say.closed}</span>}
              {person.excluded_until !== null && Date.parse(person.excluded_until) > Date.now() && (
                <span class="tag tag-bad">{say.excluded}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more.next !== null && (
        <div class="buttons">
          <Button busy={following.busy} onClick={() => more.next !== null && showMore(more.next)}>
            {say.more}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Add({ roles }: { roles: readonly RoleInfo[] }) {
  const say = officeWords().people;
  const [name, setName] = useState("");
  const [shown, setShown] = useState("");
  const [role, setRole] = useState(ANY);
  const sending = useSending();
  const add = async (): Promise<void> => {
    const body = { name, roles: role === ANY ? [] : [{ role }], ...(shown.trim() ? { shown: shown.trim() } : {}) };
    if (await sending.send(() => told(api.POST("/api/v1/people", { body })), say.added(name))) {
      go(address`/floor/people/${name}`);
    }
  };
  const house = roles.filter(one => one.house || !one.staff);
  return (
    <Card title={say.add} lead={say.addLead}>
      <ActForm sending={sending} onSend={() => void add()} class="adding">
        <Field
          label={say.name}
          hint={say.nameHint}
          value={name}
          onValue={setName}
          autocapitalize="none"
          maxLength={40}
        />
        <Field label={say.shown} value={shown} onValue={setShown} maxLength={60} />
        <Choice
          label={say.firstRole}
          value={role}
          options={[
            { value: ANY, name: say.roleLater },
            ...house.map(one => ({ value: one.role, name: roleName(one.role, roles) })),
          ]}
          onValue={setRole}
        />
        <Button type="submit" tone="main" busy={sending.busy} disabled={name.trim() === ""}>
          {say.addGo}
        </Button>
      </ActForm>
    </Card>
  );
}
