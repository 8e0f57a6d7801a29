/** Scrolls a row sideways to the chosen item. Only the row moves, never the page. */

/** How much of the neighbours stays visible, as a hint that there are more. */
const NEIGHBOUR = 40;

export function scrollRowTo(row: HTMLElement | null, chosen: string): void {
  const one = row?.querySelector<HTMLElement>(chosen);
  if (!row || !one || row.scrollWidth <= row.clientWidth) return;
  const [around, place] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
  if (place.left < around.left + NEIGHBOUR) row.scrollLeft += place.left - around.left - NEIGHBOUR;
  else if (place.right > around.right - NEIGHBOUR) row.scrollLeft += place.right - around.right + NEIGHBOUR;
}
