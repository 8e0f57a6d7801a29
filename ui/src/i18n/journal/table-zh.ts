/** 賭檯紀錄的中文：開檯、設備與人手。 */

import { amount, area, cited, dice, equipment, quoted, type Scene, type Tellers, who } from "./scene";

/** 系統記錄的取出原因；其他為人員自述。 */
const OUT: Record<string, string> = {
  replaced: "：已更換",
  "the automated shaker is put away": "：自動骰盅停用",
  "another shaker is put into use": "：改用另一骰盅",
  "the table closes": "：收檯",
};

interface Setup {
  facility: string;
  currency: string;
  shaker?: "manual" | "automated";
  limits?: Record<string, { stake_min: number; stake_max: number }>;
  paytables?: Record<string, string>;
  readings?: Record<string, string>;
  options?: Record<string, string>;
  payout_max?: number | null;
  automatic?: { approval?: string } | null;
  shifts?: string[];
  timezone?: string;
  approval_references?: boolean;
}

interface Checked {
  equipment: string;
  points: boolean[];
  approval?: string;
  approved_on?: string;
  /** Which of the book's requirements were checked; all of them where it is empty. */
  requirements?: number[];
}

/** 所有投注、一個注區，或同類投注的首末兩個。 */
function scope(id: string, scene: Scene): string {
  if (id === "*") return "所有投注";
  const group = scene.book?.groups[id];
  if (group !== undefined) return `「${group.name.zh}」`;
  const family = scene.book?.wagers.filter(one => one.family === id && one.wager !== id) ?? [];
  const [first, last] = [family[0], family.at(-1)];
  if (first === undefined || last === undefined) return area(id, scene);
  return `${area(first.wager, scene)}至${area(last.wager, scene)}`;
}

function setUp(setup: Setup, scene: Scene): string[] {
  const { book, say, sentence } = scene;
  const craps = book?.identity.game === "craps";
  const chosen = (what: string, says: string | undefined, choice: string): string =>
    `${what}：${says === undefined ? choice : sentence(says)}`;
  return [
    `貨幣 ${setup.currency}${craps ? "" : `，${say.desk.shakers[setup.shaker ?? "manual"]}`}`,
    ...Object.entries(setup.limits ?? {}).map(
      ([id, limit]) =>
        `${scope(id, scene)}限額：${amount(limit.stake_min, scene)} 至 ${amount(limit.stake_max, scene)}`,
    ),
    ...Object.entries(setup.paytables ?? {}).map(([id, table]) => `${scope(id, scene)}賠率表：${table}`),
    ...Object.entries(setup.readings ?? {}).map(([id, choice]) =>
      chosen("釋義", book?.readings[id]?.choices[choice]?.says, `${id}：${choice}`),
    ),
    ...Object.entries(setup.options ?? {}).map(([id, choice]) => {
      const groups = choice.split(", ").map(one => book?.groups[one]?.name.zh);
      if (groups.every(one => one !== undefined)) return `投注組別：「${groups.join("」「")}」`;
      return chosen("選項", book?.options[id]?.choices[choice]?.says, `${id}：${choice}`);
    }),
    ...(setup.payout_max == null ? [] : [`每擲最多可輸：${amount(setup.payout_max, scene)}`]),
    ...(setup.automatic?.approval ? [`電子骰盅批准文號：${setup.automatic.approval}`] : []),
    ...(setup.shifts?.length ? [`各更開始時間：${setup.shifts.join("、")}（時區「${setup.timezone}」）`] : []),
    ...(setup.approval_references ? ["設備的批准須記錄編號及日期"] : []),
  ];
}

