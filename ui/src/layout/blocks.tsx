/** The blocks of a layout among each other, as they lie on felt. */

import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Block } from "../api/types";

interface BlocksProps {
  blocks: readonly Block[];
  drawn: (block: Block, titled: boolean, stretch?: number) => JSX.Element;
  /** So much higher, or lower, all lines are drawn. */
  fill?: number;
}

/** What comes before the widest block stands at its side, what comes after it below; as the layouts on felt do. */
export function Blocks({ blocks, drawn, fill = 1 }: BlocksProps) {
  const titled = blocks.length > 1;
  const widest = mainOf(blocks);
  const main = widest === undefined ? -1 : blocks.indexOf(widest);
  const grids = blocks.every(block => block.shape === "grid");
  if (!grids || main <= 0) return <div class="blocks">{blocks.map(block => drawn(block, titled, fill))}</div>;
  return <Sided side={blocks.slice(0, main)} main={blocks.slice(main)} drawn={drawn} fill={fill} />;
}

interface SidedProps {
  side: readonly Block[];
  main: readonly Block[];
  drawn: BlocksProps["drawn"];
  fill: number;
}

/** Both sides end at the same height. */
function Sided({ side, main, drawn, fill }: SidedProps) {
  const [left, right] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const stretch = useStretch(left, right, fill);
  return (
    <div class="blocks blocks-sided">
      <div class="blocks-side">
        <div class="blocks-column" ref={left}>
          {side.map(block => drawn(block, true, fill))}
        </div>
      </div>
      <div class="blocks-main">
        <div class="blocks-column" ref={right}>
          {main.map(block => drawn(block, true, stretch))}
        </div>
      </div>
    </div>
  );
}

const MOST = 1.7;

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
        const wanted = abreast ? Math.min(MOST, Math.max(Math.min(1, least), (free / drawn) * now)) : 1;
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

/** The widest block of a grid, else the first one. */
export function mainOf(blocks: readonly Block[]): Block | undefined {
  if (!blocks.every(block => block.shape === "grid")) return blocks[0];
  const widest = Math.max(...blocks.map(breadth));
  return blocks.find(block => breadth(block) === widest);
}

function breadth(block: Block): number {
  return Math.max(0, ...block.rows.map(row => row.length));
}
