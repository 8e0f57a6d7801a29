/** Moving between areas with arrow keys: to the nearest in that direction, also in another block. */

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isMove(key: string): boolean {
  return key in WAYS || key === "Home" || key === "End";
}

/** The wager to move to; null if there is none in that direction. */
export function nextArea(from: Element, key: string, within: Element): string | null {
  const all = [...within.querySelectorAll<SVGElement>("[data-wager]")].filter(one => one.checkVisibility());
  if (key === "Home" || key === "End") return (key === "Home" ? all[0] : all.at(-1))?.dataset.wager ?? null;
  const way = WAYS[key];
  if (way === undefined) return null;
  const here = from.getBoundingClientRect();
  let best: { wager: string; far: number } | null = null;
  for (const one of all) {
    const wager = one.dataset.wager;
    if (one === from || wager === undefined) continue;
    const there = one.getBoundingClientRect();
    const along = way[0] * (centre(there).x - centre(here).x) + way[1] * (centre(there).y - centre(here).y);
    if (along <= 2) continue;
    const aside =
      way[0] === 0
        ? apart(here.left, here.right, there.left, there.right)
        : apart(here.top, here.bottom, there.top, there.bottom);
    const off = way[0] === 0 ? Math.abs(centre(there).x - centre(here).x) : Math.abs(centre(there).y - centre(here).y);
    const far = along + 8 * aside + off / 10;
    if (best === null || far < best.far) best = { wager, far };
  }
  return best?.wager ?? null;
}

function centre(box: DOMRect): { x: number; y: number } {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The distance between two ranges; 0 if they overlap. */
function apart(from: number, to: number, otherFrom: number, otherTo: number): number {
  return Math.max(0, otherFrom - to, from - otherTo);
}
