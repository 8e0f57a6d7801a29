/** Tables as text: for the clipboard and for CSV files. */

export type Cell = string | number | null;

export interface Sheet {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** Formats rows as lines; a cell that a spreadsheet would read as a formula is escaped. */
export function asText({ columns, rows }: Sheet, between: string): string {
  const text = (value: Cell): string => {
    if (typeof value === "number") return String(value);
    const safe = (value ?? "").replace(/^([=+\-@\t\r])/, "'$1");
    return /["\r\n,\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map(line => line.map(text).join(between)).join("\n");
}
