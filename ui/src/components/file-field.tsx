/** A labelled button that chooses files, with their names beside it: a browser's own control has the browser's language. */

import { useId, useState } from "preact/hooks";
import { listed, words } from "../i18n";

interface FileFieldProps {
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onTexts: (texts: readonly string[]) => void;
}

export function FileField({ label, hint, accept, multiple = false, disabled = false, onTexts }: FileFieldProps) {
  const id = useId();
  const t = words().files;
  const [names, setNames] = useState<readonly string[]>([]);
  const choose = async (list: FileList | null): Promise<void> => {
    const files = [...(list ?? [])];
    setNames(files.map(file => file.name));
    onTexts(await Promise.all(files.map(file => file.text())));
  };
  return (
    <div class="field">
      <span id={`${id}-label`} class="field-label">
        {label}
      </span>
      <div class="file-field">
        <label class="button file-button">
          {multiple ? t.chooseSeveral : t.choose}
          <input
            type="file"
            class="unseen"
            accept={accept}
            multiple={multiple}
            disabled={disabled}
            aria-labelledby={`${id}-label`}
            aria-describedby={hint === undefined ? `${id}-names` : `${id}-names ${id}-hint`}
            onChange={event => void choose(event.currentTarget.files)}
          />
        </label>
        <span id={`${id}-names`} class="soft">
          {names.length > 0 ? listed(names) : t.none}
        </span>
      </div>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
