/** 本場紀錄的中文：人員、職務、限額、批准、登入與伺服器。 */

import { amountText } from "../../money/amounts";
import { isStake, moneyOf, SECONDS } from "../../money/limits";
import { quoted, role, type Scene, type Tellers, who } from "./scene";

interface Grant {
  person: string;
  role: string;
  table?: string | null;
}

interface Policy {
  registration?: boolean;
  real_money_automatic?: boolean;
  approval_references?: boolean;
  witness?: string;
  bet_consent?: boolean;
  shifts?: string[];
  timezone?: string;
}

interface Limits {
  loss_per_day?: Record<string, number>;
  seconds_per_day?: number | null;
  stake_at_once?: Record<string, number>;
}

function lostPart({ table, signed, left }: { table: string; signed: number; left: number }): string {
  return left >= signed ? `${table} 第 ${signed} 項與所簽署的不同` : `${table} 第 ${left + 1} 至 ${signed} 項`;
}

function granted(grant: Omit<Grant, "person">, scene: Scene): string {
  const where = grant.table == null ? "" : `（${grant.table}）`;
  return `${role(grant.role, scene)}${where}`;
}

function limited(limits: Limits): string {
  const parts = Object.entries(limits.loss_per_day ?? {}).map(([money, most]) => `每日最多輸 ${amount(most, money)}`);
  const stakes = Object.entries(limits.stake_at_once ?? {});
  parts.push(...stakes.map(([money, most]) => `同時下注最多 ${amount(most, money)}`));
  if (limits.seconds_per_day != null) parts.push(`每日最多玩 ${limits.seconds_per_day} 秒`);
  return parts.join("，") || "無";
}

function amount(minor: number, money: string): string {
  return amountText(minor, money, "zh-Hant");
}

