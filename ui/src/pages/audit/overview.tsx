/** An overview of the journal: every record, whether it was verified and signed, and exports. */

import { api, told } from "../../api/client";
import { useAsked } from "../../api/use-request";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Section } from "../../components/section";
import { auditWords } from "../../i18n/words/audit";
import { notedTables, tableName } from "../../live/names";
import { useAudit } from "./auditing";
import { Checkpoints } from "./checkpoints";
import { Exports } from "./exports";
import { Offline } from "./offline";
import { Records } from "./records";
import { VerifyNow } from "./verify-now";

export function Overview() {
  const say = auditWords();
  const heads = useAsked(() => told(api.GET("/api/v1/journal")), []);
  const tables = useAsked(() => told(api.GET("/api/v1/tables")).then(notedTables), []);
  const titles = new Map(
    tables.asked.state === "here" ? tables.asked.told.map(one => [one.id, tableName(one.id, one)]) : [],
  );
  const auditing = useAudit(heads.again);
  return (
    <section class="page audit">
      <PageHead title={say.title} lead={say.lead} />
      {heads.asked.state === "waiting" && <Waiting />}
      {heads.asked.state === "failed" && <ProblemNote problem={heads.asked.problem} again={heads.again} />}
      {heads.asked.state === "here" && (
        <div class="audit-parts">
          <div class="audit-wide">
            <VerifyNow auditing={auditing} />
          </div>
          <div class="audit-wide">
            <Section id="records" title={say.records} lead={say.recordsLead}>
              <Records heads={heads.asked.told} titles={titles} audit={auditing.state} />
            </Section>
          </div>
          <Checkpoints heads={heads.asked.told} onSigned={heads.again} />
          <Exports tables={heads.asked.told.records.map(one => one.table)} />
          <div class="audit-wide">
            <Offline />
          </div>
        </div>
      )}
    </section>
  );
}
