/** Acts that wait for a second person: what, who asked, and the effect; and the results of the last ones. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import { useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { PageHead } from "../../components/page-head";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { words } from "../../i18n";
import { officeWords } from "../../i18n/words/office";
import { noted, notedTables, personName, tableLabel } from "../../live/names";
import { HOUSE_STREAM, isApproval, useBell } from "../../live/record-notifications";
import { address } from "../../shell/router";
import { me } from "../../shell/session";
import { Card } from "./parts";
import { type ApprovalInfo, actName, actWords } from "./pending-acts";
import { Proposals } from "./proposals";
import { roleName, useRoles } from "./roles";

/** The polling interval beside a table, which has its own stream, in milliseconds. On their own page the house's stream
 * announces them, and polling is the fallback. */
const EVERY = 3_000;
const SELDOM = 15_000;
const LATELY = 10;

export function Approvals({ rest: _ }: { rest: string }) {
  const say = officeWords().approvals;
  const [proposed, setProposed] = useState(0);
  return (
    <div class="office approvals">
      <PageHead title={say.title} lead={say.lead} />
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
  const say = officeWords().approvals;
  const asking = usePolled(() => told(api.GET("/api/v1/approvals")).then(noted), always ? SELDOM : EVERY);
  useBell(always ? HOUSE_STREAM : null, asking.again, isApproval);
  const tables = useAsked(() => told(api.GET("/api/v1/tables")).then(notedTables), []);
  const moneyOf = (name: string): string | null =>
    tables.asked.state === "here" ? (tables.asked.told.find(one => one.id === name)?.money ?? null) : null;
  const done = (): void => {
    asking.again();
    onDone?.();
  };
  const here = (one: ApprovalInfo): boolean => table === undefined || one.table === table;
  return (
    <Told asking={asking}>
      {({ approvals, finished = [] }) => {
        const open = approvals.filter(here);
        const over = finished.filter(here).slice(0, LATELY);
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
                <strong>{say.none}</strong>
                <p class="soft">{say.noneMore}</p>
              </div>
            )}
            {over.length > 0 && (always || over.some(one => one.asker === me.value?.name)) && (
              <Card title={say.lately}>
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
    </Told>
  );
}

interface OneProps {
  approval: ApprovalInfo;
  money: string | null;
  onDone: () => void;
}

function OneApproval({ approval, money, onDone }: OneProps) {
  const say = officeWords().approvals;
  const roles = useRoles();
  const mine = approval.asker === me.value?.name;
  const open = approval.standing === "waiting";
  return (
    <Card title={actName(approval)} wanted={open}>
      <p class="act-words">{actWords(approval, money)}</p>
      {approval.words && <p>“{approval.words}”</p>}
      <p class="office-meta">
        {say.asked(personName(approval.asker), roleName(approval.by_role, roles))} · <When at={approval.asked} />
        {" · "}
        <a href={address`/floor/tables/${approval.table}`}>{tableLabel(approval.table)}</a>
      </p>
      {open ? (
        <p class="soft">
          {say.needs(approval.needs.map(role => roleName(role, roles)).join(say.or))} <Until at={approval.until} />
        </p>
      ) : (
        <p class="soft">{say.standings[approval.standing] ?? approval.standing}</p>
      )}
      {open && approval.yours && <Answer approval={approval} onDone={onDone} />}
      {open && mine && <Withdraw approval={approval} onDone={onDone} />}
      {open && !mine && !approval.yours && <p class="note">{say.notYours}</p>}
    </Card>
  );
}

function Until({ at }: { at: string }) {
  const say = officeWords().approvals;
  const left = Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 60_000));
  return <>{say.minutesLeft(left)}</>;
}

function Answer({ approval, onDone }: { approval: ApprovalInfo; onDone: () => void }) {
  const say = officeWords().approvals;
  const [refusing, setRefusing] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, problem, send } = useSending();
  const params = { path: { number: approval.id } };
  const approve = async (): Promise<void> => {
    await send(() => told(api.POST("/api/v1/approvals/{number}/approve", { params, body: {} })), say.approved);
    onDone();
  };
  const refuse = async (): Promise<void> => {
    const body = { words: reason };
    await send(() => told(api.POST("/api/v1/approvals/{number}/refuse", { params, body })), say.refused);
    onDone();
  };
  return (
    <>
      {refusing && <Field label={say.reason} value={reason} onValue={setReason} maxLength={400} />}
      <div class="buttons">
        {!refusing && (
          <Button tone="main" busy={busy} onClick={() => void approve()}>
            {say.approve}
          </Button>
        )}
        <Button
          tone={refusing ? "danger" : "plain"}
          busy={busy}
          disabled={refusing && reason.trim() === ""}
          onClick={() => (refusing ? void refuse() : setRefusing(true))}
        >
          {refusing ? say.refuseGo : say.refuse}
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
  const say = officeWords().approvals;
  const { busy, problem, send } = useSending();
  const withdraw = async (): Promise<void> => {
    const params = { path: { number: approval.id } };
    await send(() => told(api.POST("/api/v1/approvals/{number}/withdraw", { params })), say.withdrawn);
    onDone();
  };
  return (
    <>
      <p class="note">{say.own}</p>
      <div class="buttons">
        <Button busy={busy} onClick={() => void withdraw()}>
          {say.withdraw}
        </Button>
      </div>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
}

function Finished({ approval, money }: { approval: ApprovalInfo; money: string | null }) {
  const say = officeWords().approvals;
  return (
    <li>
      <span class={approval.standing === "used" ? "lately-done" : "lately-not"}>
        {say.standings[approval.standing] ?? approval.standing}
      </span>
      <span>
        {actWords(approval, money)}{" "}
        <span class="soft">
          {approval.by === null
            ? say.askedBy(personName(approval.asker))
            : say.askedAnswered(personName(approval.asker), personName(approval.by))}
        </span>
        {approval.answer && <span> “{approval.answer}”</span>}
      </span>
    </li>
  );
}
