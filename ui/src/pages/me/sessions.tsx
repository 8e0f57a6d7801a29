/** One's sessions; any of them can be ended here. */

import { api, unwrap } from "../../api/client";
import type { SessionInfo } from "../../api/types";
import type { ApiRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Timestamp } from "../../components/timestamps";
import { accountWords } from "../../i18n/words/account";
import { Card } from "./parts";

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** Chrome, Linux; or a program's own name if it is not a browser. */
function agentText(agent: string): string {
  const first = (known: readonly [RegExp, string][]): string => known.find(([sign]) => sign.test(agent))?.[1] ?? "";
  const found = [first(BROWSERS), first(SYSTEMS)].filter(Boolean).join(", ");
  return found || agent.slice(0, 60) || accountWords().unknownAgent;
}

export function Sessions({ request }: { request: ApiRequest<SessionInfo[]> }) {
  const t = accountWords();
  const { response, reload } = request;
  const submission = useSubmission();
  const endOne = (id: string) => async (): Promise<void> => {
    await unwrap(api.DELETE("/api/v1/me/sessions/{session_id}", { params: { path: { session_id: id } } }));
    reload();
  };
  const endOthers = async (): Promise<void> => {
    await unwrap(api.DELETE("/api/v1/me/sessions"));
    reload();
  };
  const sessions = response.state === "loaded" ? response.data : [];
  return (
    <Card title={t.sessions} lead={t.sessionsLead} wide>
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <ul class="own-list">
        {sessions.map(one => (
          <li key={one.id}>
            <div>
              <strong>{agentText(one.agent)}</strong> {one.current && <span class="tag">{t.thisOne}</span>}
              <p class="soft">
                {one.address} · {t.signedInBy[one.by] ?? one.by} <Timestamp at={one.created} /> · {t.seen}{" "}
                <Timestamp at={one.seen} />
              </p>
            </div>
            {!one.current && (
              <Button
                busy={submission.busy}
                aria-label={`${t.end}: ${agentText(one.agent)}`}
                onClick={() => void submission.submit(endOne(one.id), t.ended)}
              >
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(one => !one.current) && (
        <p>
          <Button tone="danger" busy={submission.busy} onClick={() => void submission.submit(endOthers, t.othersEnded)}>
            {t.endOthers}
          </Button>
        </p>
      )}
    </Card>
  );
}
