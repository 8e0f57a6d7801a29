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
import { coversFoundBets, FoundWager } from "./found-bet";
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
  const t = consoleWords().desk;
  const { view, staff, book } = desk;
  const above = isSupervisor(desk.live.id, book);
  const craps = hasAct(book, "roll");
  const found: (Act | false)[] = [
    mayBook(desk) && { id: "bet", key: "b", name: t.bet, may: view.betting, panel: BetForPlayer },
    { id: "chips", key: "c", name: t.chips, may: true, panel: Chips },
    craps && {
      id: "no-roll",
      key: "n",
      name: t.noRoll,
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
    coversFoundBets(desk) && {
      id: "found",
      key: "f",
      name: t.found,
      may: !view.betting,
      panel: FoundWager,
    },
    above && { id: "correct", key: "x", name: t.correct, may: staff.can_correct, panel: CorrectDice },
    { id: "past", key: "d", name: t.past, may: staff.past.length > 0, panel: PastRounds },
    above && { id: "money", key: "m", name: t.money, may: true, panel: TableChips },
    { id: "crew", key: "s", name: t.crew, may: true, panel: Crew },
  ];
  return found.filter(one => one !== false);
}

export function Acts({ desk }: { desk: Desk }) {
  const t = consoleWords().desk;
  const acts = actsOf(desk);
  const [open, setOpen] = useState<string | null>(null);
  const [legend, setLegend] = useState(false);
  // A form may be opened while a command is in flight, so that no key is lost.
  const isReady = (act: Act): boolean => act.may && !(act.go && desk.busy);
  const begin = (act: Act): void => {
    if (!isReady(act)) return;
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
  const selected = acts.find(one => one.id === open);
  const ActPanel = selected?.panel;
  return (
    <section class="acts" aria-label={t.acts}>
      {acts.map(act => (
        <Button key={act.id} disabled={!isReady(act)} onClick={() => begin(act)} aria-keyshortcuts={act.key}>
          {act.name} <kbd>{act.key.toUpperCase()}</kbd>
        </Button>
      ))}
      <Button tone="quiet" onClick={() => setLegend(true)} aria-keyshortcuts="?">
        <span>{t.keys}</span> <kbd>?</kbd>
      </Button>
      <Panel desk={desk} open={ActPanel !== undefined} title={selected?.name ?? ""} onClose={close}>
        {ActPanel !== undefined && <ActPanel desk={desk} onDone={close} />}
      </Panel>
      <Dialog open={legend} title={t.keysTitle} onClose={() => setLegend(false)}>
        <Legend acts={acts} />
      </Dialog>
    </section>
  );
}

function Legend({ acts }: { acts: readonly Act[] }) {
  const t = consoleWords().desk;
  const rows: [string, string][] = [
    ["Enter", t.keyDue],
    ["1–6", t.keyDice],
    ["⌫", t.keyBack],
    ["1–9", t.keyShakes],
    ["← →", t.keyNext],
    ["Space", t.keyArea],
    ["A–L", t.keySeats],
    ["Q–I", t.keyChips],
    ...acts.map((act): [string, string] => [act.key.toUpperCase(), act.name]),
    ["?", t.keyHelp],
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
      <p class="soft">{t.keysNote}</p>
    </>
  );
}
