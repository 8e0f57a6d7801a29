/** Booking a bet for a player in three presses: the area on the felt, the player, a chip. */

import { useEffect, useState } from "preact/hooks";
import { Chip, denominations } from "../components/chip";
import { words } from "../i18n";
import { consoleWords } from "../i18n/words/console";
import { playWords } from "../i18n/words/play";
import { areaName } from "../layout/model";
import { workingRoles } from "../shell/session";
import { Person } from "../staff/person";
import { mayAct } from "../staff/roles";
import { type Desk, money, playersKnown } from "./console";

/** Letter keys for the players, in their order: digits are for dice. */
export const SEAT_KEYS: readonly string[] = [..."asdfghjkl"];
const CHIP_KEYS: readonly string[] = [..."qwertyui"];

/** A kind of chip to bet with. */
interface Stake {
  amount: number;
  kind: "cash" | "colour";
  /** Whether it is the maximum odds. */
  most?: boolean;
}

export interface Booking {
  area: string | null;
  player: string | null;
  players: readonly string[];
  chips: readonly Stake[];
  choose: (area: string | null) => void;
  seat: (player: string) => void;
  lay: (stake: Stake) => void;
}

/** The roles that take bets for players under the book. */
export function betTakingRoles({ book }: Pick<Desk, "book">): readonly string[] {
  return book.procedure.round.find(step => step.act === "take bets")?.who ?? [];
}

/** Whether the signed-in person takes bets here. */
export function mayBook(desk: Desk): boolean {
  const { view, live, book } = desk;
  return view.automatic === undefined && workingRoles(live.id).some(role => mayAct(book, role, betTakingRoles(desk)));
}

export function chipOfKey(chips: readonly Stake[], key: string): Stake | undefined {
  return chips[CHIP_KEYS.indexOf(key)];
}

export function useBooking(desk: Desk): Booking {
  const { view } = desk;
  const [area, setArea] = useState<string | null>(null);
  const [player, setPlayer] = useState<string | null>(null);
  /** Players by name who are new to the table. */
  const [others, setOthers] = useState<readonly string[]>([]);
  const known = playersKnown(desk);
  useEffect(() => {
    if (!view.betting) setArea(null);
  }, [view.betting]);
  const lay = ({ amount, kind }: Stake): void => {
    if (area === null || player === null || !view.betting) return;
    void desk.act({ type: "PlaceBets", player, bets: [{ wager: area, amount, kind }] }, betTakingRoles(desk));
  };
  return {
    area,
    player,
    players: [...known, ...others.filter(one => !known.includes(one))].slice(0, SEAT_KEYS.length),
    chips: area === null ? [] : stakesOn(desk, area, player),
    choose: wager => setArea(before => (!view.betting || before === wager ? null : wager)),
    seat: name => {
      setPlayer(name);
      if (!known.includes(name)) setOthers(before => [...before.filter(one => one !== name), name]);
    },
    lay,
  };
}

/** The amounts that a player can bet on an area with one press: the minimum and chips above it, their own colour, the
 * odds. */
function stakesOn({ rules, staff }: Desk, area: string, player: string | null): Stake[] {
  const limit = rules.limits[area];
  const least = limit?.stake_min ?? 1;
  const chips = denominations(least, limit?.stake_max ?? Infinity, rules.money);
  const lies = staff.bets.some(bet => bet.wager === area && bet.player === player);
  const amounts = lies ? chips : [...new Set([least, ...chips.filter(chip => chip > least)])];
  const value = staff.players.find(one => one.name === player)?.colour_value ?? null;
  const room = oddsRoom(staff, area, player);
  return [
    ...(room > 0 ? [{ amount: room, kind: "cash" as const, most: true }] : []),
    ...(value === null ? [] : [{ amount: value, kind: "colour" as const }]),
    ...amounts.slice(0, 6).map(amount => ({ amount, kind: "cash" as const })),
  ];
}

/** The odds that a player may still add on an area. */
function oddsRoom(staff: Desk["staff"], area: string, player: string | null): number {
  const own = new Set(staff.bets.filter(bet => bet.player === player).map(bet => bet.id));
  return staff.standing.find(one => own.has(one.bet) && one.odds?.wager === area)?.odds?.room ?? 0;
}

/** Beside the felt, always in the same place: the chosen area, the players, and chips. */
export function Tray({ desk, booking }: { desk: Desk; booking: Booking }) {
  const t = consoleWords().desk;
  const { area, player, players, chips } = booking;
  return (
    <section class="tray" aria-label={t.booking}>
      {area === null ? (
        <p class="soft">{desk.view.betting ? t.bookHint : words().table.noMoreBets}</p>
      ) : (
        <>
          <strong class="tray-area">{areaName(desk.book, area)}</strong>
          <fieldset class="tray-seats">
            <legend class="unseen">{t.player}</legend>
            {players.map((one, place) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === player}
                aria-keyshortcuts={SEAT_KEYS[place]}
                onClick={() => booking.seat(one)}
              >
                <Person name={one} /> <Colour desk={desk} player={one} />
                <kbd aria-hidden="true">{SEAT_KEYS[place]?.toUpperCase()}</kbd>
              </button>
            ))}
            <Other onName={booking.seat} />
          </fieldset>
          <fieldset class="tray-chips">
            <legend class="unseen">{t.kind}</legend>
            {chips.map((stake, place) => (
              <button
                key={`${stake.kind} ${stake.amount} ${stake.most ?? ""}`}
                type="button"
                disabled={player === null}
                aria-keyshortcuts={CHIP_KEYS[place]}
                onClick={() => booking.lay(stake)}
              >
                {stake.most ? (
                  t.bookOdds(money(desk, stake.amount))
                ) : (
                  <>
                    <span class="unseen">{t.bookAmount(money(desk, stake.amount), areaName(desk.book, area))}</span>
                    <span aria-hidden="true">
                      <Chip amount={stake.amount} money={desk.rules.money} size={36} />
                    </span>
                  </>
                )}
                {stake.kind === "colour" && <span class="tray-kind">{t.tags.colour}</span>}
                <kbd aria-hidden="true">{CHIP_KEYS[place]?.toUpperCase()}</kbd>
              </button>
            ))}
          </fieldset>
          <button type="button" class="quiet" aria-label={t.close} onClick={() => booking.choose(null)}>
            ×
          </button>
        </>
      )}
    </section>
  );
}

/** A player who is new to the table, by name. */
function Other({ onName }: { onName: (name: string) => void }) {
  const t = consoleWords().desk;
  const [name, setName] = useState("");
  return (
    <input
      class="tray-other"
      value={name}
      placeholder={t.bookOther}
      aria-label={t.bookOther}
      autocomplete="off"
      autocapitalize="none"
      onInput={event => setName(event.currentTarget.value)}
      onChange={() => {
        if (name.trim() !== "") onName(name.trim());
        setName("");
      }}
    />
  );
}

/** The colour of a player's own chips. */
function Colour({ desk, player }: { desk: Desk; player: string }) {
  const colour = desk.staff.players.find(one => one.name === player)?.purse?.colour;
  return colour === undefined ? null : <span class="soft">{playWords().seat.colours[colour] ?? colour}</span>;
}
