/** Bets at a player's request, and who has the dice. */

import { useId, useState } from "preact/hooks";
import { Button } from "../components/button";
import { Choice, Field } from "../components/field";
import { amountTyped } from "../money/amounts";
import { named, words } from "../words";
import { type Desk, playersKnown } from "./desk";

export function BetForPlayer({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const [player, setPlayer] = useState("");
  const [wager, setWager] = useState(desk.book.wagers[0]?.wager ?? "");
  const [amount, setAmount] = useState("");
  const minor = amountTyped(amount, desk.rules.money);
  const place = async (): Promise<void> => {
    if (minor === null) return;
    if (await desk.act({ type: "PlaceBets", player, bets: [{ wager, amount: minor }] })) setAmount("");
  };
  return (
    <form
      class="card behalf"
      onSubmit={event => {
        event.preventDefault();
        void place();
      }}
    >
      <h2>{say.behalf}</h2>
      <PlayerField desk={desk} label={say.player} value={player} onValue={setPlayer} />
      <Choice
        label={say.wager}
        value={wager}
        options={desk.book.wagers.map(one => ({ value: one.wager, name: named(one.name) }))}
        onValue={setWager}
      />
      <Field
        label={say.amount}
        value={amount}
        onValue={setAmount}
        inputMode="decimal"
        error={amount !== "" && minor === null ? say.amountWrong : null}
      />
      <div class="buttons">
        <Button type="submit" disabled={desk.busy || player === "" || minor === null || !desk.view.betting}>
          {say.behalfGo}
        </Button>
        <Button
          tone="quiet"
          disabled={desk.busy || player === ""}
          onClick={() => void desk.act({ type: "TakeDown", player, wager, amount: minor })}
        >
          {say.takeOff}
        </Button>
      </div>
    </form>
  );
}

/** A player's name; those whom the table knows are proposed. */
function PlayerField(props: { desk: Desk; label: string; value: string; onValue: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        value={props.value}
        list={`${id}-known`}
        autocomplete="off"
        autocapitalize="none"
        onInput={event => props.onValue(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {playersKnown(props.desk).map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}

/** Only where a shooter throws. */
export function Shooter({ desk }: { desk: Desk }) {
  const say = words().dealer;
  const [name, setName] = useState("");
  const rolls = desk.book.procedure.round.some(step => step.act === "roll");
  if (!rolls) return null;
  if (desk.view.has_shooter) {
    return (
      <section class="card">
        <h2>{say.shooter}</h2>
        <p>{desk.staff.shooter}</p>
        <Button disabled={desk.busy || !desk.view.betting} onClick={() => void desk.act({ type: "PassDice" })}>
          {say.pass}
        </Button>
      </section>
    );
  }
  return (
    <form
      class="card card-wanted"
      onSubmit={event => {
        event.preventDefault();
        void desk.act({ type: "NewShooter", shooter: name });
      }}
    >
      <h2>{say.noShooter}</h2>
      <PlayerField desk={desk} label={say.newShooter} value={name} onValue={setName} />
      <Button type="submit" tone="main" disabled={desk.busy || name.trim() === ""}>
        {say.newShooterGo}
      </Button>
    </form>
  );
}
