/** What is shown, as files: CSV for a spreadsheet, JSON for a program. */

import { booksWords } from "../../i18n/words/books";

interface DownloadsProps {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  data: unknown;
}

export function Downloads({ name, columns, rows, data }: DownloadsProps) {
  const say = booksWords().analysis;
  const csv = [columns, ...rows].map(row => row.map(quoted).join(",")).join("\n");
  const files = { CSV: ["text/csv", `${csv}\n`], JSON: ["application/json", JSON.stringify(data, null, 2)] } as const;
  return (
    <p class="reports">
      <span class="soft">{say.download}</span>
      {Object.entries(files).map(([form, [kind, text]]) => (
        <a
          key={form}
          class="button button-plain"
          href={`data:${kind};charset=utf-8,${encodeURIComponent(text)}`}
          download={`${name}.${form.toLowerCase()}`}
          aria-label={say.downloadAs(form)}
        >
          {form}
        </a>
      ))}
    </p>
  );
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
