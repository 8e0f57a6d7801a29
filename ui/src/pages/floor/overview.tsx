/** The floor at a glance: its figures, then every table that the person supervises; those that need attention come
 * first. */

import { api, told } from "../../api/client";
import { usePolled } from "../../api/polling";
import { known } from "../../api/use-request";
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

const EVERY = 4_000;

export function Overview() {
  const say = floorWords();
  const who = me.value?.name;
  const floor = usePolled(
    async () => {
      const answer = await told(api.GET("/api/v1/floor"));
      notedTables(answer.tables);
      return { ...answer, at: new Date() };
    },
    EVERY,
    [who],
  );
  const found = known(floor.asked);
  const disabled = found?.disabled ?? [];
  return (
    <>
      <PageHead title={say.title} lead={say.lead}>
        {isManager() && (
          <LinkButton href="/floor/open" tone="main">
            {say.openNew}
          </LinkButton>
        )}
      </PageHead>
      {floor.asked.state === "failed" && <ProblemNote problem={floor.asked.problem} again={floor.again} />}
      {floor.asked.state === "waiting" && <Waiting />}
      {found !== null && <FigureStrip floor={found} news={officeNews.value} />}
      {disabled.map(one => (
        <div key={one.id} class="note note-bad">
          <p>
            <strong>{say.disabled(tableLabel(one.id))}</strong>
          </p>
          <p>{capital(one.says)}</p>
        </div>
      ))}
      {found !== null && found.tables.length === 0 && disabled.length === 0 && (
        <div class="note">
          <p>
            <strong>{say.none}</strong>
          </p>
          <p class="soft">{isManager() ? say.noneManager : say.noneOther}</p>
        </div>
      )}
      {found !== null && found.tables.length > 0 && (
        <TableRows tables={found.tables} alarms={officeNews.value.alarms} />
      )}
      {found !== null && (
        <p class="soft as-of">
          {say.tablesOpen(found.tables.filter(one => one.open).length, found.tables.length)} ·{" "}
          {floor.asked.state === "failed" ? say.old : say.updated(timeOf(found.at))}
        </p>
      )}
    </>
  );
}

function timeOf(at: Date): string {
  return new Intl.DateTimeFormat(regional.value, { timeStyle: "medium" }).format(at);
}
