/** The arrangement of the blocks of a layout, as on felt. */

import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../api/types";

interface BlocksProps {
  blocks: readonly Block[];
  drawn: (block: Block, titled: boolean, stretch?: number) => JSX.Element;
  /** A block's name, with a mark if something is on it. */
  named: (block: Block) => JSX.Element;
  /** The vertical scale of all lines. */
  fill?: number;
}

/** Blocks before the widest are at its side, those after it below, as on felts. The parts of a felt are side by side,
 * with everything else below them. */
export function Blocks({ blocks, drawn, named, fill = 1 }: BlocksProps) {
  const open = blocks.filter(block => !block.folded);
  const felts = open.filter(block => block.shape === "felt");
  const titled = open.length > 1;
  const folded = blocks
    .filter(block => block.folded)
    .map(block => (
      <details key={block.id} class="block-folded">
        <summary>{named(block)}</summary>
        {drawn(block, false, fill)}
      </details>
    ));
  if (felts.length > 0) {
    const others = open.filter(block => block.shape !== "felt");
    return (
      <>
        <Sided kind="felt" left={felts.slice(0, 1)} right={felts.slice(1)} drawn={drawn} fill={fill} />
        {folded}
        {others.length > 0 && <div class="blocks">{others.map(block => drawn(block, titled))}</div>}
      </>
    );
  }
  const widest = mainOf(open);
  const main = widest === undefined ? -1 : open.indexOf(widest);
  const grids = open.every(block => block.shape === "grid");
  return (
    <>
      {!grids || main <= 0 ? (
        <div class="blocks">{open.map(block => drawn(block, titled, fill))}</div>
      ) : (
        <Sided kind="sided" left={open.slice(0, main)} right={open.slice(main)} drawn={drawn} fill={fill} />
      )}
      {folded}
    </>
  );
}

interface SidedProps {
  /** The wide column: the right one of `sided`, the left one of `felt`. */
  kind: "sided" | "felt";
  left: readonly Block[];
  right: readonly Block[];
  drawn: BlocksProps["drawn"];
  fill: number;
}

/** Both sides end at the same height. */
function Sided({ kind, left, right, drawn, fill }: SidedProps) {
  const [first, second] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const stretch = useStretch(first, second, fill);
  const titled = right.length > 0;
  return (
    <div class={`blocks blocks-${kind}`}>
      <div class="blocks-side">
        <div class="blocks-column" ref={first}>
          {left.map(block => drawn(block, titled, fill))}
        </div>
      </div>
      <div class="blocks-main">
        <div class="blocks-column" ref={second}>
          {right.map(block => drawn(block, titled, stretch))}
        </div>
      </div>
    </div>
  );
}

const SCALE_MAX = 1.7;

function useStretch(
  left: RefObject<HTMLDivElement | null>,
  right: RefObject<HTMLDivElement | null>,
  least: number,
): number {
  const [stretch, setStretch] = useState(1);
  useLayoutEffect(() => {
    const [side, main] = [left.current, right.current];
    if (side === null || main === null) return;
    const look = (): void => {
      const drawings = [...main.querySelectorAll("svg.block-drawing")];
      const drawn = drawings.reduce((sum, one) => sum + Number(one.getAttribute("height")), 0);
      const abreast = side.offsetLeft < main.offsetLeft;
      if (drawn === 0) return;
      setStretch(now => {
        const free = side.offsetHeight - (main.offsetHeight - drawn);
        const wanted = abreast ? Math.min(SCALE_MAX, Math.max(Math.min(1, least), (free / drawn) * now)) : 1;
        return Math.abs(wanted - now) > 0.012 ? wanted : now;
      });
    };
    const observer = new ResizeObserver(look);
    observer.observe(side);
    observer.observe(main);
    return () => observer.disconnect();
  }, [left, right, least]);
  return stretch;
}

/** The widest block of a grid, or else the first one. */
export function mainOf(blocks: readonly Block[]): Block | undefined {
  if (!blocks.every(block => block.shape === "grid")) return blocks[0];
  const widest = Math.max(...blocks.map(breadth));
  return blocks.find(block => breadth(block) === widest);
}

function breadth(block: Block): number {
  return Math.max(0, ...block.rows.map(row => row.length));
}
