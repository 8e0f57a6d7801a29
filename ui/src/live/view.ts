/** Short names for what the server sends about a table. */

import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type View = Schemas["TableView"];
export type Step = Schemas["StepView"];
export type Lammers = Schemas["Lammers"];
export type LimitGroup = Schemas["LimitGroup"];
export type Rules = Schemas["TableRules"];
export type RecordedRules = Schemas["RecordedRules"];
export type Mine = Schemas["OwnView"];
export type Bet = Schemas["OwnBet"];
export type BetKind = Bet["kind"];
export type Ruling = Schemas["OwnRuling"];
export type Purse = Schemas["PurseInfo"];
export type Staff = Schemas["StaffView"];
export type Equipment = Schemas["EquipmentView"];
export type Line = Schemas["LineInfo"];
/** An entry of the table's record, as far as this viewer may see it. */
export type Entry = Schemas["StreamEntry"];

/** Whether the record has the rules: it may break off before the table was opened. */
export function isWhole(rules: RecordedRules | undefined): rules is Rules {
  return rules?.setup !== undefined;
}
