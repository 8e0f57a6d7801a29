/** Short names for the API's types, which are generated from its description. */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Summary = Schemas["Summary"];
export type Result = Schemas["RoundResult"];
export type BookPage = Schemas["BookPage"];
export type BookLine = Schemas["BookLine"];
export type WagerEntry = Schemas["WagerEntry"];
export type PayTable = Schemas["PayTable"];
export type Block = Schemas["Block"];
export type FeltBand = Schemas["FeltBand"];
export type Label = Schemas["Label"];
export type Me = Schemas["Me"];
export type HeldLimits = Schemas["HeldLimits"];
export type SessionInfo = Schemas["SessionInfo"];
export type TokenInfo = Schemas["TokenInfo"];
export type Policy = Schemas["PolicyInfo"];
export type DemoHouse = Schemas["DemoHouse"];
export type ProblemDetails = Schemas["ProblemDetails"];
export type Command = Schemas["CommandRequest"]["command"];
export type Done = Schemas["Done"];
export type Figure = Schemas["Figure"];
export type WagerFigures = Schemas["WagerFigures"];
export type Tried = Schemas["Tried"];
export type Proof = Schemas["Proof"];
export type ProofChecked = Schemas["ProofChecked"];
export type Compared = Schemas["Compared"];
export type AuditState = Schemas["AuditState"];
export type AuditReport = Schemas["AuditReport"];
export type JournalHeads = Schemas["Heads"];
export type JournalEntry = Schemas["EntryInfo"];
export type JournalPage = Schemas["JournalPage"];
export type Transfer = Schemas["TransferInfo"];
export type RoundReplay = Schemas["RoundReplay"];
export type RoundPage = Schemas["RoundPage"];
export type FloorTable = Schemas["FloorTable"];
export type Setup = Schemas["Setup"];
export type DiceSet = Schemas["DiceSetInfo"];
export type AlarmInfo = Schemas["AlarmInfo"];
export type ScenarioComposed = Schemas["ScenarioForm"];
export type ScenarioChecked = Schemas["ScenarioCheck"];
export type RunInfo = Schemas["RunInfo"];
export type RunResult = Schemas["RunResult"];
