/** An overview of the journal: every record, whether it was verified and signed, and exports. */

import { api, unwrap } from "../../api/client";
import { useRequest } from "../../api/use-request";
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
  const t = auditWords();
  const heads = useRequest(() => unwrap(api.GET("/api/v1/journal")), []);
  const tables = useRequest(() => unwrap(api.GET("/api/v1/tables")).then(notedTables), []);
  const titles = new Map(
    tables.response.state === "loaded" ? tables.response.data.map(one => [one.id, tableName(one.id, one)]) : [],
  );
  const auditing = useAudit(heads.reload);
  return (
    <section class="page audit">
      <PageHead title={t.title} lead={t.lead} />
      {heads.response.state === "loading" && <Waiting />}
      {heads.response.state === "failed" && <ProblemNote problem={heads.response.problem} retry={heads.reload} />}
      {heads.response.state === "loaded" && (
        <div class="audit-parts">
          <div class="audit-wide">
            <VerifyNow auditing={auditing} />
          </div>
          <div class="audit-wide">
            <Section id="records" title={t.records} lead={t.recordsLead}>
              <Records heads={heads.response.data} titles={titles} audit={auditing.state} />
            </Section>
          </div>
          <Checkpoints heads={heads.response.data} onSigned={heads.reload} />
          <Exports tables={heads.response.data.records.map(one => one.table)} />
          <div class="audit-wide">
            <Offline />
          </div>
        </div>
      )}
    </section>
  );
}
