/** A row that scrolls sideways shows what is chosen in it. Only the row moves, never the page. */

/** So much of the neighbours is seen, that one knows of them. */
const NEIGHBOUR = 40;

export function inSight(row: HTMLElement | null, chosen: string): void {
  const one = row?.querySelector<HTMLElement>(chosen);
  if (!row || !one || row.scrollWidth <= row.clientWidth) return;
  const [around, place] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
  if (place.left < around.left + NEIGHBOUR) row.scrollLeft += place.left - around.left - NEIGHBOUR;
  else if (place.right > around.right - NEIGHBOUR) row.scrollLeft += place.right - around.right + NEIGHBOUR;
}
