/** Disputes about rounds: raised, decided, and rounds resettled with the true dice. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import type { components } from "../../api/schema";
import type { BookPage, Result } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { Fact, Facts } from "../../components/facts";
import { Choice, Field } from "../../components/field";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { RequestResult } from "../../components/request-result";
import { Timestamp } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { useBook } from "../../live/book";
import { sendCommand } from "../../live/commands";
import { personName, rememberNames } from "../../live/names";
import type { Staff } from "../../live/view";
import { address } from "../../shell/router";
import { Correcting, Corrections } from "./corrections";
import { ActForm, Card } from "./parts";
import { actingRole, roleName, supervises, useRoles } from "./roles";

type Dispute = components["schemas"]["DisputeInfo"];

const POLL_INTERVAL = 5_000;
const ROUNDS = 20;

export interface Desk {
  table: string;
  book: BookPage | null;
  money: string;
  rounds: readonly { number: number; dice: Result["dice"] }[];
  staff: Staff | null;
  reload: () => void;
}

export function Disputes({ table }: { table: string }) {
  const path = { table };
  const request = usePolling(
    async () => {
      const [disputes, now, past] = await Promise.all([
        unwrap(api.GET("/api/v1/tables/{table}/disputes", { params: { path } })).then(rememberNames),
        unwrap(api.GET("/api/v1/tables/{table}", { params: { path } })),
        unwrap(api.GET("/api/v1/tables/{table}/rounds", { params: { path, query: { limit: ROUNDS } } })),
      ]);
      return { disputes, now, rounds: past.rounds };
    },
    POLL_INTERVAL,
    [table],
  );
  const rules = request.response.state === "loaded" ? request.response.data.now.rules : null;
  const book = useBook(useFirst(rules));
  return (
    <div class="office disputes">
      <RequestResult request={request}>
        {({ disputes, now, rounds }) => {
          const staff = now.staff ?? null;
          const desk: Desk = { table, book, money: disputes.money, rounds, staff, reload: request.reload };
          const open = disputes.disputes.filter(one => one.ruled_at === null);
          const ruled = disputes.disputes.filter(one => one.ruled_at !== null);
          return (
            <>
              <Open desk={desk} open={open} />
              <Raise desk={desk} />
              <Correcting desk={desk} proposal={disputes.corrections.find(one => one.done_at === null)} />
              <Corrections desk={desk} corrections={disputes.corrections} owed={disputes.owed} />
              {ruled.length > 0 && <Ruled desk={desk} ruled={ruled} />}
            </>
          );
        }}
      </RequestResult>
    </div>
  );
}

/** The first response: a book is not requested again whenever the table is. */
function useFirst<What>(value: What | null): What | null {
  const [first, setFirst] = useState<What | null>(null);
  useEffect(() => {
    if (first === null && value !== null) setFirst(value);
  }, [first, value]);
  return first;
}

