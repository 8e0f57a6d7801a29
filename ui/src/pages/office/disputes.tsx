/** Disputes about rounds: raised, decided, and rounds resettled with the true dice. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import type { components } from "../../api/schema";
import type { BookPage, Result } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { Amount } from "../../components/amount";
import { Button } from "../../components/button";
import { Dice } from "../../components/dice";
import { Fact, Facts } from "../../components/facts";
import { Choice, Field } from "../../components/field";
import { useSending } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";
import { Told } from "../../components/request-result";
import { When } from "../../components/timestamps";
import { officeWords } from "../../i18n/words/office";
import { useBook } from "../../live/book";
import { ask } from "../../live/commands";
import { noted, personName } from "../../live/names";
import type { Staff } from "../../live/view";
import { address } from "../../shell/router";
import { Correcting, Corrections } from "./corrections";
import { ActForm, Card } from "./parts";
import { actingRole, roleName, supervises, useRoles } from "./roles";

type Dispute = components["schemas"]["DisputeInfo"];

const EVERY = 5_000;
const ROUNDS = 20;

export interface Desk {
  table: string;
  book: BookPage | null;
  money: string;
  rounds: readonly { number: number; dice: Result["dice"] }[];
  staff: Staff | null;
  again: () => void;
}

export function Disputes({ table }: { table: string }) {
  const path = { table };
  const asking = usePolled(
    async () => {
      const [disputes, now, past] = await Promise.all([
        told(api.GET("/api/v1/tables/{table}/disputes", { params: { path } })).then(noted),
        told(api.GET("/api/v1/tables/{table}", { params: { path } })),
        told(api.GET("/api/v1/tables/{table}/rounds", { params: { path, query: { limit: ROUNDS } } })),
      ]);
      return { disputes, now, rounds: past.rounds };
    },
    EVERY,
    [table],
  );
  const rules = asking.asked.state === "here" ? asking.asked.told.now.rules : null;
  const book = useBook(useFirst(rules));
  return (
    <div class="office disputes">
      <Told asking={asking}>
        {({ disputes, now, rounds }) => {
          const staff = now.staff ?? null;
          const desk: Desk = { table, book, money: disputes.money, rounds, staff, again: asking.again };
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
      </Told>
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
  const say = officeWords().disputes;
  return (
    <Card title={say.open} lead={say.openLead} wanted={open.length > 0}>
      {open.length === 0 && <p class="soft">{say.noneOpen}</p>}
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
  const say = officeWords().disputes;
  const roles = useRoles();
  return (
    <>
      <p>
        <a href={address`/tables/${desk.table}/rounds/${dispute.round}`}>
          <strong>{say.round(dispute.round)}</strong>
        </a>
      </p>
      <blockquote>{dispute.words}</blockquote>
      <p class="office-meta">
        {say.raisedBy(personName(dispute.by), roleName(dispute.role, roles))} · <When at={dispute.at} />
      </p>
    </>
  );
}

/** The money of the round, which is not resettled while it is disputed. */
function Frozen({ desk, round }: { desk: Desk; round: number }) {
  const say = officeWords().disputes;
  const { asked } = useAsked(
    () =>
      told(
        api.GET("/api/v1/tables/{table}/rounds/{number}", { params: { path: { table: desk.table, number: round } } }),
      ),
    [desk.table, round],
  );
  if (asked.state === "failed") return <ProblemNote problem={asked.problem} />;
  if (asked.state === "waiting") return null;
  const lines = asked.told.lines;
  const staked = lines.reduce((sum, line) => sum + line.stake, 0);
  const won = lines.reduce((sum, line) => sum - line.net - (line.envy ?? 0), 0);
  return (
    <Facts>
      <Fact name={say.dice}>
        <Dice faces={asked.told.dice} size={26} />
      </Fact>
      <Fact name={say.frozenStakes} hint={say.bets(lines.length)}>
        <Amount minor={staked} money={desk.money} />
      </Fact>
      <Fact name={say.frozenResult}>
        <Amount minor={won} money={desk.money} signed />
      </Fact>
    </Facts>
  );
}

