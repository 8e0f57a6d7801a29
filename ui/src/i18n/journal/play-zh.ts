/** 賭檯紀錄的中文：籌碼、投注、每局的步驟與結算。 */

import type { Line } from "../../live/view";
import { serverZh } from "../server-zh";
import {
  amount,
  area,
  areas,
  betOf,
  bets,
  cited,
  dice,
  forWhom,
  line,
  type Person,
  person,
  type Scene,
  stake,
  stepOf,
  type Tellers,
  who,
} from "./scene";

interface Placed {
  bet: number;
  wager: string;
  amount: number;
  kind: string;
  confirmed: boolean;
}

/** 一注，以及連同原有的合共多少。 */
function placed(one: Placed, lies: number, scene: Scene): string {
  const more = lies > 0 ? `，合共 ${amount(lies + one.amount, scene)}` : "";
  return `${stake(one, scene)}${more}${one.confirmed ? "" : "，待確認"}`;
}

interface Step {
  step: string;
  dice?: number[];
  shakes?: number;
  announced?: string | null;
  areas?: string[];
  directed_by?: Person | null;
  confirmed_by?: Person | null;
  flat?: boolean;
}

function act(event: Step, scene: Scene): string {
  const step = stepOf(event.step, scene);
  const faces = dice(event.dice ?? []);
  const where = areas(event.areas ?? [], scene);
  if (event.announced) return `宣布「${scene.sentence(event.announced)}」`;
  switch (step?.act) {
    case "shake":
      return step.at_least === null ? "啟動骰盅" : `搖骰 ${event.shakes ?? 0} 次`;
    case "announce dice":
      return `報出骰子 ${faces}`;
    case "enter dice":
      return `輸入骰子 ${faces}`;
    case "roll":
      return scene.entry.role === "shooter" || scene.entry.role === "player" ? `擲出 ${faces}` : `記錄擲骰 ${faces}`;
    case "mark":
      return `放置標記牌${where}`;
    case "remove lammers":
      return `取走標記牌${where}`;
    case "collect losers":
      return where === "" ? "收取輸注" : `收取輸注，並取走標記牌${where}`;
    default:
      return serverZh.acts[step?.act ?? ""] ?? `完成步驟「${event.step}」`;
  }
}

/** How it was agreed that staff act for a player. */
interface Agreed {
  consent?: { how: string; by: Person } | null;
}

function agreed({ consent }: Agreed, scene: Scene): string {
  if (!consent) return "";
  if (consent.how === "second person") return `；由 ${person(consent.by, scene)} 批准`;
  return consent.how === "pin" ? "；玩家以 PIN 碼同意" : "；玩家用自己的裝置同意";
}

interface Bought extends Agreed {
  player: string;
  amount: number;
  colour_value?: number | null;
  marker?: boolean;
  colour?: string | null;
}

function colourName(colour: string | null | undefined, scene: Scene): string {
  return scene.say.seat.colours[colour ?? ""] ?? "";
}

