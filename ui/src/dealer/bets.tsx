/** Bets by player, with the progress of those that last several rolls. */

import { useState } from "preact/hooks";
import { Amount } from "../components/amount";
import { Button } from "../components/button";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { progressInWords } from "../layout/area-description";
import { areaName } from "../layout/model";
import { Person } from "../staff/person";
import { mayBook } from "./booking";
import { ChangeBet, type StaffBet, standingOf } from "./change-bet";
import type { Desk } from "./console";
import { Panel } from "./panel";
import { RuledReturned, ruledWords } from "./rulings-made";

export function Bets({ desk }: { desk: Desk }) {
  const t = consoleWords().dealer;
  const { staff } = desk;
  const booked = staff.bets.filter(bet => !bet.confirmed).length;
  const confirming = desk.book.procedure.round.find(step => step.act === "confirm bet");
  const [changed, setChanged] = useState<StaffBet | null>(null);
  const areas = areasOf(desk);
  return (
    <section class="card bets">
      <h2>{t.bets}</h2>
      {booked > 0 && (
        <Button
          tone="main"
          disabled={desk.busy}
          onClick={() => void desk.act({ type: "ConfirmBets" }, confirming?.who ?? [])}
        >
          {t.confirm(booked)}
        </Button>
      )}
      {areas.length === 0 && <p class="soft">{t.noBets}</p>}
      <RuledReturned desk={desk} />
      {areas.length > 0 && (
        <ul class="lines">
          {areas.map(bets => (
            <AreaBets key={`${bets[0].wager} ${bets[0].point}`} desk={desk} bets={bets} onChange={setChanged} />
          ))}
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

type AtArea = readonly [StaffBet, ...StaffBet[]];

/** The bets of each area, or of each number to which they have travelled, as on the layout. */
function areasOf({ staff, book }: Desk): AtArea[] {
  const order = new Map(book.wagers.map((one, place) => [one.wager, place]));
  const found = new Map<string, [StaffBet, ...StaffBet[]]>();
  const sorted = [...staff.bets].sort(
    (one, other) =>
      (order.get(one.wager) ?? 0) - (order.get(other.wager) ?? 0) || (one.point ?? 0) - (other.point ?? 0),
  );
  for (const bet of sorted) {
    const key = `${bet.wager} ${bet.point}`;
    const here = found.get(key);
    if (here === undefined) found.set(key, [bet]);
    else here.push(bet);
  }
  return [...found.values()];
}

interface AreaBetsProps {
  desk: Desk;
  bets: AtArea;
  onChange: (bet: StaffBet) => void;
}

/** The bets on an area: their progress and owners. */
function AreaBets({ desk, bets, onChange }: AreaBetsProps) {
  const { view, rules, book } = desk;
  const { wager: id, point } = bets[0];
  const wager = book.wagers.find(one => one.wager === id);
  const { collect, pay } = desk.staff.settlement;
  // When a bet is decided, its area restarts: its current state is not that of this bet.
  const decided = [...collect, ...pay].some(line => line.bet === bets[0].id);
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
  return (
    <li>
      <span class="line-area">
        {areaName(book, id)} {point}
        {progress !== "" && <span class="soft line-progress">{progress}</span>}
      </span>
      <span class="line-stakes">
        {bets.map(bet => (
          <StakeOf key={bet.id} desk={desk} bet={bet} onChange={() => onChange(bet)} />
        ))}
      </span>
    </li>
  );
}

/** One player's stake; press it to change it, where that is allowed. */
function StakeOf({ desk, bet, onChange }: { desk: Desk; bet: StaffBet; onChange: () => void }) {
  const t = consoleWords().desk;
  const ruling = desk.staff.rulings.find(one => one.bet === bet.id);
  const standing = standingOf(desk, bet);
  const may = isChangeable(desk, bet);
  const stake = (
    <>
      {may && <span class="unseen">{t.change}: </span>}
      <Person name={bet.player} />
      <span class="unseen"> · {areaName(desk.book, bet.wager)} · </span>{" "}
      <Amount minor={bet.amount} money={desk.rules.money} />
      {standing !== undefined && !standing.working && <span class="tag">{words().area.off}</span>}
      {standing?.working && bet.called === "on" && <span class="tag">{words().area.on}</span>}
      {bet.kind !== "cash" && <span class="tag">{t.tags[bet.kind] ?? bet.kind}</span>}
      {!bet.confirmed && <span class="tag">{consoleWords().dealer.waiting}</span>}
      {bet.running && standing === undefined && <span class="tag">{t.running}</span>}
      {bet.late ? (
        <span class="tag">{consoleWords().dealer.late}</span>
      ) : (
        bet.found && <span class="tag">{t.foundTag}</span>
      )}
      {ruling !== undefined && <span class="tag tag-ruled">{ruledWords(desk, ruling)}</span>}
    </>
  );
  return may ? (
    <button type="button" class="stake" onClick={onChange}>
      {stake}
    </button>
  ) : (
    <span class="stake">{stake}</span>
  );
}

/** Whether a bet can be changed: after a roll only if it has its own state; a found one never. */
function isChangeable(desk: Desk, bet: StaffBet): boolean {
  const still = bet.running && standingOf(desk, bet) === undefined;
  return mayBook(desk) && desk.view.betting && !still && !bet.found && bet.kind !== "tip in the area";
}
