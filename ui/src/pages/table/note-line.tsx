/** The line above the rail: what is urgent, the area pointed at, or what to do next. Its height is constant. */

import type { BookPage } from "../../api/types";
import { Button } from "../../components/button";
import { CalledNotes } from "../../components/called-irregularities";
import { gap, locale, words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import { AreaInfo } from "../../layout/area-info";
import type { Showing } from "../../layout/model";
import type { LiveTable } from "../../live/table";
import type { View } from "../../live/view";
import { amountText } from "../../money/amounts";
import { readStored, store } from "../../shell/storage";
import type { BetSlip } from "./bet-slip";
import { MovingBet } from "./moving-bet";
import { PowerFailed } from "./power";

interface NoteProps {
  live: LiveTable;
  view: View;
  book: BookPage;
  hand: BetSlip;
  showing: Showing;
  /** The area pointed at. */
  pointed: string | null;
  /** Whether the viewer may bet here. */
  plays: boolean;
  /** Play money that can be taken now; nothing if none is offered. */
  topUp: { amount: number; busy: boolean; take: () => void };
}

export function NoteLine({ topUp, ...props }: NoteProps) {
  const { money } = props.showing;
  return (
    <div class="table-note">
      <Note {...props} />
      {topUp.amount > 0 && (
        <Button tone="main" busy={topUp.busy} onClick={topUp.take}>
          {playWords().play.topUp(amountText(topUp.amount, money, locale.value, { short: true }))}
        </Button>
      )}
    </div>
  );
}

function Note({ live, view, book, hand, showing, pointed, plays }: Omit<NoteProps, "topUp">) {
  if (view.power_failed) return <PowerFailed live={live} book={book} />;
  if (hand.carried.value !== null) return <MovingBet hand={hand} book={book} money={showing.money} />;
  if (view.called.length > 0) return <CalledNotes view={view} book={book} />;
  const wager = book.wagers.find(one => one.wager === pointed);
  if (wager !== undefined) return <AreaInfo wager={wager} showing={showing} live={plays} />;
  if (plays && isNew(live, hand)) return <FirstSteps live={live} />;
  if (!plays) return <p class="area-info soft">{playWords().gameLead[book.identity.game]}</p>;
  return <Hint live={live} view={view} hand={hand} />;
}

const PLAYED = "played";

/** Whether this browser has never seen the player finish a round. */
function isNew(live: LiveTable, hand: BetSlip): boolean {
  if (readStored(PLAYED) !== null || !live.rules.value?.play_money) return false;
  if (Object.keys(hand.last.value).length === 0) return true;
  store(PLAYED, "yes");
  return false;
}

/** Chip, area, wait: the next step is highlighted. */
function FirstSteps({ live }: { live: LiveTable }) {
  const t = playWords().guest;
  const staked = (live.mine.value?.bets.length ?? 0) > 0;
  return (
    <ol class="first-steps">
      <li>{t.chip}</li>
      <li aria-current={staked ? undefined : "step"}>{t.area}</li>
      <li aria-current={staked ? "step" : undefined}>{t.wait}</li>
    </ol>
  );
}

/** How to bet: by touch, or by mouse and keyboard. */
function Hint({ live, view, hand }: { live: LiveTable; view: View; hand: BetSlip }) {
  const t = playWords();
  const poor = view.automatic === undefined && live.mine.value?.balance === 0 && live.mine.value.bets.length === 0;
  const special = t.seat.tipHint[hand.kind.value] ?? (poor ? t.play.buyChips : null);
  if (special !== null) return <p class="area-info soft">{special}</p>;
  return (
    <p class="area-info soft">
      <span class="by-touch">{words().area.touch}</span>
      <span class="by-mouse">
        {words().area.hint}
        {gap()}
        {words().area.keys}
      </span>
    </p>
  );
}
