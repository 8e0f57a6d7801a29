/** One person: assign and remove roles, create a password link, limits and exclusion, close or reopen the account. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { components } from "../../api/schema";
import { useAsked } from "../../api/use-request";
import { announce } from "../../components/announcements";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { words } from "../../i18n";
import { factorsWords } from "../../i18n/words/factors";
import { officeWords } from "../../i18n/words/office";
import { tableLabel } from "../../live/names";
import { ConfirmFactor } from "../../shell/second-factor";
import { enter, isManager, me } from "../../shell/session";
import { ActForm, Card } from "./parts";
import { PlayLimits } from "./play-limits";
import { RoleFields, useRoleChoice } from "./role-fields";
import { roleName, useRoles } from "./roles";

type PersonPage = components["schemas"]["PersonPage"];

interface PartProps {
  person: PersonPage;
  again: () => void;
}

export function Person({ name }: { name: string }) {
  const say = officeWords().people;
  const asking = useAsked(() => told(api.GET("/api/v1/people/{name}", { params: { path: { name } } })), [name]);
  return (
    <>
      <p>
        <a href="/floor/people">← {say.all}</a>
      </p>
      <Told asking={asking}>
        {person => (
          <>
            <PageHead title={person.shown}>
              <p class="office-meta">
                {person.name} · {say.since} <When at={person.created} />
              </p>
            </PageHead>
            {!person.active && <p class="note note-bad">{say.closedWords}</p>}
            {person.name === me.value?.name && <p class="note">{say.yourself}</p>}
            <Roles person={person} again={asking.again} />
            {isManager() && person.active && <Link person={person} />}
            <Factors person={person} again={asking.again} />
            {person.limits && <PlayLimits person={person} limits={person.limits} again={asking.again} />}
            {isManager() && <Account person={person} again={asking.again} />}
          </>
        )}
      </Told>
    </>
  );
}

function Roles({ person, again }: PartProps) {
  const say = officeWords().people;
  const roles = useRoles();
  const sending = useSending();
  const params = { path: { name: person.name } };
  const take = async (role: string, table: string | null): Promise<void> => {
    const query = { role, ...(table === null ? {} : { table }) };
    const asked = (): Promise<unknown> =>
      told(api.DELETE("/api/v1/people/{name}/roles", { params: { ...params, query } }));
    if (await sending.send(asked, say.taken(roleName(role, roles)))) again();
  };
  return (
    <Card title={say.roles} lead={say.rolesLead}>
      {person.roles.length === 0 && <p class="soft">{say.noRole}</p>}
      <ul class="grants">
        {person.roles.map(grant => (
          <li key={`${grant.role} ${grant.table}`}>
            <span>
              <strong>{roleName(grant.role, roles)}</strong>{" "}
              <span class="soft">
                {grant.table === null ? say.wholeHouse : say.atTable(tableLabel(grant.table ?? ""))}
              </span>
            </span>
            {isManager() && (
              <Button
                tone="quiet"
                busy={sending.busy}
                aria-label={say.takeRole(
                  roleName(grant.role, roles),
                  grant.table === null ? say.wholeHouse : tableLabel(grant.table ?? ""),
                )}
                onClick={() => void take(grant.role, grant.table ?? null)}
              >
                {say.take}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sending.problem && <ProblemNote problem={sending.problem} />}
      {isManager() && <Give person={person} again={again} />}
      <details>
        <summary>{say.conflicts}</summary>
        <ul class="conflicts">
          {say.conflictWords.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

function Give({ person, again }: PartProps) {
  const say = officeWords().people;
  const roles = useRoles();
  const choice = useRoleChoice(roles);
  const { role, table } = choice;
  const sending = useSending();
  const give = async (): Promise<void> => {
    const params = { path: { name: person.name } };
    const body = { role, table };
    const asked = (): Promise<unknown> => told(api.POST("/api/v1/people/{name}/roles", { params, body }));
    if (await sending.send(asked, say.given(roleName(role, roles)))) again();
  };
  return (
    <ActForm sending={sending} onSend={() => void give()} class="giving">
      <RoleFields roles={roles} choice={choice} />
      <Button type="submit" busy={sending.busy}>
        {say.give}
      </Button>
    </ActForm>
  );
}

function Link({ person }: { person: PersonPage }) {
  const say = officeWords().people;
  const [made, setMade] = useState<{ link: string; expires: string } | null>(null);
  const sending = useSending();
  const make = (): void => {
    const params = { path: { name: person.name } };
    void sending.send(async () => {
      setMade(await told(api.POST("/api/v1/people/{name}/link", { params })));
    }, say.linkMade);
  };
  const copy = async (link: string): Promise<void> => {
    await navigator.clipboard.writeText(link);
    announce(words().figures.copied);
  };
  return (
    <Card title={say.link} lead={say.linkLead}>
      {made === null ? (
        <div class="buttons">
          <Button busy={sending.busy} onClick={make}>
            {say.linkMake}
          </Button>
        </div>
      ) : (
        <div class="note">
          <p>{say.linkOnce(person.shown)}</p>
          <code class="one-time-link">{made.link}</code>
          <p class="soft">
            {say.linkUntil} <When at={made.expires} />
          </p>
          <div class="buttons">
            <Button tone="main" onClick={() => void copy(made.link)}>
              {words().figures.copy}
            </Button>
            <Button tone="quiet" onClick={() => setMade(null)}>
              {say.linkHide}
            </Button>
          </div>
        </div>
      )}
      {sending.problem && <ProblemNote problem={sending.problem} />}
    </Card>
  );
}

function Factors({ person, again }: PartProps) {
  const say = officeWords().people;
  const [why, setWhy] = useState("");
  const sending = useSending();
  const reset = async (): Promise<void> => {
    const params = { path: { name: person.name } };
    const asked = (): Promise<unknown> =>
      told(api.POST("/api/v1/people/{name}/factor-reset", { params, body: { words: why } }));
    if (await sending.send(asked, say.factorsDone)) {
      setWhy("");
      again();
    }
  };
  const factors = person.factors ?? [];
  if (factors.length === 0 && !person.factor_required) return null;
  const mayReset = isManager() && factors.length > 0 && person.name !== me.value?.name;
  return (
    <Card title={say.factors} {...(mayReset ? { lead: say.factorsLead } : {})}>
      {factors.length === 0 && <p class="soft">{say.factorsNeeded}</p>}
      <ul class="grants">
        {factors.map(one => (
          <li key={one.id}>
            <span>
              <strong>{one.name}</strong> <span class="soft">{factorsWords().kinds[one.kind] ?? one.kind}</span>
            </span>
          </li>
        ))}
      </ul>
      {sending.problem?.kind === "recent-factor-required" ? (
        <ConfirmFactor
          onConfirmed={who => {
            enter(who);
            void reset();
          }}
        />
      ) : (
        mayReset && (
          <ActForm sending={sending} onSend={() => void reset()}>
            <Field label={say.factorsWhy} value={why} onValue={setWhy} maxLength={400} />
            <Button type="submit" tone="danger" busy={sending.busy} disabled={why.trim() === ""}>
              {say.factorsReset}
            </Button>
          </ActForm>
        )
      )}
    </Card>
  );
}

function Account({ person, again }: PartProps) {
  const say = officeWords().people;
  const [why, setWhy] = useState("");
  const sending = useSending();
  const params = { path: { name: person.name } };
  const close = async (): Promise<void> => {
    const asked = (): Promise<unknown> =>
      told(api.POST("/api/v1/people/{name}/deactivation", { params, body: { words: why } }));
    if (await sending.send(asked, say.closedDone)) {
      setWhy("");
      again();
    }
  };
  const open = async (): Promise<void> => {
    if (await sending.send(() => told(api.DELETE("/api/v1/people/{name}/deactivation", { params })), say.openedDone)) {
      again();
    }
  };
  return (
    <Card title={say.account} lead={person.active ? say.closeLead : say.openLead}>
      <ActForm sending={sending} onSend={() => void (person.active ? close() : open())}>
        {person.active && <Field label={say.why} value={why} onValue={setWhy} maxLength={400} />}
        <Button
          type="submit"
          tone={person.active ? "danger" : "plain"}
          busy={sending.busy}
          disabled={person.active && why.trim() === ""}
        >
          {person.active ? say.close : say.open}
        </Button>
      </ActForm>
    </Card>
  );
}
