/** 賭檯紀錄的中文：點算與搬運籌碼、自動賭檯、拒絕。 */

import {
  amount,
  cited,
  clock,
  dice,
  type Person,
  person,
  quoted,
  type Scene,
  signed,
  type Tellers,
  who,
} from "./scene";

interface Moved {
  amount: number;
  second: Person;
}

/** 由兩人一同進行。 */
function both({ second }: Moved, scene: Scene): string {
  return `${who(scene)}與 ${person(second, scene)}`;
}

function reason(name: string, scene: Scene): string {
  return (scene.say.problems[name] ?? name).replace(/。$/, "");
}

export const runningZh: Tellers = {
  Counted: (event: Moved & { when: string; ledger: number }, scene) => {
    const off = event.amount - event.ledger;
    const differs = off === 0 ? "" : `；帳冊為 ${amount(event.ledger, scene)}，相差 ${signed(off, scene)}`;
    const when = event.when === "opening" ? "開檯" : "收檯";
    return `${both(event, scene)}點算${when}籌碼 ${amount(event.amount, scene)}${differs}`;
  },
  Filled: (event: Moved, scene) => `${both(event, scene)}從帳房補碼 ${amount(event.amount, scene)}`,
  Credited: (event: Moved, scene) => `${both(event, scene)}向帳房繳碼 ${amount(event.amount, scene)}`,
  DropCollected: (event: Moved, scene) => `${both(event, scene)}取走錢箱：${amount(event.amount, scene)}`,
  ClockCorrected: ({ words }: { words: string }, scene) =>
    `${who(scene)}校正時鐘：此前的時間較時鐘為快${quoted(words)}`,
  SeedCommitted: (event: { commitment: string }, scene) => `${who(scene)}對種子作出承諾：${event.commitment}`,
  CountdownStarted: ({ until }: { until: string }) => `將於 ${clock(until)} 截止投注`,
  NonceGiven: ({ nonce }: { nonce: string }, scene) => `${who(scene)}在開彩中加入字串「${nonce}」`,
  BettingClosed: (_, scene) => `${who(scene)}截止投注`,
  SeedRevealed: (event: { seed: string; dice: number[]; voided?: boolean }, scene) => {
    const what = event.dice.length > 0 ? `骰子為 ${dice(event.dice)}` : "當時尚未截止投注，不產生骰子";
    return [`${who(scene)}公開種子 ${event.seed}`, `${event.voided ? "作廢局：" : ""}${what}`];
  },
  TumblerFailed: ({ lost }: { lost: boolean }, scene) => `${who(scene)}故障${lost ? "；種子已遺失" : ""}`,
  TumblerRepaired: (_, scene) => `${who(scene)}恢復使用電子骰盅`,
  Paused: (event: { words: string; left: number | null }, scene) => {
    const left = event.left === null ? "" : `，距離截止投注尚餘 ${Math.round(event.left)} 秒`;
    return `${who(scene)}暫停賭檯${left}${quoted(event.words)}`;
  },
  Unpaused: ({ until }: { until: string | null }, scene) =>
    `${who(scene)}恢復賭檯${until === null ? "" : `；將於 ${clock(until)} 截止投注`}`,
  refused: (event: { table: string; refusal: string }, scene) => {
    const clauses = scene.entry.answer?.clauses as string[] | undefined;
    const reading = scene.entry.answer?.reading as string | null | undefined;
    const grounds = cited(clauses) || (reading ? `［條文釋義：${reading}］` : "");
    return `${who(scene)}的要求被拒絕：${reason(event.refusal, scene)}${grounds}`;
  },
  "refusals-counted": (event: { refusal: string; actor: string; count: number }, scene) => {
    const whose = event.actor === "" ? "" : `${scene.name(event.actor)} `;
    return `${whose}另有 ${event.count} 項要求被拒絕：${reason(event.refusal, scene)}`;
  },
};
