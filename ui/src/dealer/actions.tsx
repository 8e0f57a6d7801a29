/** All further actions at a table, each on its own key, and the list of keys. */

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { consoleWords } from "../i18n/words/console";
import { useKeys } from "../staff/keys";
import { isSupervisor } from "../staff/roles";
import { BetForPlayer } from "./bets-on-behalf";
import { mayBook } from "./booking";
import { Chips } from "./chips";
import { type Desk, hasAct } from "./console";
import { CorrectDice } from "./correct-dice";
import { Crew } from "./crew";
import type { PanelProps } from "./fields";
import { TableChips } from "./float";
import { FoundWager, knowsFound } from "./found-bet";
import { NoRoll } from "./hand";
import { Panel } from "./panel";
import { PastRounds } from "./past-rounds";

interface Act {
  id: string;
  key: string;
  name: string;
  /** Whether it can be done now. */
  may: boolean;
  panel?: ComponentType<PanelProps>;
  /** If it needs no further input. */
  go?: () => void;
}

/** The actions of this book that the signed-in person may take. */
function actsOf(desk: Desk): Act[] {
  const say = consoleWords().desk;
  const { view, staff, book } = desk;
  const above = isSupervisor(desk.live.id, book);
  const craps = hasAct(book, "roll");
  const found: (Act | false)[] = [
    mayBook(desk) && { id: "bet", key: "b", name: say.bet, may: view.betting, panel: BetForPlayer },
    { id: "chips", key: "c", name: say.chips, may: true, panel: Chips },
    craps && {
      id: "no-roll",
      key: "n",
      name: say.noRoll,
      may: view.has_shooter && view.phase === "betting",
      panel: NoRoll,
    },
    craps && {
      id: "pass",
      key: "p",
      name: consoleWords().dealer.pass,
      may: view.has_shooter && view.betting && view.point === null,
      go: () => void desk.act({ type: "PassDice" }),
    },
    knowsFound(desk) && {
      id: "found",
      key: "f",
      name: say.found,
      may: !view.betting,
      panel: FoundWager,
    },
    above && { id: "correct", key: "x", name: say.correct, may: staff.can_correct, panel: CorrectDice },
    { id: "past", key: "d", name: say.past, may: staff.past.length > 0, panel: PastRounds },
    above && { id: "money", key: "m", name: say.money, may: true, panel: TableChips },
    { id: "crew", key: "s", name: say.crew, may: true, panel: Crew },
  ];
  return found.filter(one => one !== false);
}

export function Acts({ desk }: { desk: Desk }) {
  const say = consoleWords().desk;
  const acts = actsOf(desk);
  const [open, setOpen] = useState<string | null>(null);
  const [legend, setLegend] = useState(false);
  const begin = (act: Act): void => {
    if (!act.may || desk.busy) return;
    if (act.go) act.go();
    else setOpen(act.id);
  };
  useKeys(key => {
    if (key === "?") {
      setLegend(true);
      return true;
    }
    const act = acts.find(one => one.key === key.toLowerCase());
    if (act !== undefined) begin(act);
    return act !== undefined;
  });
  const close = (): void => setOpen(null);
  const shown = acts.find(one => one.id === open);
  const Shown = shown?.panel;
  return (
    <section class="acts" aria-label={say.acts}>
      {acts.map(act => (
        <Button key={act.id} disabled={!act.may || desk.busy} onClick={() => begin(act)} aria-keyshortcuts={act.key}>
          {act.name} <kbd>{act.key.toUpperCase()}</kbd>
        </Button>
      ))}
      <Button tone="quiet" onClick={() => setLegend(true)} aria-keyshortcuts="?">
        {say.keys} <kbd>?</kbd>
      </Button>
      <Panel desk={desk} open={Shown !== undefined} title={shown?.name ?? ""} onClose={close}>
        {Shown !== undefined && <Shown desk={desk} onDone={close} />}
      </Panel>
      <Dialog open={legend} title={say.keysTitle} onClose={() => setLegend(false)}>
        <Legend acts={acts} />
      </Dialog>
    </section>
  );
}

function Legend({ acts }: { acts: readonly Act[] }) {
  const say = consoleWords().desk;
  const rows: [string, string][] = [
    ["Enter", say.keyDue],
    ["1–6", say.keyDice],
    ["⌫", say.keyBack],
    ["1–9", say.keyShakes],
    ["← →", say.keyNext],
    ["Space", say.keyArea],
    ["A–L", say.keySeats],
    ["Q–I", say.keyChips],
    ...acts.map((act): [string, string] => [act.key.toUpperCase(), act.name]),
    ["?", say.keyHelp],
  ];
  return (
    <>
      <dl class="legend">
        {rows.map(([key, what]) => (
          <div key={what}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">{say.keysNote}</p>
    </>
  );
}