function Decide({ desk, dispute }: { desk: Desk; dispute: Dispute }) {
  const say = officeWords().disputes;
  const [ruling, setRuling] = useState("");
  const sending = useSending();
  const role = actingRole(desk.table, desk.book, { manager: true });
  const decide = async (upheld: boolean): Promise<void> => {
    const command = { type: "SettleDispute" as const, round: dispute.round, words: ruling, upheld };
    const asked = (): Promise<unknown> => ask(desk.table, command, role === undefined ? {} : { role });
    if (await sending.send(asked, say.decided(dispute.round))) desk.again();
  };
  return (
    <ActForm sending={sending} onSend={() => void decide(true)}>
      <Field label={say.ruling} hint={say.rulingHint} value={ruling} onValue={setRuling} maxLength={400} />
      <div class="buttons">
        <Button type="submit" tone="main" busy={sending.busy} disabled={ruling.trim() === ""}>
          {say.decide}
        </Button>
        <Button tone="danger" disabled={sending.busy || ruling.trim() === ""} onClick={() => void decide(false)}>
          {say.refuse}
        </Button>
      </div>
    </ActForm>
  );
}

function Raise({ desk }: { desk: Desk }) {
  const say = officeWords().disputes;
  const [round, setRound] = useState("");
  const [text, setText] = useState("");
  const sending = useSending();
  const role = actingRole(desk.table, desk.book, { manager: false });
  const first = desk.rounds[0];
  const chosen = desk.rounds.find(one => String(one.number) === round) ?? first;
  const raise = async (): Promise<void> => {
    if (chosen === undefined) return;
    const command = { type: "Dispute" as const, round: chosen.number, words: text };
    const asked = (): Promise<unknown> => ask(desk.table, command, role === undefined ? {} : { role });
    if (await sending.send(asked, say.raised(chosen.number))) {
      setText("");
      desk.again();
    }
  };
  if (role === undefined) {
    return (
      <Card title={say.raise}>
        <p class="soft">{say.managersDoNot}</p>
      </Card>
    );
  }
  return (
    <Card title={say.raise} lead={say.raiseLead}>
      {chosen === undefined ? (
        <p class="soft">{say.noRounds}</p>
      ) : (
        <ActForm sending={sending} onSend={() => void raise()} class="raising">
          <RoundChoice desk={desk} chosen={chosen.number} onChoose={setRound} />
          <Field label={say.words} value={text} onValue={setText} maxLength={400} />
          <Button type="submit" busy={sending.busy} disabled={text.trim() === ""}>
            {say.raiseGo}
          </Button>
        </ActForm>
      )}
    </Card>
  );
}

/** A recent round with its dice. */
export function RoundChoice(props: { desk: Desk; chosen: number; onChoose: (round: string) => void }) {
  const say = officeWords().disputes;
  return (
    <Choice
      label={say.whichRound}
      value={String(props.chosen)}
      options={props.desk.rounds.map(one => ({
        value: String(one.number),
        name: one.dice.length > 0 ? say.roundDice(one.number, one.dice.join("-")) : say.roundVoid(one.number),
      }))}
      onValue={props.onChoose}
    />
  );
}

function Ruled({ desk, ruled }: { desk: Desk; ruled: readonly Dispute[] }) {
  const say = officeWords().disputes;
  const roles = useRoles();
  return (
    <Card title={say.ruled}>
      <ul class="office-list">
        {ruled.map(one => (
          <li key={one.sequence} class="dispute">
            <DisputeWords desk={desk} dispute={one} />
            <p>
              <strong>{one.upheld === false ? say.claimRefused : say.rulingWas}</strong> {one.ruling}
            </p>
            {one.ruled_at && (
              <p class="office-meta">
                {say.ruledBy(personName(one.ruled_by ?? ""), roleName(one.ruled_role ?? "", roles))} ·{" "}
                <When at={one.ruled_at} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
