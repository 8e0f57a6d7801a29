/** The scenario's file beside the form: written by the form, edited, uploaded or saved. */

import { useId } from "preact/hooks";
import { Button } from "../../components/button";
import { words } from "../../i18n";
import { simulationWords } from "../../i18n/words/simulation";

const LARGEST = 200_000;

interface ScenarioFileProps {
  text: string;
  /** Whether its text is still loading. */
  loading: boolean;
  /** Whether the file is used instead of the form. */
  leads: boolean;
  /** Whether the form can show the file's content. */
  shows: boolean;
  onText: (text: string) => void;
  onForm: () => void;
}

export function ScenarioFile({ text, loading, leads, shows, onText, onForm }: ScenarioFileProps) {
  const t = simulationWords();
  const id = useId();
  const choose = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (file !== undefined) onText((await file.text()).slice(0, LARGEST));
    input.value = "";
  };
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    link.download = "night.toml";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  };
  return (
    <div class="scenario-file">
      <label for={id}>{t.file}</label>
      <p id={`${id}-lead`} class="soft">
        {leads ? t.fileUsed : t.fileLead}
      </p>
      <textarea
        id={id}
        value={text}
        onInput={event => onText(event.currentTarget.value)}
        placeholder={loading ? words().shell.loading : undefined}
        aria-describedby={`${id}-lead`}
        spellcheck={false}
        autocapitalize="none"
        rows={24}
        maxLength={LARGEST}
      />
      <div class="scenario-file-bar">
        <label class="button button-plain file-button">
          {t.upload}
          <input
            type="file"
            class="unseen"
            accept=".toml,application/toml,text/plain"
            onChange={event => void choose(event.currentTarget)}
          />
        </label>
        <Button onClick={save} disabled={text === ""}>
          {t.save}
        </Button>
        {leads && <Button onClick={onForm}>{shows ? t.toForm : t.toFormLost}</Button>}
      </div>
    </div>
  );
}
