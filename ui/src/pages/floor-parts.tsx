/** The other pages of the floor: opening, running and closing tables; dice, approvals, people, alarms and webhooks. */

import type { PageProps } from "../shell/router";
import { oversees } from "../shell/session";
import { DiceRegister } from "./floor/dice-register";
import { FloorFrame } from "./floor/frame";
import { OpenTable } from "./floor/open";
import { TableDesk } from "./floor/table";
import { Alarms } from "./office/alarms";
import { Approvals } from "./office/approvals";
import { People } from "./office/people";
import { Webhooks } from "./office/webhooks";

export default function FloorPart({ parameters, place }: PageProps) {
  const [part = "", ...more] = (parameters.rest ?? "").split("/");
  return <FloorFrame place={place}>{() => partOf(part, more, place.query)}</FloorFrame>;
}

function partOf(part: string, more: readonly string[], query: URLSearchParams) {
  const below = more.join("/");
  switch (part) {
    case "open":
      return <OpenTable reopen={query.get("table")} />;
    case "tables":
      return more[0] === undefined ? null : <TableDesk key={more[0]} table={more[0]} tab={more[1] ?? "now"} />;
    case "dice":
      return more.length === 0 ? <DiceRegister /> : null;
    case "approvals":
      return <Approvals rest={below} />;
    case "people":
      return <People rest={below} />;
    case "webhooks":
      return more.length === 0 && oversees.value ? <Webhooks /> : null;
    case "alarms":
      return <Alarms rest={below} />;
    default:
      return null;
  }
}
