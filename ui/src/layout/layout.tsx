/** The layout of any book: its blocks side by side on a wide screen, one below the other on a phone. */

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block, BookPage, WagerEntry } from "../api/types";
import { Tabs } from "../components/tabs";
import { named, words } from "../i18n";
import { AreaInfo } from "./area-info";
import { isMove, nextArea } from "./area-navigation";
import { BlockDrawing } from "./block";
import { Blocks, mainOf } from "./blocks";
import { blocksOf, type Showing, wagersOf } from "./model";
import { useFilling } from "./row-heights";

export interface LayoutProps {
  book: BookPage;
  /** The state of the table; parts that are missing are not shown. */
  showing?: Partial<Showing>;
  /** Without it no bets can be placed: display boards, rule pages. */
  onBet?: (wager: string) => void;
  onTakeOff?: (wager: string) => void;
  /** Whether Enter places bets, too; otherwise only Space does. */
  enter?: boolean;
  /** Whether the line beside the layout describes the area pointed at. */
  info?: boolean;
  /** Called with the area pointed at, for pages that describe it themselves. */
  onPoint?: (wager: string | null) => void;
  /** The owner of the table, whose name is on the layout. */
  facility?: string | undefined;
  /** One block at a time on any screen, as on a phone. */
  paged?: boolean;
  /** The desired height in pixels, for layouts whose lines can be scaled. */
  room?: number | undefined;
}

const NOTHING: Showing = {
  lit: new Set(),
  lammers: {},
  chances: {},
  own: {},
  others: {},
  money: "XXX",
  paytables: {},
  chip: 0,
  swept: new Set(),
  paid: {},
};

/** Shapes whose lines can be scaled vertically. */
const LINED = new Set<Block["shape"]>(["grid", "felt"]);
const PHONE = "(max-width: 699px)";
const LONG_PRESS = 480;

export function Layout(props: LayoutProps) {
  const { book, showing, onBet, onTakeOff, onPoint, enter = true, info = true, paged = false, room, facility } = props;
  const wagers = useMemo(() => wagersOf(book), [book]);
  const blocks = useMemo(() => blocksOf(book, wagers), [book, wagers]);
  const state: Showing = { ...NOTHING, money: book.identity.currency, ...showing };
  const place = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const phone = useMedia(PHONE) || paged;
  const fill = useFilling(place, phone || blocks.some(block => !LINED.has(block.shape)) ? undefined : room);
  const live = onBet !== undefined;
  const first = blocks[0]?.rows.flat().find(id => wagers.has(id)) ?? null;
  const events = usePointer(place, { onBet, onTakeOff, enter, setStop, setPointed: onPoint ?? setPointed });
  const drawn = (block: Block, titled: boolean, stretch = 1) => (
    <BlockDrawing
      key={block.id}
      block={block}
      wagers={wagers}
      showing={state}
      live={live}
      stop={stop ?? first}
      titled={titled}
      facility={phone || block === mainOf(blocks) ? facility : undefined}
      stretch={stretch}
      low={paged}
    />
  );
  const pointedAt = pointed === null ? undefined : wagers.get(pointed);
  return (
    <div class={`layout ${state.lit.size > 0 ? "layout-lit" : ""}`} ref={place} {...events}>
      <Lamps />
      {phone && blocks.length > 1 ? (
        <Tabs
          label={words().table.blocks}
          first={mainOf(blocks)?.id}
          tabs={blocks.map(block => ({
            id: block.id,
            name: <TabName block={block} wagers={wagers} showing={state} />,
            panel: () => drawn(block, false),
          }))}
        />
      ) : (
        <Blocks
          blocks={blocks}
          drawn={drawn}
          named={block => <TabName block={block} wagers={wagers} showing={state} />}
          fill={fill}
        />
      )}
      {info && <AreaInfo wager={pointedAt} showing={state} live={live} />}
    </div>
  );
}

