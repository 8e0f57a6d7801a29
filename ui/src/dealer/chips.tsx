/** Buying in and cashing out for a player at the table; colour chips with the value that the player sets. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Choice, Tick } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import { WALK_IN } from "../live/names";
import { amountTyped } from "../money/amounts";
import { thingName } from "../staff/at-table";
import { AmountField, PanelButtons, type PanelProps, PlayerField, PlayerKeys } from "./fields";
import { ActForm } from "./panel";
import { ConsentPin, confirmations, type Pins } from "./witness-pins";

type Way = "buy" | "colour" | "cash" | "redeem";
const COLOUR = "colour-chips";

export function Chips({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const hasColour = desk.book.equipment[COLOUR] !== undefined;
  const [way, setWay] = useState<Way>("buy");
  const [player, setPlayer] = useState("");
  const [amount, setAmount] = useState("");
  const [each, setEach] = useState("");
  const [marker, setMarker] = useState(false);
  const [colour, setColour] = useState("");
  const [pins, setPins] = useState<Pins>({});
  const whom = { name: player.trim() };
  const minor = amountTyped(amount, desk.rules.money);
  const value = way === "colour" ? amountTyped(each, desk.rules.money) : null;
  const ready = player.trim() !== "" && minor !== null && (way !== "colour" || value !== null);
  const ways: { value: Way; name: string }[] = [
    { value: "buy", name: t.buyIn },
    ...(hasColour ? [{ value: "colour" as const, name: `${t.buyIn}: ${thingName(desk.book, COLOUR)}` }] : []),
    { value: "cash", name: t.cashOut },
    ...(hasColour ? [{ value: "redeem" as const, name: t.redeem }] : []),
  ];
  const taken = desk.staff.players.filter(one => one.name !== player.trim()).map(one => one.purse?.colour);
  const colours = Object.entries(playWords().seat.colours).filter(([one]) => !taken.includes(one));
  const go = async (): Promise<void> => {
    if (minor === null) return;
    const whose = { amount: minor, player: player.trim() };
    const command: Command =
      way === "cash" || way === "redeem"
        ? { type: "CashOut", ...whose, kind: way === "redeem" ? "colour" : "cash" }
        : {
            type: "BuyIn",
            ...whose,
            ...(value === null ? {} : { colour_value: value, marker, colour: colour || null }),
          };
    if (await desk.act(command, [], confirmations([whom], pins))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <Choice label={t.chips} value={way} options={ways} onValue={setWay} />
      <PlayerField desk={desk} value={player} onValue={setPlayer} />
      <PlayerKeys desk={desk} value={player} onValue={setPlayer} />
      <AmountField desk={desk} value={amount} onValue={setAmount} />
      {whom.name !== "" && !whom.name.startsWith(WALK_IN) && (
        <ConsentPin player={whom.name} pins={pins} onPins={setPins} />
      )}
      {way === "colour" && (
        <>
          <AmountField desk={desk} label={t.colourValue} value={each} onValue={setEach} hint={t.colourHint} />
          <Choice
            label={t.colourChoice}
            value={colour}
            options={[{ value: "", name: t.colourAny }, ...colours.map(([one, name]) => ({ value: one, name }))]}
            onValue={setColour}
          />
          <Tick label={t.marker} on={marker} onChange={setMarker} />
        </>
      )}
      <PanelButtons
        desk={desk}
        ready={ready}
        name={way === "cash" ? t.cashOut : way === "redeem" ? t.redeem : t.buyIn}
        onDone={onDone}
      />
    </ActForm>
  );
}
