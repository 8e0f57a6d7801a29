/** Arrow keys between the focusable cells of a table. */

const WAYS: Record<string, readonly [down: number, right: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Moves to the next cell in the direction of the key; if there is none, the browser handles the key. */
export function moveToNextCell(event: KeyboardEvent): void {
  const way = WAYS[event.key];
  if (way === undefined || !(event.target instanceof HTMLTableCellElement)) return;
  const { cellIndex, parentElement: row } = event.target;
  const rows = [...(row?.parentElement?.children ?? [])] as HTMLTableRowElement[];
  const [down, right] = way;
  let [line, place] = [rows.indexOf(row as HTMLTableRowElement), cellIndex];
  for (;;) {
    line += down;
    place += right;
    const cell = rows[line]?.cells[place];
    if (cell === undefined) return;
    if (cell.hasAttribute("tabindex")) {
      event.preventDefault();
      cell.focus();
      return;
    }
  }
}
