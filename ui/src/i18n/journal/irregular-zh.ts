/** 賭檯紀錄的中文：異常情況、裁定與更正。 */

import type { Line } from "../../live/view";
import { serverZh } from "../server-zh";
import {
  area,
  bet,
  bets,
  dice,
  forWhom,
  grounds,
  line,
  owed,
  type Person,
  person,
  quoted,
  type Scene,
  type Tellers,
  who,
} from "./scene";

interface Said {
  words: string;
}

/** How a ruling settles wagers, and what it undoes. */
interface PutRight {
  undone?: Line[];
  settled?: Line[];
}

function putRight({ undone = [], settled = [] }: PutRight, scene: Scene): string[] {
  return [...undone.map(one => `撤銷：${line(one, scene)}`), ...settled.map(one => line(one, scene)), ...owed(scene)];
}

export const irregularZh: Tellers = {
  IrregularityCalled: (
    event: Said & {
      irregularity: string;
      remedy: string;
      present: Person[];
      announced?: string | null;
      witnessed?: string[];
      bets?: number[];
      named_by?: string;
    },
    scene,
  ) => {
    const rule = scene.book?.irregularities[event.irregularity];
    const said = event.announced ? `，並宣布「${scene.sentence(event.announced)}」` : "";
    const present = event.present
      .map(one => `${person(one, scene)}${event.witnessed?.includes(one.name) ? "（已確認）" : ""}`)
      .join("、");
    const others = event.named_by && event.present.some(one => one.name !== event.named_by);
    return [
      `${who(scene)}宣布異常「${rule?.name.zh ?? event.irregularity}」${said}${quoted(event.words)}${grounds(rule?.clause, rule?.reading)}`,
      ...(present === "" ? [] : [`在場：${present}${others ? `（由 ${scene.name(event.named_by ?? "")} 指明）` : ""}`]),
      ...bets(event.bets ?? [], scene, "待裁定："),
      `處理方法：${serverZh.remedies[event.remedy] ?? event.remedy}`,
    ];
  },
  RoundVoided: (event: { round: number; returned: number[]; undone?: Line[] }, scene) => [
    `第 ${event.round} 局作廢`,
    ...bets(event.returned, scene, "退還："),
    ...(event.undone ?? []).map(one => `撤銷：${line(one, scene)}`),
    ...owed(scene),
  ],
  WagersReturned: (event: { returned: number[]; undone?: Line[] }, scene) => [
    "此擲不算",
    ...bets(event.returned, scene, "退還："),
    ...(event.undone ?? []).map(one => `已收取，現退還：${line(one, scene)}`),
  ],
  BettingReopened: (event: { undone?: Line[] }, scene) => [
    "注碼保留至下一擲，並可更改",
    ...(event.undone ?? []).map(one => `已收取，現放回：${line(one, scene)}`),
  ],
  PowerFailed: (_, scene) =>
    scene.book?.identity.game === "craps"
      ? "恢復遊戲之前，玩家可將上一擲以來所下注碼全數取回，或全部保留"
      : "恢復遊戲之前，玩家可將本擲注碼全數取回，或全部保留",
  PlayerWithdrew: (event: { player: string; bets: number[] }, scene) => [
    `${who(scene)}${forWhom(event.player, scene)}撤回注碼`,
    ...bets(event.bets, scene, "退還："),
  ],
  PlayResumed: (_, scene) => `${who(scene)}恢復遊戲`,
  BetRuled: (event: Said & PutRight & { bet: number; treat_as: string | null }, scene) => {
    const how = event.treat_as === null ? "退還" : `作${area(event.treat_as, scene)}的注處理`;
    return [`${who(scene)}裁定 ${bet(event.bet, scene)}：${how}${quoted(event.words)}`, ...putRight(event, scene)];
  },
  Ruled: (event: Said & PutRight & { called_by?: string }, scene) => {
    const called = event.called_by ? `（由 ${scene.name(event.called_by)} 宣告）` : "";
    return [`${who(scene)}作出裁定${called}${quoted(event.words)}`, ...putRight(event, scene)];
  },
  RollCancelled: ({ words }: Said, scene) => `${who(scene)}宣告擲骰無效${quoted(words)}`,
  DiceCorrected: (event: Said & { dice: number[]; returned?: number[] }, scene) => [
    `${who(scene)}更正骰子為 ${dice(event.dice)}${quoted(event.words)}`,
    ...bets(event.returned ?? [], scene, "退還："),
  ],
  Disputed: (event: Said & { round: number }, scene) =>
    `${who(scene)}對第 ${event.round} 局提出爭議${quoted(event.words)}；該局紀錄已凍結`,
  DisputeSettled: (event: Said & { round: number; upheld?: boolean }, scene) =>
    `${who(scene)}了結第 ${event.round} 局的爭議${event.upheld === false ? "：申訴被駁回" : ""}${quoted(event.words)}`,
  ResettlementProposed: (event: Said & { round: number; dice: number[] }, scene) =>
    `${who(scene)}建議將第 ${event.round} 局按 ${dice(event.dice)} 重新結算${quoted(event.words)}`,
  Resettled: (event: { round: number; dice: number[]; lines: Line[] }, scene) => [
    `${who(scene)}批准將第 ${event.round} 局改按 ${dice(event.dice)} 結算`,
    ...event.lines.map(one => line(one, scene)),
    ...owed(scene),
  ],
  VoidProposed: (event: Said & { round: number }, scene) =>
    `${who(scene)}建議將第 ${event.round} 局作廢${quoted(event.words)}`,
};
