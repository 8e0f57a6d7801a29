/** The result of a check: the verdict, the dice, and every step with its bytes. */

import type { Proof, ProofChecked } from "../../api/types";
import { Dice } from "../../components/dice";
import { booksWords } from "../../i18n/words/books";
import { tableLabel } from "../../live/names";

type Step = ProofChecked["steps"][number];

export function Checked({ proof, checked }: { proof: Proof; checked: ProofChecked }) {
  const t = booksWords().verify;
  return (
    <div class="checked">
      <div class={checked.good ? "checked-verdict checked-good" : "checked-verdict checked-bad"}>
        <Mark ok={checked.good} />
        <div>
          <p class="checked-words">{checked.good ? t.right : t.wrong}</p>
          <p class="soft">{t.ofRound(tableLabel(proof.table), proof.round)}</p>
        </div>
        <Dice faces={proof.result as number[]} size={48} />
      </div>
      <h2>{t.steps}</h2>
      <ol class="checks">
        {checked.steps.map(step => (
          <li key={step.name} class={step.ok ? undefined : "check-bad"}>
            <Mark ok={step.ok} />
            <div>
              <h3>{title(step)}</h3>
              <Seen step={step} />
            </div>
          </li>
        ))}
      </ol>
      <p class="alone">
        <a class="button button-plain" href={file(proof)} download={`proof-${proof.round}.json`}>
          {t.proof}
        </a>
        <span>
          {t.alone} <code>pitbook verify-round proof-{proof.round}.json</code>
        </span>
      </p>
    </div>
  );
}

function title(step: Step): string {
  const [kind = "", number] = step.name.split(" ");
  const name = booksWords().verify.step[kind] ?? step.name;
  return number === undefined ? name : `${name} ${number}`;
}

/** Long hexadecimal numbers as bytes, the rest as text. */
function Seen({ step }: { step: Step }) {
  const { bytes } = step.values ?? {};
  return (
    <>
      {bytes !== undefined && <code class="bytes">{bytes.match(/../g)?.join(" ")}</code>}
      <p>{step.says}</p>
    </>
  );
}

function file(proof: Proof): string {
  return `data:application/json,${encodeURIComponent(JSON.stringify(proof, null, 2))}`;
}

function Mark({ ok }: { ok: boolean }) {
  const t = booksWords().verify;
  return (
    <svg
      class={ok ? "mark-ok" : "mark-bad"}
      viewBox="0 0 24 24"
      width="28"
      height="28"
      role="img"
      aria-label={ok ? t.ok : t.bad}
    >
      <circle cx="12" cy="12" r="11" />
      <path d={ok ? "M6.5 12.5l3.7 3.7 7.3-8" : "M7.5 7.5l9 9m0-9l-9 9"} />
    </svg>
  );
}
