/** The felt on the console: all of it if it fits, or else one block at a time. Bets are booked on it: an area, a
 * player, a chip. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Fitted } from "../layout/fitted-layout";
import { useMedia } from "../layout/layout";
import { LiveLayout } from "../layout/live-layout";
import { chipOfKey, mayBook, SEAT_KEYS, Tray, useBooking } from "./booking";
import type { Desk } from "./console";

/** On such a screen the console never scrolls; `styles/dealer.css` has the same sizes. */
const PINNED = "(min-width: 1000px) and (min-height: 640px)";
/** The minimum size of a touch target, in pixels. */
const LEAST = 40;

export function Felt({ desk }: { desk: Desk }) {
  const place = useRef<HTMLDivElement>(null);
  const pinned = useMedia(PINNED);
  const [paged, setPaged] = useState(false);
  const booking = useBooking(desk);
  useEffect(() => {
    const whole = (): void => setPaged(false);
    addEventListener("resize", whole);
    return () => removeEventListener("resize", whole);
  }, []);
  const { live, view, rules, book } = desk;
  const layout = (
    <LiveLayout
      live={live}
      view={view}
      rules={rules}
      book={book}
      paged={pinned && paged}
      chosen={booking.area}
      enter={false}
      {...(mayBook(desk) ? { onBet: booking.choose } : {})}
    />
  );
  /** Letters, because digits are dice; active while the felt or the chips have the focus. */
  const press = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.ctrlKey || event.metaKey || event.altKey || typing || booking.area === null) return;
    const seat = booking.players[SEAT_KEYS.indexOf(event.key.toLowerCase())];
    const chip = chipOfKey(booking.chips, event.key.toLowerCase());
    if (event.key === "Escape") booking.choose(null);
    else if (seat !== undefined) booking.seat(seat);
    else if (chip !== undefined) booking.lay(chip);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="desk-felt" ref={place} onKeyDown={press}>
      {mayBook(desk) && <Tray desk={desk} booking={booking} />}
      {pinned ? (
        <Fitted key={paged ? "paged" : "whole"} onFit={() => isTooSmall(place.current) && setPaged(true)}>
          {layout}
        </Fitted>
      ) : (
        layout
      )}
    </div>
  );
}

/** Whether an area is too small to be touched. */
function isTooSmall(place: HTMLElement | null): boolean {
  const areas = [...(place?.querySelectorAll(".area-ground") ?? [])].map(area => area.getBoundingClientRect());
  return areas.some(({ width, height }) => Math.min(width, height) < LEAST);
}
