/** 賭檯上給客人看的文字：限額、賠率告示、電子形式。 */

import type { Words } from "./en";

export const patronZh: Pick<Words, "limits" | "electronic" | "oddsSign"> = {
  limits: {
    range: (least, most) => `${least}–${most}`,
    from: least => `${least} 起`,
    each: range => `每區 ${range}`,
    of: (range, areas) => `${areas} ${range}`,
    byArea: range => `${range}，各區不同`,
    others: "其他區域",
    between: "；",
    own: range => `限額 ${range}`,
  },
  electronic: {
    mark: "電子骰盅",
    title: "電子形式",
    lead: "電子骰盅取代規則的以下部分。",
    instead: "改為",
    approval: "批准文號",
    approved: reference => `批准文號 ${reference}。`,
    replaces: clauses => `電子骰盅取代條文 ${clauses}。`,
  },
  oddsSign: {
    title: "賠率及限額",
    link: "賠率告示",
    table: id => `賭檯 ${id}`,
    wager: "投注",
    chosen: "所選點數",
    pays: "賠率",
    limits: "限額",
    limitsAll: range => `各項投注限額：${range}`,
    perArea: "限額按每區計算。",
    payoutMax: amount => `本檯每擲最多派彩 ${amount}。`,
    payoutMaxHand: amount => `本檯每手最多派彩 ${amount}。`,
    cap: amount => `最多可贏 ${amount}`,
    readings: "本檯對規則的解讀",
    playMoney: "遊戲幣：沒有價值。",
    approval: reference => `電子骰盅，批准文號 ${reference}。`,
    since: date => `自 ${date} 起生效`,
    formats: "格式",
    format: { a4: "A4", wall: "大屏幕" },
    print: "列印",
    back: "返回賭檯",
    closed: "賭檯已關閉。",
  },
};
