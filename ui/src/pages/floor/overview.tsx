/** The floor at a glance: its figures, then every table that the person supervises; those that need attention come
 * first. */

import { api, unwrap } from "../../api/client";
import { usePolling } from "../../api/polling";
import { latestData } from "../../api/use-request";
import { capital } from "../../components/book-sentence";
import { LinkButton } from "../../components/button";
import { PageHead } from "../../components/page-head";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { regional } from "../../i18n";
import { floorWords } from "../../i18n/words/floor";
import { notedTables, tableLabel } from "../../live/names";
import { officeNews } from "../../shell/office-news";
import { isManager, me } from "../../shell/session";
import { FigureStrip } from "./figure-strip";
import { TableRows } from "./table-rows";

const POLL_INTERVAL = 4_000;

export function Overview() {
  const t = floorWords();
  const who = me.value?.name;
  const floor = usePolling(
    async () => {
      const answer = await unwrap(api.GET("/api/v1/floor"));
      notedTables(answer.tables);
      return { ...answer, at: new Date() };
    },
    POLL_INTERVAL,
    [who],
  );
  const found = latestData(floor.response);
  const disabled = found?.disabled ?? [];
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {isManager() && (
          <LinkButton href="/floor/open" tone="main">
            {t.openNew}
          </LinkButton>
        )}
      </PageHead>
      {floor.response.state === "failed" && <ProblemNote problem={floor.response.problem} retry={floor.reload} />}
      {floor.response.state === "loading" && <Waiting />}
      {found !== null && <FigureStrip floor={found} news={officeNews.value} />}
      {disabled.map(one => (
        <div key={one.id} class="note note-bad">
          <p>
            <strong>{t.disabled(tableLabel(one.id))}</strong>
          </p>
          <p>{capital(one.says)}</p>
        </div>
      ))}
      {found !== null && found.tables.length === 0 && disabled.length === 0 && (
        <div class="note">
          <p>
            <strong>{t.none}</strong>
          </p>
          <p class="soft">{isManager() ? t.noneManager : t.noneOther}</p>
        </div>
      )}
      {found !== null && found.tables.length > 0 && (
        <TableRows tables={found.tables} alarms={officeNews.value.alarms} />
      )}
      {found !== null && (
        <p class="soft as-of">
          {t.tablesOpen(found.tables.filter(one => one.open).length, found.tables.length)} ·{" "}
          {floor.response.state === "failed" ? t.old : t.updated(timeOf(found.at))}
        </p>
      )}
    </>
  );
}

function timeOf(at: Date): string {
  return new Intl.DateTimeFormat(regional.value, { timeStyle: "medium" }).format(at);
}