function time(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

const HOW: Readonly<Record<string, string>> = { password: "密碼", link: "連結", demo: "示範" };
/** 永久隔離以此時間記錄。 */
const FOR_EVER = "9999-";

export const houseZh: Tellers = {
  PersonAdded: (event: { name: string; shown: string; roles: Grant[] }, scene) => {
    const roles = event.roles.map(one => granted(one, scene)).join("、");
    return `${who(scene)}新增 ${event.name}（「${event.shown}」）${roles === "" ? "" : `，職務：${roles}`}`;
  },
  PersonRegistered: (event: { name: string; shown: string }, scene) =>
    `${who(scene)}登記為玩家 ${event.name}（「${event.shown}」）`,
  RoleGiven: (event: Grant, scene) => `${who(scene)}給予 ${scene.name(event.person)} 職務：${granted(event, scene)}`,
  RoleTaken: (event: Grant, scene) => `${who(scene)}撤去 ${scene.name(event.person)} 的職務：${granted(event, scene)}`,
  PersonDeactivated: (event: { person: string; words: string }, scene) =>
    `${who(scene)}停用 ${scene.name(event.person)} 的帳戶${quoted(event.words)}`,
  DiceReceived: ({ set, serials }: { set: string; serials?: string[] }, scene) =>
    `${who(scene)}收到骰子「${set}」${serials && serials.length > 0 ? `（${serials.join("、")}）` : ""}`,
  DiceUsed: ({ set, table }: { set: string; table: string }, scene) => `${who(scene)}在 ${table} 啟用骰子「${set}」`,
  DiceReturned: ({ set, table, reason }: { set: string; table: string; reason: string }, scene) =>
    `${who(scene)}在 ${table} 取出骰子「${set}」：${reason}`,
  DiceRetired: ({ set, fate, reason }: { set: string; fate: string; reason: string }, scene) =>
    `${who(scene)}${fate === "cancelled" ? "註銷" : "銷毀"}骰子「${set}」：${reason}`,
  PersonReactivated: (event: { person: string }, scene) => `${who(scene)}重啟 ${scene.name(event.person)} 的帳戶`,
  PolicySet: ({ policy }: { policy: Policy }, scene) => {
    const visitors = policy.registration ? "訪客可自行登記" : "訪客不可自行登記";
    const money = policy.real_money_automatic ? "自動賭檯可用真錢" : "自動賭檯不可用真錢";
    const approvals = policy.approval_references ? "；設備的批准須記錄編號及日期" : "";
    const shifts = policy.shifts?.length
      ? `；各更開始時間：${policy.shifts.join("、")}（時區「${policy.timezone}」）`
      : "";
    const witness = policy.witness === "confirmed" ? "；見證人須親自確認" : "";
    const consent = policy.bet_consent ? "；代有帳戶的玩家下注須經同意" : "";
    return `${who(scene)}訂立政策：${visitors}；${money}${witness}${approvals}${consent}${shifts}`;
  },
  ClockAccepted: (event: { at: string; words: string; jumped: number; ahead: string[] }, scene) => {
    const far = event.jumped === 0 ? "" : `；時鐘曾跳動 ${Math.round(event.jumped)} 秒`;
    const ahead = event.ahead.length === 0 ? "" : `；時間較時鐘為快的紀錄：${event.ahead.join("、")}`;
    return `${who(scene)}確認時鐘為 ${time(event.at)}（世界時）${far}${ahead}${quoted(event.words)}`;
  },
  LanguageChosen: ({ language }: { language: string | null }, scene) =>
    language === null
      ? `${who(scene)}不指定語言`
      : `${who(scene)}選擇語言：${language.startsWith("zh") ? (language === "zh-Hans" ? "簡體中文" : "繁體中文") : "英文"}`,
  LimitsSet: (event: { limits: Limits; pending: { part: string; value: number | null; since: string }[] }, scene) => [
    `${who(scene)}設定限額：${limited(event.limits)}`,
    ...event.pending.map(one => {
      const timed = one.part === SECONDS;
      const part = timed ? "時間限額" : isStake(one.part) ? "下注限額" : "輸錢限額";
      const value = timed ? `${one.value} 秒` : amount(one.value ?? 0, moneyOf(one.part));
      return `${part}將於 ${time(one.since)}（世界時）${one.value === null ? "取消" : `改為 ${value}`}`;
    }),
  ],
  LooseningWithdrawn: ({ limits }: { limits: Limits }, scene) => `${who(scene)}維持限額：${limited(limits)}`,
  Excluded: (event: { person: string; until: string }, scene) => {
    const until = event.until.startsWith(FOR_EVER) ? "永久" : `至 ${time(event.until)}（世界時）`;
    return `${who(scene)}將 ${scene.name(event.person)} 隔離，不得參與遊戲：${until}`;
  },
  ApprovalAsked: (event: { id: string; table: string; words: string }, scene) =>
    `${who(scene)}就 ${event.table} 的操作請求批准（${event.id}）${quoted(event.words)}`,
  ApprovalGiven: ({ id }: { id: string }, scene) => `${who(scene)}批准（${id}）`,
  ApprovalRefused: (event: { id: string; words: string }, scene) =>
    `${who(scene)}不予批准（${event.id}）${quoted(event.words)}`,
  ApprovalWithdrawn: ({ id }: { id: string }, scene) => `${who(scene)}撤回批准請求（${id}）`,
  ApprovalExpired: ({ id }: { id: string }) => `無人及時答覆，批准請求作廢（${id}）`,
  ApprovalUsed: (event: { id: string; sequence: number }) =>
    `已按批准執行，見該檯紀錄第 ${event.sequence} 條（${event.id}）`,
  SignedIn: (event: { person: string; how: string; address: string }, scene) => {
    const place = event.address === "" ? "" : `，來自 ${event.address}`;
    return `${scene.name(event.person)} 登入（${HOW[event.how] ?? event.how}）${place}`;
  },
  SignedOut: (event: { person: string }, scene) => `${scene.name(event.person)} 登出`,
  SessionEnded: (event: { person: string }, scene) => `${scene.name(event.person)} 的一次登入已終止`,
  PinSet: (event: { person: string; is_set: boolean }, scene) =>
    `${scene.name(event.person)} ${event.is_set ? "設定新 PIN 碼" : "移除 PIN 碼"}`,
  PasswordSet: (event: { person: string; by: string }, scene) =>
    event.by === event.person
      ? `${scene.name(event.person)} 設定新密碼`
      : `${scene.name(event.by)} 為 ${scene.name(event.person)} 設定新密碼`,
  TokenMade: (event: { person: string; token: string; name: string; scopes: string[] }, scene) => {
    const scopes = event.scopes.join("、") || "無";
    return `為 ${scene.name(event.person)} 建立密鑰 ${event.token}（「${event.name}」），範圍：${scopes}`;
  },
  TokenRevoked: (event: { person: string; token: string; name: string }, scene) =>
    `撤銷 ${scene.name(event.person)} 的密鑰 ${event.token}（「${event.name}」）`,
  ServerStarted: (event: { process: string; version: string; clean_before: boolean }) =>
    `伺服器程序 ${event.process} 啟動，版本 ${event.version}${event.clean_before ? "" : "；前一程序並非正常停止"}`,
  ServerStopped: ({ process }: { process: string }) => `伺服器程序 ${process} 停止`,
  LossAccepted: (event: { lost: { table: string; signed: number; left: number }[]; words: string }, scene) =>
    `${who(scene)}接受已簽署紀錄的缺失：${event.lost.map(lostPart).join("，")}；${quoted(event.words)}`,
};
