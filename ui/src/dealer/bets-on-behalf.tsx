/** Bets placed at a player's request, including tips for the dealers. */

import { useState } from "preact/hooks";
import type { Command } from "../api/types";
import { Choice, Tick } from "../components/field";
import { consoleWords } from "../i18n/words/console";
import { WALK_IN } from "../live/names";
import type { BetKind } from "../live/view";
import { amountTyped } from "../money/amounts";
import { betTakingRoles } from "./booking";
import { type Desk, hasAct } from "./console";
import { AmountField, PanelButtons, type PanelProps, PlayerField, PlayerKeys, WagerField } from "./fields";
import { ActForm } from "./panel";
import { ConsentPin, confirmations, type Pins } from "./witness-pins";

/** The kinds of chips that a bet can be placed with here. */
function kindsOf(desk: Desk, player: string): BetKind[] {
  const colour = desk.staff.players.some(one => one.name === player && one.colour_value !== null);
  const tips: BetKind[] = hasAct(desk.book, "place tip") ? ["tip in the area", "tip on top"] : [];
  return ["cash", ...(colour ? (["colour"] as const) : []), ...tips];
}

export function BetForPlayer({ desk, onDone }: PanelProps) {
  const t = consoleWords().desk;
  const [player, setPlayer] = useState("");
  const [wager, setWager] = useState(desk.book.wagers[0]?.wager ?? "");
  const [amount, setAmount] = useState("");
  const [kind, setKind] = useState<BetKind>("cash");
  const [verbal, setVerbal] = useState(false);
  const [pins, setPins] = useState<Pins>({});
  const whom = { name: player.trim() };
  const minor = amountTyped(amount, desk.rules.money);
  const kinds = kindsOf(desk, player);
  const go = async (): Promise<void> => {
    if (minor === null) return;
    const command: Command = {
      type: "PlaceBets",
      player: player.trim(),
      bets: [{ wager, amount: minor, kind }],
      verbal_cash: verbal,
    };
    if (await desk.act(command, betTakingRoles(desk), confirmations([whom], pins))) onDone();
  };
  return (
    <ActForm onGo={() => void go()}>
      <PlayerField desk={desk} value={player} onValue={setPlayer} />
      <PlayerKeys desk={desk} value={player} onValue={setPlayer} />
      <WagerField desk={desk} value={wager} onValue={setWager} />
      <AmountField desk={desk} value={amount} onValue={setAmount} />
      {desk.rules.setup.bet_consent && whom.name !== "" && !whom.name.startsWith(WALK_IN) && (
        <ConsentPin player={whom.name} pins={pins} onPins={setPins} />
      )}
      {kinds.length > 1 && (
        <Choice
          label={t.kind}
          value={kind}
          options={kinds.map(one => ({ value: one, name: t.kinds[one] ?? one }))}
          onValue={setKind}
        />
      )}
      <Tick label={t.verbal} on={verbal} onChange={setVerbal} />
      <PanelButtons
        desk={desk}
        ready={player.trim() !== "" && minor !== null}
        name={consoleWords().dealer.behalfGo}
        onDone={onDone}
      />
    </ActForm>
  );
}
