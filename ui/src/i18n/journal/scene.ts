/** What an entry of a record is told from: its own data, the book's labels, and the names of people. */

import type { BookPage, JournalEntry, Label } from "../../api/types";
import type { Line } from "../../live/view";
import { amountText, exactText } from "../../money/amounts";
import { chineseOdds } from "../../money/odds-zh";
import { serverZh } from "../server-zh";
import type { ConsoleWords } from "../words/console";
import type { PlayWords } from "../words/play";
import type { ProblemsWords } from "../words/problems";

export interface Scene {
  entry: JournalEntry;
  /** null until it is here, and for the house's own record. */
  book: BookPage | null;
  money: string;
  /** The pages' own words, in Chinese. */
  say: Pick<ConsoleWords, "desk"> & Pick<PlayWords, "seat"> & { problems: ProblemsWords };
  /** Somebody by the name that the house knows them by. */
  name: (person: string) => string;
  /** A sentence of a book in Chinese. */
  sentence: (english: string) => string;
}

/** A sentence, and lines that belong below it. Each kind of event has its own fields. */
export type Teller = (event: never, scene: Scene) => string | string[];
export type Tellers = Readonly<Record<string, Teller>>;

/** Somebody as an event names them. */
export interface Person {
  name: string;
  role: string;
}

/** Who acts; between Latin letters and Chinese there is a space. */
export function who({ entry, name }: Scene): string {
  const shown = name(entry.actor);
  return /[\u3400-\u9fff]$/.test(shown) ? shown : `${shown} `;
}

/** Behind the verb, where somebody acts for a player: 為 Ann. */
export function forWhom(player: string, { entry, name }: Scene): string {
  return player === entry.actor ? "" : `為 ${name(player)} `;
}

export function role(id: string, { book }: Scene): string {
  return book?.roles[id]?.name.zh ?? serverZh.roles[id] ?? id;
}

export function person({ name, role: as }: Person, scene: Scene): string {
  return `${scene.name(name)}（${role(as, scene)}）`;
}

export function amount(minor: number, { money }: Scene): string {
  return amountText(minor, money, "zh-Hant");
}

export function signed(minor: number, { money }: Scene): string {
  return amountText(minor, money, "zh-Hant", { signed: true });
}

function label(found: { name: Label } | undefined, id: string): string {
  return `「${found?.name.zh ?? id}」`;
}

export function area(wager: string, { book }: Scene): string {
  return label(
    book?.wagers.find(one => one.wager === wager),
    wager,
  );
}

export function areas(wagers: readonly string[], scene: Scene): string {
  return wagers.map(one => area(one, scene)).join("");
}

export function equipment(id: string, { book }: Scene): string {
  return label(book?.equipment[id], id);
}

export function stepOf(id: string, { book }: Scene) {
  return book?.procedure.round.find(one => one.id === id);
}

export function dice(faces: readonly number[]): string {
  return faces.join("-");
}

/** What somebody said, behind a sentence; nothing where nothing was said. */
export function quoted(words: string): string {
  return words.trim() === "" ? "" : `：「${words}」`;
}

export function cited(clauses: readonly string[] | undefined): string {
  const found = [...new Set(clauses)];
  return found.length === 0 ? "" : `［${found.join("、")}］`;
}

/** The clauses that provide for something, or the reading where the text is silent. */
export function grounds(clauses: readonly string[] | undefined, reading: string | null | undefined): string {
  return reading ? `［條文釋義：${reading}］` : cited(clauses);
}

/** The time of day in UTC, as the record has it. */
export function clock(at: string): string {
  return at.slice(11, 19);
}

/** What lies on an area: ◇5.00 押「大」（小費）. */
export function stake(bet: { amount: number; wager: string; kind?: string }, scene: Scene): string {
  const kind = bet.kind === undefined ? undefined : scene.say.desk.tags[bet.kind];
  return `${amount(bet.amount, scene)} 押${area(bet.wager, scene)}${kind === undefined ? "" : `（${kind}）`}`;
}

/** A bet that the entry names by its number, as it lay before. */
export function betOf(number: number, { entry }: Scene) {
  return entry.bets?.find(one => one.bet === number);
}

export function bet(number: number, scene: Scene): string {
  const found = betOf(number, scene);
  return found === undefined ? `第 ${number} 注` : `${scene.name(found.player)} 的 ${stake(found, scene)}`;
}

export function bets(numbers: readonly number[], scene: Scene, before = ""): string[] {
  return numbers.map(one => `${before}${bet(one, scene)}`);
}

/** How one wager was settled: what of it counted, what that pays, and what it came to. */
export function line(one: Line, scene: Scene): string {
  const laid = `${scene.name(one.player ?? "")}：${stake({ ...one, amount: one.stake }, scene)}`;
  if (one.row === null) return `${laid}：退還${cited(one.clauses)}`;
  if (one.row === "ruled") return `${laid}：裁定派彩；${signed(one.net, scene)}${cited(one.clauses)}`;
  const back = one.stake - one.honoured;
  const parts = [
    back > 0 ? `退還 ${amount(back, scene)}` : "",
    one.net < 0 ? "輸" : one.net === 0 ? "打和" : `贏，${chineseOdds(one.pays)}`,
    signed(one.net, scene) + rounded(one, scene) + (one.capped ? `（上限扣減 ${amount(one.capped, scene)}）` : ""),
    one.envy ? `荷官另得 ${amount(one.envy, scene)}` : "",
    one.net > 0 ? (TIPS[one.kind] ?? "") : "",
  ];
  return `${laid}：${parts.filter(part => part !== "").join("；")}${cited(one.clauses)}`;
}

function rounded(one: Line, scene: Scene): string {
  if (!one.exact || !one.favour) return "";
  const way = one.favour === "player" ? "向上捨入，有利玩家" : "向下捨去，有利莊家";
  return `（準確為 ${exactText(one.exact, scene.money)}，${way}）`;
}

/** Who gets what of a tip that wins. */
const TIPS: Readonly<Record<string, string>> = {
  "tip in the area": "連本金歸荷官",
  "tip on top": "歸荷官，本金退還",
};

/** What a player no longer holds, and the house is owed. */
export function owed({ entry, ...scene }: Scene): string[] {
  const legs = entry.transfers.flatMap(one => one.legs).filter(one => one.account.startsWith("disputes:"));
  return legs.map(one => `${amount(-one.amount, { entry, ...scene })} 已不在，改記為欠本場款項`);
}
