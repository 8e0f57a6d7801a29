/** One person: assign and remove roles, create a password link, limits and exclusion, close or reopen the account. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { useRequest } from "../../api/use-request";
import { announce } from "../../components/announcements";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { words } from "../../i18n";
import { factorsWords } from "../../i18n/words/factors";
import { officeWords } from "../../i18n/words/office";
import { tableLabel } from "../../live/names";
import { ConfirmFactor } from "../../shell/second-factor";
import { isManager, me, setSession } from "../../shell/session";
import { ActForm, Card } from "./parts";
import { PlayLimits } from "./play-limits";
import { RoleFields, useRoleChoice } from "./role-fields";
import { roleName, useRoles } from "./roles";

type PersonPage = components["schemas"]["PersonPage"];

interface PartProps {
  person: PersonPage;
  reload: () => void;
}

export function Person({ name }: { name: string }) {
  const t = officeWords().people;
  const request = useRequest(() => unwrap(api.GET("/api/v1/people/{name}", { params: { path: { name } } })), [name]);
  return (
    <>
      <p>
        <a href="/floor/people">← {t.all}</a>
      </p>
      <RequestResult request={request}>
        {person => (
          <>
            <PageHead title={person.shown}>
              <p class="office-meta">
                {person.name} · {t.since} <Timestamp at={person.created} />
              </p>
            </PageHead>
            {!person.active && <p class="note note-bad">{t.closedWords}</p>}
            {person.name === me.value?.name && <p class="note">{t.yourself}</p>}
            <Roles person={person} reload={request.reload} />
            {isManager() && person.active && <Link person={person} />}
            <Factors person={person} reload={request.reload} />
            {person.limits && <PlayLimits person={person} limits={person.limits} reload={request.reload} />}
            {isManager() && <Account person={person} reload={request.reload} />}
          </>
        )}
      </RequestResult>
    </>
  );
}

function Roles({ person, reload }: PartProps) {
  const t = officeWords().people;
  const roles = useRoles();
  const submission = useSubmission();
  const params = { path: { name: person.name } };
  const take = async (role: string, table: string | null): Promise<void> => {
    const query = { role, ...(table === null ? {} : { table }) };
    const response = (): Promise<unknown> =>
      unwrap(api.DELETE("/api/v1/people/{name}/roles", { params: { ...params, query } }));
    if (await submission.submit(response, t.taken(roleName(role, roles)))) reload();
  };
  return (
    <Card title={t.roles} lead={t.rolesLead}>
      {person.roles.length === 0 && <p class="soft">{t.noRole}</p>}
      <ul class="grants">
        {person.roles.map(grant => (
          <li key={`${grant.role} ${grant.table}`}>
            <span>
              <strong>{roleName(grant.role, roles)}</strong>{" "}
              <span class="soft">{grant.table === null ? t.wholeHouse : t.atTable(tableLabel(grant.table ?? ""))}</span>
            </span>
            {isManager() && (
              <Button
                tone="quiet"
                busy={submission.busy}
                aria-label={t.takeRole(
                  roleName(grant.role, roles),
                  grant.table === null ? t.wholeHouse : tableLabel(grant.table ?? ""),
                )}
                onClick={() => void take(grant.role, grant.table ?? null)}
              >
                {t.take}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {submission.problem && <ProblemNote problem={submission.problem} />}
      {isManager() && <Give person={person} reload={reload} />}
      <details>
        <summary>{t.conflicts}</summary>
        <ul class="conflicts">
          {t.conflictWords.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

function Give({ person, reload }: PartProps) {
  const t = officeWords().people;
  const roles = useRoles();
  const choice = useRoleChoice(roles);
  const { role, table } = choice;
  const submission = useSubmission();
  const give = async (): Promise<void> => {
    const params = { path: { name: person.name } };
    const body = { role, table };
    const response = (): Promise<unknown> => unwrap(api.POST("/api/v1/people/{name}/roles", { params, body }));
    if (await submission.submit(response, t.given(roleName(role, roles)))) reload();
  };
  return (
    <ActForm sending={submission} onSend={() => void give()} class="giving">
      <RoleFields roles={roles} choice={choice} />
      <Button type="submit" busy={submission.busy}>
        {t.give}
      </Button>
    </ActForm>
  );
}

function Link({ person }: { person: PersonPage }) {
  const t = officeWords().people;
  const [made, setMade] = useState<{ link: string; expires: string } | null>(null);
  const submission = useSubmission();
  const make = (): void => {
    const params = { path: { name: person.name } };
    void submission.submit(async () => {
      setMade(await unwrap(api.POST("/api/v1/people/{name}/link", { params })));
    }, t.linkMade);
  };
  const copy = async (link: string): Promise<void> => {
    await navigator.clipboard.writeText(link);
    announce(words().figures.copied);
  };
  return (
    <Card title={t.link} lead={t.linkLead}>
      {made === null ? (
        <div class="buttons">
          <Button busy={submission.busy} onClick={make}>
            {t.linkMake}
          </Button>
        </div>
      ) : (
        <div class="note">
          <p>{t.linkOnce(person.shown)}</p>
          <code class="one-time-link">{made.link}</code>
          <p class="soft">
            {t.linkUntil} <Timestamp at={made.expires} />
          </p>
          <div class="buttons">
            <Button tone="main" onClick={() => void copy(made.link)}>
              {words().figures.copy}
            </Button>
            <Button tone="quiet" onClick={() => setMade(null)}>
              {t.linkHide}
            </Button>
          </div>
        </div>
      )}
      {submission.problem && <ProblemNote problem={submission.problem} />}
    </Card>
  );
}

function Factors({ person, reload }: PartProps) {
  const t = officeWords().people;
  const [why, setWhy] = useState("");
  const submission = useSubmission();
  const reset = async (): Promise<void> => {
    const params = { path: { name: person.name } };
    const response = (): Promise<unknown> =>
      unwrap(api.POST("/api/v1/people/{name}/factor-reset", { params, body: { words: why } }));
    if (await submission.submit(response, t.factorsDone)) {
      setWhy("");
      reload();
    }
  };
  const factors = person.factors ?? [];
  if (factors.length === 0 && !person.factor_required) return null;
  const mayReset = isManager() && factors.length > 0 && person.name !== me.value?.name;
  return (
    <Card title={t.factors} {...(mayReset ? { lead: t.factorsLead } : {})}>
      {factors.length === 0 && <p class="soft">{t.factorsNeeded}</p>}
      <ul class="grants">
        {factors.map(one => (
          <li key={one.id}>
            <span>
              <strong>{one.name}</strong> <span class="soft">{factorsWords().kinds[one.kind] ?? one.kind}</span>
            </span>
          </li>
        ))}
      </ul>
      {submission.problem?.kind === "recent-factor-required" ? (
        <ConfirmFactor
          onConfirmed={who => {
            setSession(who);
            void reset();
          }}
        />
      ) : (
        mayReset && (
          <ActForm sending={submission} onSend={() => void reset()}>
            <Field label={t.factorsWhy} value={why} onValue={setWhy} maxLength={400} />
            <Button type="submit" tone="danger" busy={submission.busy} disabled={why.trim() === ""}>
              {t.factorsReset}
            </Button>
          </ActForm>
        )
      )}
    </Card>
  );
}

function Account({ person, reload }: PartProps) {
  const t = officeWords().people;
  const [why, setWhy] = useState("");
  const submission = useSubmission();
  const params = { path: { name: person.name } };
  const close = async (): Promise<void> => {
    const response = (): Promise<unknown> =>
      unwrap(api.POST("/api/v1/people/{name}/deactivation", { params, body: { words: why } }));
    if (await submission.submit(response, t.closedDone)) {
      setWhy("");
      reload();
    }
  };
  const open = async (): Promise<void> => {
    if (
      await submission.submit(() => unwrap(api.DELETE("/api/v1/people/{name}/deactivation", { params })), t.openedDone)
    ) {
      reload();
    }
  };
  return (
    <Card title={t.account} lead={person.active ? t.closeLead : t.openLead}>
      <ActForm sending={submission} onSend={() => void (person.active ? close() : open())}>
        {person.active && <Field label={t.why} value={why} onValue={setWhy} maxLength={400} />}
        <Button
          type="submit"
          tone={person.active ? "danger" : "plain"}
          busy={submission.busy}
          disabled={person.active && why.trim() === ""}
        >
          {person.active ? t.close : t.open}
        </Button>
      </ActForm>
    </Card>
  );
}
