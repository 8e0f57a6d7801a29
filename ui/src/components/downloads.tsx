/** Download buttons for what is shown. */

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { Button } from "./button";
import type { Content, Form } from "./files";

interface DownloadsProps {
  /** The name of the file, without its ending. */
  file: string;
  /** What is downloaded, for screen readers. */
  about?: string;
  /** Whether the label is visible before the buttons, and not only to screen readers. */
  showAbout?: boolean;
  forms?: readonly Form[];
  /** Called when the file is requested. */
  content: () => Content | Promise<Content>;
}

const TABLE: readonly Form[] = ["CSV", "XLSX", "JSON"];
export const PLOT: readonly Form[] = [...TABLE, "SVG"];

export function Downloads({ file, about, showAbout = false, forms = TABLE, content }: DownloadsProps) {
  const t = words().figures;
  const [busy, setBusy] = useState(false);
  const take = async (form: Form): Promise<void> => {
    setBusy(true);
    try {
      const { save } = await import("./files");
      save(file, form, await content());
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="downloads">
      {showAbout && <span class="soft">{about}</span>}
      {forms.map(form => (
        <Button
          key={form}
          tone="quiet"
          disabled={busy}
          onClick={() => void take(form)}
          aria-label={about === undefined ? t.download(form) : t.downloadOf(form, about)}
        >
          {form}
        </Button>
      ))}
    </span>
  );
}
