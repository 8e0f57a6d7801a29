/** Who bet what, and how far each bet over several rolls has come. */

import { useState } from "preact/hooks";
import { Amount } from "../components/amount";
import { Button } from "../components/button";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { progressInWords } from "../layout/area-description";
import { areaName } from "../layout/model";
import { Person } from "../staff/person";
import { mayAct, workingRoles } from "../staff/roles";
import { betWords, ChangeBet, type StaffBet } from "./change-bet";
import type { Desk } from "./console";
import { Panel } from "./panel";
import { RuledReturned, ruledWords } from "./rulings-made";

export function Bets({ desk }: { desk: Desk }) {
  const say = consoleWords().dealer;
  const { staff } = desk;
  const booked = staff.bets.filter(bet => !bet.confirmed).length;
  const confirming = desk.book.procedure.round.find(step => step.act === "confirm bet");
  const [changed, setChanged] = useState<StaffBet | null>(null);
  const players = [...new Set(staff.bets.map(bet => bet.player))].sort();
  return (
    <section class="card bets">
      <h2>{say.bets}</h2>
      {booked > 0 && (
        <Button
          tone="main"
          disabled={desk.busy}
          onClick={() => void desk.act({ type: "ConfirmBets" }, confirming?.who ?? [])}
        >
          {say.confirm(booked)}
        </Button>
      )}
      {players.length === 0 && <p class="soft">{say.noBets}</p>}
      <RuledReturned desk={desk} />
      {players.length > 0 && (
        <ul class="lines">
          {players.flatMap(player =>
            staff.bets
              .filter(bet => bet.player === player)
              .map((bet, place) => (
                <BetLine key={bet.id} desk={desk} bet={bet} first={place === 0} onChange={() => setChanged(bet)} />
              )),
          )}
        </ul>
      )}
      <Panel
        desk={desk}
        open={changed !== null}
        title={consoleWords().desk.changeTitle}
        onClose={() => setChanged(null)}
      >
        {changed !== null && <ChangeBet desk={desk} bet={changed} onDone={() => setChanged(null)} />}
      </Panel>
    </section>
  );
}

interface BetLineProps {
  desk: Desk;
  bet: StaffBet;
  /** Of a player's bets; their name stands there once. */
  first: boolean;
  onChange: () => void;
}

function BetLine({ desk, bet, first, onChange }: BetLineProps) {
  const say = consoleWords().desk;
  const { view, rules } = desk;
  const wager = desk.book.wagers.find(one => one.wager === bet.wager);
  const { collect, pay } = desk.staff.settlement;
  // Once a bet is decided its area has begun anew: what stands there now is not this bet's.
  const decided = [...collect, ...pay].some(line => line.bet === bet.id);
  const progress =
    wager === undefined || decided
      ? ""
      : progressInWords(wager, {
          lit: new Set(),
          lammers: view.lammers,
          chances: view.chances,
          own: {},
          others: {},
          money: rules.money,
          paytables: rules.paytables,
          chip: 0,
          swept: new Set(),
          paid: {},
        });
  const ruling = desk.staff.rulings.find(one => one.bet === bet.id);
  // A bet on which a roll was made, or that was found, stays as it is.
  const taking = desk.book.procedure.round.find(step => step.act === "take bets")?.who ?? [];
  const takes = workingRoles(desk.live.id).some(role => mayAct(desk.book, role, taking));
  const may = takes && view.betting && !bet.running && !bet.found && bet.kind !== "tip in the area";
  return (
    <li class={first ? "line-first" : "line-more"}>
      <span class={first ? "line-who" : "line-who line-same"}>
        <Person name={bet.player} />
      </span>
      <span class="line-area">
        {areaName(desk.book, bet.wager)} {bet.point}
        {bet.called && <span class="tag">{words().area[bet.called]}</span>}
        {bet.kind !== "cash" && <span class="tag">{say.tags[bet.kind] ?? bet.kind}</span>}
        {!bet.confirmed && <span class="tag">{consoleWords().dealer.waiting}</span>}
        {bet.running && <span class="tag">{say.running}</span>}
        {bet.late ? (
          <span class="tag">{consoleWords().dealer.late}</span>
        ) : (
          bet.found && <span class="tag">{say.foundTag}</span>
        )}
        {ruling !== undefined && <span class="tag tag-ruled">{ruledWords(desk, ruling)}</span>}
        {progress !== "" && <span class="soft line-progress">{progress}</span>}
      </span>
      <Amount minor={bet.amount} money={rules.money} />
      {may && (
        <button
          type="button"
          class="line-change"
          aria-label={`${say.change}: ${betWords(desk, bet)}`}
          onClick={onChange}
        >
          {say.change}
        </button>
      )}
    </li>
  );
}
