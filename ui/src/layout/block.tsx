/** A block of the layout as one drawing, in the shape that the book sets. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Block, WagerEntry } from "../api/types";
import { named } from "../i18n";
import { Arc, Collecting } from "./arc";
import { Area, AreaContent } from "./area";
import { arrangeArc, arrangeColumns, arrangeGrid, arrangeTrack } from "./arrange";
import { arrangeFelt, type FeltDrawing, feltRows } from "./arrange-felt";
import { Repeating } from "./columns";
import { Boxes, FeltCell, FeltLine, feltPays } from "./felt";
import { areaPays, type Drawing, noteGivesOdds, type PricedArea, rowsOf, type Showing } from "./model";
import { Counting } from "./track";

/** A narrower element is not laid out yet. */
const NOTHING_FITS = 120;

interface BlockProps {
  block: Block;
  wagers: ReadonlyMap<string, WagerEntry>;
  showing: Showing;
  live: boolean;
  /** The area that Tab reaches. */
  stop: string | null;
  /** Whether its name is above it. */
  titled: boolean;
  /** The owner of the table, if this block shows the name. */
  facility: string | undefined;
  /** How much higher than necessary it is drawn. */
  stretch: number;
  /** Whether there is little height for its width. */
  low: boolean;
}

export function BlockDrawing({ block, wagers, showing, live, stop, titled, facility, stretch, low }: BlockProps) {
  const [place, width] = useWidth();
  const rows = rowsOf(block, wagers);
  // An area that fills its block has the block's name.
  const headed = titled && rows.flat().length > 1;
  return (
    <figure class={`block block-${block.shape}`}>
      {(headed || block.note !== null || facility !== undefined) && (
        <figcaption>
          {headed && <span class="block-name">{named(block.name)}</span>}
          {facility !== undefined && (
            <span class="block-facility" translate={false}>
              {facility}
            </span>
          )}
          {block.note !== null && <span class="block-note">{named(block.note)}</span>}
        </figcaption>
      )}
      <div ref={place} class="block-place">
        {width > NOTHING_FITS && (
          <Drawn
            block={block}
            wagers={wagers}
            rows={rows}
            width={width}
            showing={showing}
            live={live}
            stop={stop}
            stretch={stretch}
            low={low}
          />
        )}
      </div>
    </figure>
  );
}

interface DrawnProps {
  block: Block;
  wagers: ReadonlyMap<string, WagerEntry>;
  rows: WagerEntry[][];
  width: number;
  showing: Showing;
  live: boolean;
  stop: string | null;
  stretch: number;
  low: boolean;
}

function Drawn({ block, wagers, rows, width, showing, live, stop, stretch, low }: DrawnProps) {
  const felt = block.shape === "felt";
  const drawing: Drawing & { arc?: number } & Partial<FeltDrawing> = felt
    ? arrangeFelt(feltRows(block, wagers), width, stretch, low)
    : arranged(block, rows, width, stretch);
  const oddsInNote = noteGivesOdds(block, rows, showing.paytables);
  const areas = drawing.areas.map(one => {
    const pays = areaPays(one.wager, showing, oddsInNote);
    return { ...one, pays: felt ? feltPays(one.wager, showing, pays) : pays };
  });
  return (
    <>
      <Lamps drawing={drawing} lit={showing.lit} />
      <svg
        class="block-drawing"
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        width={drawing.width}
        height={drawing.height}
        role="group"
        aria-label={named(block.name)}
      >
        {drawing.arc !== undefined && (
          <Arc width={drawing.width} height={drawing.arc} wagers={rows.flat()} showing={showing} />
        )}
        {drawing.boxes !== undefined && <Boxes boxes={drawing.boxes} rest={drawing.rest ?? null} showing={showing} />}
        {areas.map(area => (
          <Area key={area.wager.wager} area={area} showing={showing} live={live} stop={area.wager.wager === stop}>
            {!felt ? (
              painted(area, showing)
            ) : area.cell ? (
              <FeltCell area={area} showing={showing} />
            ) : (
              <FeltLine area={area} showing={showing} />
            )}
          </Area>
        ))}
      </svg>
    </>
  );
}

/** Lamps that are on, in a separate layer below the glass: they light up together without repainting. */
function Lamps({ drawing, lit }: { drawing: Drawing; lit: ReadonlySet<string> }) {
  const on = drawing.areas.filter(({ wager }) => lit.has(wager.wager));
  if (on.length === 0) return null;
  return (
    <svg
      key={on.map(({ wager }) => wager.wager).join()}
      class="block-lamps"
      width={drawing.width}
      height={drawing.height}
      aria-hidden="true"
    >
      {on.flatMap(({ wager, box, arm }) => [
        <rect key={wager.wager} {...box} rx="7" fill="url(#lamp-light)" />,
        ...(arm ? [<rect key={`${wager.wager}-arm`} {...arm} rx="7" fill="url(#lamp-light)" />] : []),
      ])}
    </svg>
  );
}

function arranged(
  block: Block,
  rows: WagerEntry[][],
  width: number,
  stretch: number,
): Drawing | (Drawing & { arc: number }) {
  switch (block.shape) {
    case "arc":
      return arrangeArc(rows, width);
    case "track":
      return arrangeTrack(rows, width);
    case "columns":
      return arrangeColumns(rows, width);
    default:
      return arrangeGrid(rows, width, stretch);
  }
}

/** The content depends on how the wager is decided, wherever its area is. */
function painted(area: PricedArea, showing: Showing) {
  switch (area.wager.decided) {
    case "collect":
      return <Collecting area={area} showing={showing} />;
    case "repeat":
      return <Repeating area={area} showing={showing} />;
    case "count":
      return <Counting area={area} showing={showing} />;
    default:
      return <AreaContent area={area} showing={showing} />;
  }
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const look = (): void => setWidth(Math.floor(element.clientWidth));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width] as const;
}
