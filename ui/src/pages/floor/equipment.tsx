/** A table's equipment: dice and their age, inspections, checklists, the shaker in use, and failures. */

import { ExactLine } from "../../components/book-sentence";
import { Button } from "../../components/button";
import { Clauses } from "../../components/clauses";
import { ElectronicList } from "../../components/electronic";
import { named, words } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { repairable, thingName } from "../../staff/at-table";
import { DiceCard } from "./dice-card";
import { Inspections } from "./inspections";
import { ShakerCard } from "./shaker";
import type { FloorDesk } from "./table-actions";

export function EquipmentTab({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  if (!desk.view.open) return <p class="note">{t.closedNow}</p>;
  if (desk.view.automatic !== undefined) {
    return <ElectronicForm desk={desk} />;
  }
  const kinds = new Set(Object.values(desk.book.equipment).map(thing => thing.kind));
  return (
    <div class="stack">
      <div class="floor-columns">
        <div>
          {kinds.has("dice") && <DiceCard desk={desk} />}
          {kinds.has("shaker") && <ShakerCard desk={desk} />}
        </div>
        <div>
          <Inspections desk={desk} />
        </div>
      </div>
      <Things desk={desk} />
    </div>
  );
}

/** Every item that the book names, with its requirements and whether it works. */
function Things({ desk }: { desk: FloorDesk }) {
  const t = floorWords();
  const { book, staff } = desk;
  return (
    <section class="card">
      <h2>{t.things}</h2>
      <ul class="things things-wide">
        {Object.entries(book.equipment).map(([id, thing]) => {
          const failed = staff.equipment.failed[id] !== undefined;
          const used = !thing.shaker || thing.shaker === staff.equipment.shaker;
          return (
            <li key={id}>
              <div>
                <strong>{named(thing.name)}</strong> <Clauses clauses={thing.clause} />
                <p class="soft">
                  <ExactLine text={thing.says} />
                </p>
              </div>
              {failed ? (
                <div class="stack">
                  <span class="tag tag-no">{t.outOfOrder}</span>
                  {desk.may("Repair") && repairable(book, id) && (
                    <Button
                      busy={desk.busy}
                      aria-label={`${thingName(book, id)}: ${t.repaired}`}
                      onClick={() => void desk.act({ type: "Repair", equipment: id })}
                    >
                      {t.repaired}
                    </Button>
                  )}
                </div>
              ) : (
                <span class="soft">{used ? t.inOrder : t.notInUse}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The parts of the book that the electronic tumbler replaces. */
function ElectronicForm({ desk }: { desk: FloorDesk }) {
  const t = words().electronic;
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <ElectronicList rules={desk.rules} />
    </section>
  );
}