export const playZh: Tellers = {
  BoughtIn: (event: Bought, scene) => {
    const chips = event.colour_value
      ? `每枚 ${amount(event.colour_value, scene)} 的${colourName(event.colour, scene)}彩色籌碼${event.marker ? "，並以標記示明" : ""}`
      : "籌碼";
    return `${who(scene)}${forWhom(event.player, scene)}以 ${amount(event.amount, scene)} 換取${chips}${agreed(event, scene)}`;
  },
  CashedOut: (event: Bought & { kind?: string }, scene) =>
    (event.kind === "colour"
      ? `${who(scene)}${forWhom(event.player, scene)}贖回 ${amount(event.amount, scene)} 的${colourName(event.colour, scene)}彩色籌碼`
      : `${who(scene)}${forWhom(event.player, scene)}兌現 ${amount(event.amount, scene)}`) + agreed(event, scene),
  BetPlaced: (event: Placed & Agreed & { player: string }, scene) => {
    const lies = betOf(event.bet, scene)?.amount ?? 0;
    return `${who(scene)}${forWhom(event.player, scene)}下注 ${placed(event, lies, scene)}${agreed(event, scene)}`;
  },
  BetsPlaced: (event: Agreed & { player: string; bets: Placed[] }, scene) => {
    const total = event.bets.reduce((sum, one) => sum + one.amount, 0);
    const lying = new Map(scene.entry.bets?.map(one => [one.bet, one.amount]));
    const lines = event.bets.map(one => {
      const lies = lying.get(one.bet) ?? 0;
      lying.set(one.bet, lies + one.amount);
      return placed(one, lies, scene);
    });
    const first = `${who(scene)}${forWhom(event.player, scene)}下 ${event.bets.length} 注，共 ${amount(total, scene)}${agreed(event, scene)}`;
    return [first, ...lines];
  },
  BetTakenDown: (event: { bet: number; amount: number; commission?: number; tied_to?: number | null }, scene) => {
    const found = betOf(event.bet, scene);
    const [whom, from] = found ? [forWhom(found.player, scene), area(found.wager, scene)] : ["", `第 ${event.bet} 注`];
    const back = event.commission ? `，連同佣金 ${amount(event.commission, scene)}` : "";
    return event.tied_to == null
      ? `${who(scene)}${whom}從${from}收回 ${amount(event.amount, scene)}${back}`
      : `同時從${from}收回 ${amount(event.amount, scene)}${back}`;
  },
  BetsCalled: (event: { player: string; bets: number[]; how: "on" | "off" | null }, scene) => {
    const how = event.how === "on" ? "叫開" : event.how === "off" ? "叫停" : "按規則處理";
    return [`${who(scene)}${forWhom(event.player, scene)}${how}注項`, ...bets(event.bets, scene)];
  },
  BetsConfirmed: (event: { bets: number[] }, scene) => {
    const step = scene.book?.procedure.round.find(one => one.act === "confirm bet");
    return [`${who(scene)}覆述並確認注項${cited(step?.clause)}`, ...bets(event.bets, scene)];
  },
  WagerFound: (event: Agreed & { player: string; wager: string; amount: number; late: boolean }, scene) => {
    const late = event.late ? "，屬逾時下注或加注" : "";
    return `${who(scene)}發現 ${scene.name(event.player)} 的 ${stake(event, scene)}${late}${agreed(event, scene)}`;
  },
  StepTaken: (event: Step, scene) => {
    const others = [
      event.directed_by ? `，由 ${person(event.directed_by, scene)}指示` : "",
      event.confirmed_by ? `，由 ${person(event.confirmed_by, scene)}確認` : "",
    ];
    const flat = event.flat === false ? "；有骰子未平放" : "";
    return `${who(scene)}${act(event, scene)}${flat}${others.join("")}${cited(stepOf(event.step, scene)?.clause)}`;
  },
  StepWaived: (event: { step: string }, scene) => {
    const step = stepOf(event.step, scene);
    return `略過步驟：${step === undefined ? event.step : scene.sentence(step.says)}`;
  },
  Illuminated: ({ wagers }: { wagers: string[] }, scene) => {
    const craps = scene.book?.identity.game === "craps";
    if (wagers.length === 0) return craps ? "沒有注項贏出" : "沒有注區亮燈";
    return `${craps ? "贏出" : "亮燈"}：${areas(wagers, scene)}`;
  },
  Rolled: (event: { dice: number[]; call: string }, scene) => {
    const total = event.dice.reduce((sum, face) => sum + face, 0);
    return `${dice(event.dice)}，共 ${total} 點：${scene.say.desk.calls[event.call] ?? event.call}`;
  },
  LosersCollected: ({ lines }: { lines: Line[] }, scene) =>
    lines.length === 0 ? "沒有輸注" : [`收取輸注 ${lines.length} 注`, ...lines.map(one => line(one, scene))],
  WinnersPaid: ({ lines }: { lines: Line[] }, scene) =>
    lines.length === 0 ? "沒有贏注" : [`派彩 ${lines.length} 注`, ...lines.map(one => line(one, scene))],
  RoundEnded: ({ round }: { round: number }) => `第 ${round} 局結束`,
  RailJoined: ({ player, place }: { player: string; place: number }, scene) =>
    `${who(scene)}${forWhom(player, scene)}加入檯邊，位於第 ${place + 1} 位`,
  RailLeft: ({ player }: { player: string }, scene) => `${who(scene)}${forWhom(player, scene)}離開檯邊`,
  DiceRefused: ({ player }: { player: string }, scene) => `${who(scene)}${forWhom(player, scene)}拒絕擲骰`,
  ShooterNamed: ({ shooter }: { shooter: string }, scene) => `${who(scene)}將骰子交予 ${scene.name(shooter)}`,
  DicePassed: (_, scene) => `${who(scene)}讓出骰子`,
};
