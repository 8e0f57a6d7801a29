/** The parts of the floor by their addresses, until the floor's own page places them. */

import { Tabs } from "../components/tabs";
import { address, go, type PageProps } from "../shell/router";
import { Alarms } from "./office/alarms";
import { Approvals } from "./office/approvals";
import { Disputes } from "./office/disputes";
import { Fairness } from "./office/fairness";
import { Hold } from "./office/hold";
import { Money } from "./office/money";
import { People } from "./office/people";

export default function Floor({ parameters }: PageProps) {
  const [part = "", ...more] = (parameters.rest ?? "").split("/");
  const below = more.join("/");
  const [table = "", tab = "money"] = more;
  const parts = [
    { id: "money", name: "Money", panel: () => <Money table={table} /> },
    { id: "hold", name: "Hold", panel: () => <Hold table={table} /> },
    { id: "fairness", name: "Fairness", panel: () => <Fairness table={table} /> },
    { id: "disputes", name: "Disputes", panel: () => <Disputes table={table} /> },
  ];
  return (
    <section class="page">
      {part === "tables" && <h1>{table}</h1>}
      {part === "tables" && (
        <Tabs label={table} tabs={parts} chosen={tab} onChoose={one => go(address`/floor/tables/${table}/${one}`)} />
      )}
      {part === "approvals" && <Approvals rest={below} />}
      {part === "people" && <People rest={below} />}
      {part === "alarms" && <Alarms rest={below} />}
    </section>
  );
}
