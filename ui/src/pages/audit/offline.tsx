/** Verification by the command line, for those who don't trust the server. */

import { announce } from "../../components/announcements";
import { Button } from "../../components/button";
import { Section } from "../../components/section";
import { auditWords } from "../../i18n/words/audit";

const COMMANDS = {
  backup: "pitbook backup journal.db copy.db",
  prove: "pitbook audit copy.db --checkpoint checkpoint.json --key signing.key.pub",
  replay: "pitbook replay copy.db TABLE --round 12",
} as const;

export function Offline() {
  const t = auditWords().offline;
  const copy = async (text: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    announce(t.copied);
  };
  return (
    <Section id="offline" title={t.title} lead={t.lead}>
      <dl class="audit-commands">
        {(["backup", "prove", "replay"] as const).map(one => (
          <div key={one}>
            <dt>{t[one]}</dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <code tabIndex={0}>{COMMANDS[one]}</code>
              <Button tone="quiet" onClick={() => void copy(COMMANDS[one])} aria-label={`${t.copy}: ${t[one]}`}>
                {t.copy}
              </Button>
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft">{t.database}</p>
    </Section>
  );
}
