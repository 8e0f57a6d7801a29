/** Inspections and checklists, each with its clause, its state, and who does it. */

import { useState } from "preact/hooks";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { Dialog } from "../../components/dialog";
import { named } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import type { Equipment } from "../../live/view";
import { thingName } from "../../staff/at-table";
import { InspectionWords } from "../../staff/book-step-text";
import { PointResults } from "../../staff/point-results";
import { PointsForm } from "../../staff/points-form";
import { roleNames } from "../../staff/roles";
import { Inspecting } from "./inspecting";
import type { FloorDesk } from "./table-actions";

type Inspection = Equipment["to_inspect"][number];
type ToCheck = Equipment["to_check"][number];

export function Inspections({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { to_inspect, to_check } = desk.staff.equipment;
  const [looking, setLooking] = useState<Inspection | null>(null);
  const [checking, setChecking] = useState<ToCheck | null>(null);
  const [tried, setTried] = useState<string | null>(null);
  const failed = to_inspect.some(one => one.id === tried && one.due);
  const wanted = [...to_inspect, ...to_check].some(one => one.due);
  return (
    <section class={wanted ? "card card-wanted" : "card"}>
      <h2>{t.inspections}</h2>
      <div role="status">{failed && looking === null && <p class="note note-bad">{t.failedNote}</p>}</div>
      {to_inspect.length === 0 && <p class="soft">{t.inspectionsNone}</p>}
      <ul class="rules">
        {to_inspect.map(one => (
          <li key={one.id}>
            <div class={one.due ? "unmet" : "met"}>
              <strong>
                <InspectionWords how={one.how} says={one.says} />
              </strong>{" "}
              <Clauses clauses={one.clause} />
              <p class="soft">
                {one.result === "failed" ? t.results.failed : one.due ? t.dueInspection : t.passed} ·{" "}
                {whenSaid(desk, one.id)} · {t.by(roleNames(desk.book, one.who))}
              </p>
            </div>
            {one.mine !== null && (
              <Button
                tone={one.due ? "main" : "plain"}
                aria-label={`${one.due ? t.inspect : t.again}: ${named(one.says)}`}
                onClick={() => setLooking(one)}
              >
                {one.due ? t.inspect : t.again}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {to_check.length > 0 && <h3>{t.checklist}</h3>}
      <ul class="rules">
        {to_check.map(one => (
          <li key={one.id}>
            <div class={one.due ? "unmet" : "met"}>
              <strong>{thingName(desk.book, one.id)}</strong> <Clauses clauses={one.clause} />
              <p class="soft">{one.result === "not checked" ? t.dueInspection : t.results[one.result]}</p>
              <PointResults thing={one} />
            </div>
            {one.mine !== null && (
              <Button
                tone={one.due ? "main" : "plain"}
                aria-label={t.checkTitle(thingName(desk.book, one.id))}
                onClick={() => setChecking(one)}
              >
                {t.check}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog open={looking !== null} title={t.inspect} onClose={() => setLooking(null)}>
        {looking !== null && (
          <Inspecting
            desk={desk}
            inspection={looking}
            onDone={taken => {
              setTried(taken ? looking.id : null);
              setLooking(null);
            }}
          />
        )}
      </Dialog>
      <Dialog
        open={checking !== null}
        title={checking === null ? t.check : t.checkTitle(thingName(desk.book, checking.id))}
        onClose={() => setChecking(null)}
      >
        {checking !== null && <Checking desk={desk} thing={checking} onDone={() => setChecking(null)} />}
      </Dialog>
    </section>
  );
}

function whenSaid(desk: FloorDesk, id: string): string {
  const t = floorWords();
  return desk.book.inspections[id]?.when === "each shift" ? t.eachShift : t.beforeOpening;
}

function Checking({ desk, thing, onDone }: { desk: FloorDesk; thing: ToCheck; onDone: () => void }) {
  const { approval_references } = desk.staff.equipment;
  const check = async (found: { points: boolean[]; approval: string; approved_on: string }): Promise<void> => {
    if (await desk.act({ type: "CheckEquipment", equipment: thing.id, ...found }, thing.mine)) onDone();
  };
  return (
    <PointsForm
      thing={thing}
      references={approval_references}
      busy={desk.busy}
      onPoints={found => void check(found)}
      onCancel={onDone}
    />
  );
}