/** A tab shows when something is lit, or there is a bet, on a block that is not shown. */
function TabName(props: { block: Block; wagers: ReadonlyMap<string, WagerEntry>; showing: Showing }) {
  const ids = props.block.rows.flat();
  const lit = ids.some(id => props.showing.lit.has(id));
  const own = ids.some(id => (props.showing.own[id] ?? 0) > 0);
  return (
    <>
      {named(props.block.name)}
      {lit && <span class="tab-lamp" role="img" aria-label={words().area.lit} />}
      {own && <span class="tab-chip" aria-hidden="true" />}
    </>
  );
}

/** The light of all lamps, defined once. */
function Lamps() {
  return (
    <svg class="defs" width="0" height="0" aria-hidden="true">
      <defs>
        <radialGradient id="lamp-light" cx="50%" cy="42%" r="78%">
          <stop class="lamp-core" offset="0%" />
          <stop class="lamp-mid" offset="45%" />
          <stop class="lamp-edge" offset="100%" />
        </radialGradient>
      </defs>
    </svg>
  );
}

interface Hands {
  onBet: ((wager: string) => void) | undefined;
  onTakeOff: ((wager: string) => void) | undefined;
  enter: boolean;
  setStop: (wager: string) => void;
  setPointed: (wager: string | null) => void;
}

/** Click and Enter place bets; right click, long press and Backspace take them off; arrow keys move. */
function usePointer(place: RefObject<HTMLDivElement | null>, hands: Hands) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; done: boolean } | null>(null);
  const wagerAt = (event: Event): { wager: string; element: Element } | null => {
    const element = (event.target as Element | null)?.closest?.("[data-wager], [data-arm]");
    const wager = element?.getAttribute("data-wager") ?? element?.getAttribute("data-arm");
    return element && wager ? { wager, element } : null;
  };
  const release = (): void => {
    if (press.current) clearTimeout(press.current.timer);
  };
  return {
    onClick: (event: MouseEvent) => {
      const at = wagerAt(event);
      const held = press.current?.done;
      press.current = null;
      if (at === null || held) return;
      hands.setStop(at.wager);
      hands.onBet?.(at.wager);
    },
    onContextMenu: (event: MouseEvent) => {
      const at = wagerAt(event);
      if (at === null || hands.onTakeOff === undefined) return;
      event.preventDefault();
      if (!press.current?.done) hands.onTakeOff(at.wager);
    },
    onPointerDown: (event: PointerEvent) => {
      const at = wagerAt(event);
      if (at === null || event.pointerType === "mouse") return;
      const held = {
        done: false,
        timer: setTimeout(() => {
          held.done = true;
          hands.onTakeOff?.(at.wager);
        }, LONG_PRESS),
      };
      press.current = held;
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerMove: (event: PointerEvent) => {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 6) release();
    },
    onPointerOver: (event: PointerEvent) => hands.setPointed(wagerAt(event)?.wager ?? null),
    onPointerLeave: () => hands.setPointed(null),
    onFocusIn: (event: FocusEvent) => {
      const at = wagerAt(event);
      if (at === null) return;
      hands.setStop(at.wager);
      hands.setPointed(at.wager);
    },
    onFocusOut: () => hands.setPointed(null),
    onKeyDown: (event: KeyboardEvent) => {
      const at = wagerAt(event);
      if (at === null || place.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isMove(event.key)) {
        const to = nextArea(at.element, event.key, place.current);
        event.preventDefault();
        if (to !== null) place.current.querySelector<SVGElement>(`[data-wager="${CSS.escape(to)}"]`)?.focus();
      } else if ((event.key === "Enter" && hands.enter) || event.key === " ") {
        event.preventDefault();
        hands.onBet?.(at.wager);
      } else if (event.key === "Backspace" || event.key === "Delete") {
        event.preventDefault();
        hands.onTakeOff?.(at.wager);
      }
    },
  };
}

export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const look = (): void => setFits(media.matches);
    look();
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [query]);
  return fits;
}