function Open({ desk, open }: { desk: Desk; open: readonly Dispute[] }) {
  const t = officeWords().disputes;
  return (
    <Card title={t.open} lead={t.openLead} wanted={open.length > 0}>
      {open.length === 0 && <p class="soft">{t.noneOpen}</p>}
      <ul class="office-list">
        {open.map(one => (
          <li key={one.sequence} class="dispute">
            <DisputeWords desk={desk} dispute={one} />
            <Frozen desk={desk} round={one.round} />
            {supervises(desk.table, desk.book) && <Decide desk={desk} dispute={one} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function DisputeWords({ desk, dispute }: { desk: Desk; dispute: Dispute }) {
  const t = officeWords().disputes;
  const roles = useRoles();
  return (
    <>
      <p>
        <a href={address`/tables/${desk.table}/rounds/${dispute.round}`}>
          <strong>{t.round(dispute.round)}</strong>
        </a>
      </p>
      <blockquote>{dispute.words}</blockquote>
      <p class="office-meta">
        {t.raisedBy(personName(dispute.by), roleName(dispute.role, roles))} · <Timestamp at={dispute.at} />
      </p>
    </>
  );
}

/** The money of the round, which is not resettled while it is disputed. */
function Frozen({ desk, round }: { desk: Desk; round: number }) {
  const t = officeWords().disputes;
  const { response } = useRequest(
    () =>
      unwrap(
        api.GET("/api/v1/tables/{table}/rounds/{number}", { params: { path: { table: desk.table, number: round } } }),
      ),
    [desk.table, round],
  );
  if (response.state === "failed") return <ProblemNote problem={response.problem} />;
  if (response.state === "loading") return null;
  const lines = response.data.lines;
  const staked = lines.reduce((sum, line) => sum + line.stake, 0);
  const won = lines.reduce((sum, line) => sum - line.net - (line.envy ?? 0), 0);
  return (
    <Facts>
      <Fact name={t.dice}>
        <Dice faces={response.data.dice} size={26} />
      </Fact>
      <Fact name={t.frozenStakes} hint={t.bets(lines.length)}>
        <Amount minor={staked} money={desk.money} />
      </Fact>
      <Fact name={t.frozenResult}>
        <Amount minor={won} money={desk.money} signed />
      </Fact>
    </Facts>
  );
}

function Decide({ desk, dispute }: { desk: Desk; dispute: Dispute }) {
  const t = officeWords().disputes;
  const [ruling, setRuling] = useState("");
  const submission = useSubmission();
  const role = actingRole(desk.table, desk.book, { manager: true });
  const decide = async (upheld: boolean): Promise<void> => {
    const command = { type: "SettleDispute" as const, round: dispute.round, words: ruling, upheld };
    const response = (): Promise<unknown> => sendCommand(desk.table, command, role === undefined ? {} : { role });
    if (await submission.submit(response, t.decided(dispute.round))) desk.reload();
  };
  return (
    <ActForm sending={submission} onSend={() => void decide(true)}>
      <Field label={t.ruling} hint={t.rulingHint} value={ruling} onValue={setRuling} maxLength={400} />
      <div class="buttons">
        <Button type="submit" tone="main" busy={submission.busy} disabled={ruling.trim() === ""}>
          {t.decide}
        </Button>
        <Button tone="danger" disabled={submission.busy || ruling.trim() === ""} onClick={() => void decide(false)}>
          {t.refuse}
        </Button>
      </div>
    </ActForm>
  );
}

function Raise({ desk }: { desk: Desk }) {
  const t = officeWords().disputes;
  const [round, setRound] = useState("");
  const [text, setText] = useState("");
  const submission = useSubmission();
  const role = actingRole(desk.table, desk.book, { manager: false });
  const first = desk.rounds[0];
  const chosen = desk.rounds.find(one => String(one.number) === round) ?? first;
  const raise = async (): Promise<void> => {
    if (chosen === undefined) return;
    const command = { type: "Dispute" as const, round: chosen.number, words: text };
    const response = (): Promise<unknown> => sendCommand(desk.table, command, role === undefined ? {} : { role });
    if (await submission.submit(response, t.raised(chosen.number))) {
      setText("");
      desk.reload();
    }
  };
  if (role === undefined) {
    return (
      <Card title={t.raise}>
        <p class="soft">{t.managersDoNot}</p>
      </Card>
    );
  }
  return (
    <Card title={t.raise} lead={t.raiseLead}>
      {chosen === undefined ? (
        <p class="soft">{t.noRounds}</p>
      ) : (
        <ActForm sending={submission} onSend={() => void raise()} class="raising">
          <RoundChoice desk={desk} chosen={chosen.number} onChoose={setRound} />
          <Field label={t.words} value={text} onValue={setText} maxLength={400} />
          <Button type="submit" busy={submission.busy} disabled={text.trim() === ""}>
            {t.raiseGo}
          </Button>
        </ActForm>
      )}
    </Card>
  );
}

/** A recent round with its dice. */
export function RoundChoice(props: { desk: Desk; chosen: number; onChoose: (round: string) => void }) {
  const t = officeWords().disputes;
  return (
    <Choice
      label={t.whichRound}
      value={String(props.chosen)}
      options={props.desk.rounds.map(one => ({
        value: String(one.number),
        name: one.dice.length > 0 ? t.roundDice(one.number, one.dice.join("-")) : t.roundVoid(one.number),
      }))}
      onValue={props.onChoose}
    />
  );
}

function Ruled({ desk, ruled }: { desk: Desk; ruled: readonly Dispute[] }) {
  const t = officeWords().disputes;
  const roles = useRoles();
  return (
    <Card title={t.ruled}>
      <ul class="office-list">
        {ruled.map(one => (
          <li key={one.sequence} class="dispute">
            <DisputeWords desk={desk} dispute={one} />
            <p>
              <strong>{one.upheld === false ? t.claimRefused : t.rulingWas}</strong> {one.ruling}
            </p>
            {one.ruled_at && (
              <p class="office-meta">
                {t.ruledBy(personName(one.ruled_by ?? ""), roleName(one.ruled_role ?? "", roles))} ·{" "}
                <Timestamp at={one.ruled_at} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
