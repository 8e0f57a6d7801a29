/** For viewers without a seat: what the game is, and how to play. */

import type { BookPage } from "../../api/types";
import { LinkButton } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { words } from "../../i18n";
import { playWords } from "../../i18n/words/play";
import type { LiveTable } from "../../live/table";
import type { Rules, View } from "../../live/view";
import { GuestSeat, useGuestsWelcome } from "../../shell/guest-seat";
import { place } from "../../shell/router";
import { me } from "../../shell/session";

interface SpectatorProps {
  live: LiveTable;
  view: View;
  rules: Rules;
  book: BookPage;
}

export function Spectator(props: SpectatorProps) {
  const t = playWords().play;
  if (me.value === undefined) return <div class="looks-on" />;
  return (
    <div class="looks-on">
      <p>{me.value === null ? t.toPlay : t.noPlayer}</p>
      {me.value === null && <Seats {...props} />}
    </div>
  );
}

/** Shown after a click on the layout by someone without a seat. */
export function SeatOffer({ open, onClose, ...props }: SpectatorProps & { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={playWords().guest.title} onClose={onClose}>
      <p>{playWords().gameLead[props.book.identity.game]}</p>
      <Seats {...props} />
    </Dialog>
  );
}

function Seats({ live, view, rules }: SpectatorProps) {
  const guests = useGuestsWelcome() && view.automatic !== undefined && rules.play_money && view.open;
  return (
    <div class="buttons">
      {guests && <GuestSeat table={live.id} />}
      <LinkButton tone={guests ? "plain" : "main"} href={`/sign-in?to=${encodeURIComponent(place.value.path)}`}>
        {words().shell.signIn}
      </LinkButton>
    </div>
  );
}
