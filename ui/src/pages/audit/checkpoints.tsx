/** Signed checkpoints: create, download, and how to keep them. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { JournalHeads } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { FileField } from "../../components/file-field";
import { ProblemNote } from "../../components/problem-note";
import { Section } from "../../components/section";
import { toastDone } from "../../components/toasts";
import { auditWords } from "../../i18n/words/audit";
import { moment, save } from "./formatting";

export function Checkpoints({ heads, onSigned }: { heads: JournalHeads; onSigned: () => void }) {
  const t = auditWords().checkpoints;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = useRequest(() => unwrap(api.GET("/api/v1/checkpoints/key")), []);
  const sign = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const made = await api.POST("/api/v1/checkpoints", { parseAs: "text" });
      const content = await unwrap(Promise.resolve(made));
      const name = /filename="([^"]+)"/.exec(made.response.headers.get("content-disposition") ?? "")?.[1];
      save(new Blob([content], { type: "application/json" }), name ?? "checkpoint.json");
      toastDone(t.made(name ?? "checkpoint.json"));
      onSigned();
      key.reload();
    } catch (thrown) {
      setProblem(asProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  const [given, setGiven] = useState<string | null>(null);
  const signed = heads.signed;
  const known = key.response.state === "loaded" ? key.response.data : null;
  return (
    <Section id="checkpoints" title={t.title} lead={t.lead}>
      <p>
        <Button tone="main" busy={busy} onClick={() => void sign()}>
          {t.go}
        </Button>
      </p>
      {problem && <ProblemNote problem={problem} />}
      <dl class="audit-facts">
        <div>
          <dt>{t.last}</dt>
          <dd>
            {signed ? (
              <>
                {moment(signed.at)} {auditWords().utc}
                <span class="soft"> · {t.covers(sum(Object.values(signed.entries)))}</span>
              </>
            ) : (
              <span class="soft">{t.none}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.key}</dt>
          <dd>
            {known ? (
              <>
                <code class="audit-fingerprint">{known.id}</code>
                <Button
                  tone="quiet"
                  onClick={() =>
                    save(new Blob([known.public_key], { type: "application/x-pem-file" }), "signing.key.pub")
                  }
                >
                  {t.keyDownload}
                </Button>
              </>
            ) : (
              <span class="soft">{t.keyNone}</span>
            )}
          </dd>
        </div>
      </dl>
      {known && (
        <div class="audit-compare">
          <FileField
            label={t.compare}
            hint={t.compareHint}
            accept=".pub,.pem,application/x-pem-file"
            onTexts={texts => setGiven(texts[0] ?? null)}
          />
          <div role="status">{given !== null && <Compared given={given} known={known.public_key} />}</div>
        </div>
      )}
      <h3>{t.keep}</h3>
      <ol class="audit-steps">
        {t.steps.map(one => (
          <li key={one}>{one}</li>
        ))}
      </ol>
    </Section>
  );
}

/** Whether a key received from elsewhere is the one that this server signs with. */
function Compared({ given, known }: { given: string; known: string }) {
  const t = auditWords().checkpoints;
  return contentOf(given) === contentOf(known) ? (
    <p class="verdict-good">✓ {t.sameKey}</p>
  ) : (
    <p class="note note-bad">✗ {t.otherKey}</p>
  );
}

/** The content of a key file, however its lines are broken. */
function contentOf(pem: string): string {
  return pem.replace(/-----[^-]*-----|\s/g, "");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}
