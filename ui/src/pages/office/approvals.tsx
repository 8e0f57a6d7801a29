/** Acts that wait for a second person: what, who asked, and the effect; and the results of the last ones. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { words } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { notedTables, personName, rememberNames, tableLabel } from "../../live/names";
import { HOUSE_STREAM, isApproval, useRecordNotifications } from "../../live/record-notifications";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { Card } from "./parts";
import { type ApprovalInfo, actName, actWords } from "./pending-acts";
import { Proposals } from "./proposals";
import { roleName, useRoles } from "./roles";

/** The polling interval beside a table, which has its own stream, in milliseconds. On their own page the house's stream
 * announces them, and polling is the fallback. */
const POLL_INTERVAL = 3_000;
const STREAM_POLL_INTERVAL = 15_000;
const FINISHED_MAX = 10;

export function Approvals({ rest: _ }: { rest: string }) {
  const t = officeWords().approvals;
  const [proposed, setProposed] = useState(0);
  return (
    <div class="office approvals">
      <PageHead title={t.title} lead={t.lead} />
      <Proposals onCount={setProposed} />
      <Waiting always quiet={proposed > 0} />
    </div>
  );
}

interface WaitingProps {
  /** Only those of this table. */
  table?: string;
  /** Whether it is a separate page, which says so if nothing is pending. */
  always?: boolean;
  /** Whether something else is pending beside it. */
  quiet?: boolean;
  onDone?: () => void;
}

/** Pending approvals, at one table or in the whole house, and recent answers. */
export function Waiting({ table, always = false, quiet = false, onDone }: WaitingProps) {
  const t = officeWords().approvals;
  const request = usePolling(
    () => unwrap(api.GET("/api/v1/approvals")).then(rememberNames),
    always ? STREAM_POLL_INTERVAL : POLL_INTERVAL,
  );
  useRecordNotifications(always ? HOUSE_STREAM : null, request.reload, isApproval);
  const tables = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  const moneyOf = (name: string): string | null =>
    tables.response.state === "loaded" ? (tables.response.data.find(one => one.id === name)?.money ?? null) : null;
  const done = (): void => {
    request.reload();
    onDone?.();
  };
  const here = (one: ApprovalInfo): boolean => table === undefined || one.table === table;
  return (
    <RequestResult request={request}>
      {({ approvals, finished = [] }) => {
        const open = approvals.filter(here);
        const over = finished.filter(here).slice(0, FINISHED_MAX);
        return (
          <>
            {open.length > 0 && (
              <ul class="office-list">
                {open.map(one => (
                  <li key={one.id}>
                    <OneApproval approval={one} money={moneyOf(one.table)} onDone={done} />
                  </li>
                ))}
              </ul>
            )}
            {open.length === 0 && always && !quiet && (
              <div class="note office-empty">
                <strong>{t.none}</strong>
                <p class="soft">{t.noneMore}</p>
              </div>
            )}
            {over.length > 0 && (always || over.some(one => one.asker === me.value?.name)) && (
              <Card title={t.lately}>
                <ul class="lately">
                  {over.map(one => (
                    <Finished key={one.id} approval={one} money={moneyOf(one.table)} />
                  ))}
                </ul>
              </Card>
            )}
          </>
        );
      }}
    </RequestResult>
  );
}

interface OneProps {
  approval: ApprovalInfo;
  money: string | null;
  onDone: () => void;
}

function OneApproval({ approval, money, onDone }: OneProps) {
  const t = officeWords().approvals;
  const roles = useRoles();
  const mine = approval.asker === me.value?.name;
  const open = approval.standing === "waiting";
  return (
    <Card title={actName(approval)} wanted={open}>
      <p class="act-words">{actWords(approval, money)}</p>
      {approval.words && <p>“{approval.words}”</p>}
      <p class="office-meta">
        {t.asked(personName(approval.asker), roleName(approval.by_role, roles))} · <Timestamp at={approval.asked} />
        {" · "}
        <a href={address`/floor/tables/${approval.table}`}>{tableLabel(approval.table)}</a>
      </p>
      {open ? (
        <p class="soft">
          {t.needs(approval.needs.map(role => roleName(role, roles)).join(t.or))} <Until at={approval.until} />
        </p>
      ) : (
        <p class="soft">{t.standings[approval.standing] ?? approval.standing}</p>
      )}
      {open && approval.yours && <Answer approval={approval} onDone={onDone} />}
      {open && mine && <Withdraw approval={approval} onDone={onDone} />}
      {open && !mine && !approval.yours && <p class="note">{t.notYours}</p>}
    </Card>
  );
}

function Until({ at }: { at: string }) {
  const t = officeWords().approvals;
  const left = Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 60_000));
  return <>{t.minutesLeft(left)}</>;
}

function Answer({ approval, onDone }: { approval: ApprovalInfo; onDone: () => void }) {
  const t = officeWords().approvals;
  const [refusing, setRefusing] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, problem, submit: send } = useSubmission();
  const params = { path: { number: approval.id } };
  const approve = async (): Promise<void> => {
    await send(() => unwrap(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} })), t.approved);
    onDone();
  };
  const refuse = async (): Promise<void> => {
    const body = { words: reason };
    await send(() => unwrap(api.POST("/api/v1/approvals/{number}/refuse", { params, body })), t.refused);
    onDone();
  };
  return (
    <>
      {refusing && <Field label={t.reason} value={reason} onValue={setReason} maxLength={400} />}
      <div class="buttons">
        {!refusing && (
          <Button tone="main" busy={busy} onClick={() => void approve()}>
            {t.approve}
          </Button>
        )}
        <Button
          tone={refusing ? "danger" : "plain"}
          busy={busy}
          disabled={refusing && reason.trim() === ""}
          onClick={() => (refusing ? void refuse() : setRefusing(true))}
        >
          {refusing ? t.refuseGo : t.refuse}
        </Button>
        {refusing && (
          <Button tone="quiet" onClick={() => setRefusing(false)}>
            {words().dialog.cancel}
          </Button>
        )}
      </div>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}

function Withdraw({ approval, onDone }: { approval: ApprovalInfo; onDone: () => void }) {
  const t = officeWords().approvals;
  const { busy, problem, submit: send } = useSubmission();
  const withdraw = async (): Promise<void> => {
    const params = { path: { number: approval.id } };
    await send(() => unwrap(api.POST("/api/v1/approvals/{number}/withdraw", { params })), t.withdrawn);
    onDone();
  };
  return (
    <>
      <p class="note">{t.own}</p>
      <div class="buttons">
        <Button busy={busy} onClick={() => void withdraw()}>
          {t.withdraw}
        </Button>
      </div>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}

function Finished({ approval, money }: { approval: ApprovalInfo; money: string | null }) {
  const t = officeWords().approvals;
  return (
    <li>
      <span class={approval.standing === "used" ? "lately-done" : "lately-not"}>
        {t.standings[approval.standing] ?? approval.standing}
      </span>
      <span>
        {actWords(approval, money)}{" "}
        <span class="soft">
          {approval.by === null
            ? t.askedBy(personName(approval.asker))
            : t.askedAnswered(personName(approval.asker), personName(approval.by))}
        </span>
        {approval.answer && <span> “{approval.answer}”</span>}
      </span>
    </li>
  );
}