export const tableZh: Tellers = {
  TableOpened: ({ setup }: { setup: Setup }, scene) => {
    // Of several books on one hand each has its title.
    const titles = scene.book?.identity.title.split(" + ").map(scene.sentence) ?? [];
    const title = titles.length === 0 ? "" : `：${titles.join(" + ")}`;
    return [`${who(scene)}為「${setup.facility}」開檯${title}`, ...setUp(setup, scene)];
  },
  SetupChanged: ({ setup }: { setup: Setup }, scene) => [`${who(scene)}更改賭檯設定`, ...setUp(setup, scene)],
  TableClosed: (_, scene) => `${who(scene)}收檯`,
  ShiftStarted: ({ shift }: { shift: string }, scene) => `${who(scene)}開始當值「${shift}」`,
  DayStarted: ({ day }: { day: string }, scene) => `${who(scene)}開始博彩日「${day}」`,
  DiceTakenOut: ({ set, reason, fate }: { set: string; reason: string; fate?: string }, scene) => {
    const then = fate === "cancelled" ? "；該組骰子註銷" : fate === "destroyed" ? "；該組骰子銷毀" : "";
    return `${who(scene)}取出骰子「${set}」${OUT[reason] ?? quoted(reason)}${then}`;
  },
  DicePut: ({ set, sealed }: { set: string; sealed: boolean }, scene) => {
    const { book } = scene;
    const craps = book?.identity.game === "craps";
    const how = craps ? "" : sealed ? "，放入骰盅並封妥" : "，放入骰盅";
    return `${who(scene)}使用骰子「${set}」${how}${cited(book?.equipment.dice?.clause)}`;
  },
  EquipmentChecked: (event: Checked, scene) => {
    const { equipment: id, points, requirements = [] } = event;
    const every = scene.book?.equipment[id]?.requires ?? [];
    const requires = every.filter((_, place) => requirements.length === 0 || requirements.includes(place));
    const inOrder = points.every(Boolean) ? "符合要求" : "不符合要求";
    const approval = event.approval ? `，批准編號 ${event.approval}` : "";
    const day = event.approved_on ? `，批准日期 ${event.approved_on}` : "";
    return [
      `${who(scene)}核對${equipment(id, scene)}：${inOrder}${approval}${day}`,
      ...requires.map((one, place) => `${points[place] ? "✓" : "✗"} ${scene.sentence(one.says)}${cited(one.clause)}`),
    ];
  },
  Inspected: (
    event: {
      inspection: string;
      passed: boolean;
      entered: number[];
      lit: string[];
      proper: number;
      dark?: string[];
      wrong?: string[];
    },
    scene,
  ) => {
    const found = scene.book?.inspections[event.inspection];
    const areas = (ids: string[]): string => ids.map(id => area(id, scene)).join("、");
    const dark = event.dark?.length ? `，${areas(event.dark)}未亮` : "";
    const wrong = event.wrong?.length ? `，${areas(event.wrong)}誤亮` : "";
    const how =
      event.entered.length > 0
        ? `輸入 ${dice(event.entered)}，亮起 ${event.lit.length} 個注區${dark}${wrong}`
        : `正常運作 ${event.proper} 次`;
    const what = found === undefined ? "設備" : equipment(found.equipment, scene);
    return `${who(scene)}檢查${what}：${how}：${event.passed ? "合格" : "不合格"}${cited(found?.clause)}`;
  },
  DealerTookOver: (_, scene) => `${who(scene)}接檯`,
  DealerLeft: (_, scene) => `${who(scene)}離檯`,
  ShakerPutAway: ({ how }: { how: string }, scene) =>
    `${who(scene)}停用自動骰盅：${scene.say.desk.putAwayWays[how] ?? how}`,
  ShakerInUse: ({ shaker }: { shaker: "manual" | "automated" }, scene) =>
    `${who(scene)}使用${scene.say.desk.shakers[shaker]}`,
  EquipmentFailed: (event: { equipment: string; cease: boolean }, scene) =>
    `故障：${equipment(event.equipment, scene)}${event.cease ? "；本局之後停止遊戲" : ""}`,
  EquipmentRepaired: (event: { equipment: string }, scene) =>
    `${who(scene)}確認${equipment(event.equipment, scene)}已恢復正常`,
};
