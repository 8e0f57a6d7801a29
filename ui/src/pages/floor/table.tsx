/** A table's page on the floor: its current state, equipment and terms, its money, hold, dice and disputes. */

import type { ComponentChildren } from "preact";
import { BookText } from "../../components/book-sentence";
import { LinkButton } from "../../components/button";
import { ConnectionNote } from "../../components/connection";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Tabs } from "../../components/tabs";
import { words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { playWords } from "../../i18n/words/play";
import { useBook } from "../../live/book";
import { tableName } from "../../live/names";
import { useLiveTable } from "../../live/use-table";
import { address, go } from "../../shell/router";
import { worksAt } from "../../staff/at-table";
import { Disputes } from "../office/disputes";
import { Fairness } from "../office/fairness";
import { Hold } from "../office/hold";
import { Money } from "../office/money";
import { NowTab } from "./current-state";
import { EquipmentTab } from "./equipment";
import { BackToFloor } from "./frame";
import { type FloorDesk, useFloorActing } from "./table-actions";
import { TermsTab } from "./terms";

const TABS = ["now", "equipment", "terms", "money", "hold", "fairness", "disputes"] as const;
type TabName = (typeof TABS)[number];

export function TableDesk({ table, tab }: { table: string; tab: string }) {
  const live = useLiveTable(table);
  const t = floorWords();
  const view = live.view.value;
  const rules = live.rules.value;
  const staff = live.staff.value;
  const book = useBook(rules);
  const acting = useFloorActing(live);
  const problem = live.problem.value;
  if (problem !== null && view === null)
    return (
      <>
        <ProblemNote problem={problem} retry={() => live.start()} />
        <BackToFloor />
      </>
    );
  if (view === null || rules === null || book === null) return <Waiting />;
  if (staff === null)
    return (
      <>
        <p class="note">{t.notHere}</p>
        <BackToFloor />
      </>
    );
  const may = (command: string): boolean => staff.may[command] !== undefined;
  const desk: FloorDesk = { live, view, rules, staff, book, may, ...acting };
  const panels: Record<TabName, () => ComponentChildren> = {
    now: () => <NowTab desk={desk} />,
    equipment: () => <EquipmentTab desk={desk} />,
    terms: () => <TermsTab desk={desk} />,
    money: () => <Money table={table} />,
    hold: () => <Hold table={table} />,
    fairness: () => <Fairness table={table} />,
    disputes: () => <Disputes table={table} />,
  };
  return (
    <>
      <DeskHead desk={desk} />
      <Tabs
        label={t.tabsLabel}
        chosen={tab}
        onChoose={chosen =>
          go(chosen === "now" ? address`/floor/tables/${table}` : address`/floor/tables/${table}/${chosen}`, {
            replace: true,
          })
        }
        tabs={TABS.map(id => ({ id, name: t.tabs[id], panel: panels[id] }))}
      />
    </>
  );
}

function isSuspended({ view, staff }: FloorDesk): boolean {
  const run = view.automatic;
  const held = run !== undefined && (run.paused !== null || run.failed !== null);
  return held || view.power_failed || Object.values(staff.equipment.failed).some(Boolean);
}

function DeskHead({ desk }: { desk: FloorDesk }) {
  const t = words();
  const { live, view, book } = desk;
  const phase = view.open ? (t.phase[view.phase] ?? view.phase) : floorWords().closed;
  return (
    <header class="page-head desk-head">
      <div>
        <p class="card-kind">
          <a href="/floor">{floorWords().backToFloor}</a> › <BookText text={book.identity.title} />
        </p>
        <h1>{tableName(live.id, book.identity)}</h1>
        <p class="card-phase">
          <span class={`phase phase-${view.open ? view.phase.replaceAll(" ", "-") : "shut"}`}>{phase}</span>
          <span class="soft">{floorWords().round(view.round)}</span>
          {view.open && isSuspended(desk) && <span class="tag tag-no">{floorWords().suspended}</span>}
          <span class="tag">{view.automatic === undefined ? floorWords().dealt : floorWords().automatic}</span>
          {desk.rules.play_money && <span class="tag">{floorWords().playMoney}</span>}
          <ConnectionNote live={live} />
        </p>
      </div>
      <div class="buttons">
        {worksAt(desk) && <LinkButton href={address`/tables/${live.id}/dealer`}>{floorWords().console}</LinkButton>}
        <LinkButton href={address`/tables/${live.id}/board`} tone="quiet">
          {floorWords().board}
        </LinkButton>
        <LinkButton href={address`/tables/${live.id}/sign`} tone="quiet">
          {playWords().oddsSign.link}
        </LinkButton>
        <LinkButton href={address`/tables/${live.id}`} tone="quiet">
          {floorWords().toTable}
        </LinkButton>
      </div>
    </header>
  );
}
