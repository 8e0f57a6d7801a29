/** One's sessions; any of them can be ended here. */

import { api, told } from "../../api/client";
import type { SessionInfo } from "../../api/types";
import type { Asking } from "../../api/use-request";
import { Button } from "../../components/button";
import { useSending } from "../../components/form-submission";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { When } from "../../components/timestamps";
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

export function Sessions({ asking }: { asking: Asking<SessionInfo[]> }) {
  const say = accountWords();
  const { asked, again } = asking;
  const sending = useSending();
  const endOne = (id: string) => async (): Promise<void> => {
    await told(api.DELETE("/api/v1/me/sessions/{session_id}", { params: { path: { session_id: id } } }));
    again();
  };
  const endOthers = async (): Promise<void> => {
    await told(api.DELETE("/api/v1/me/sessions"));
    again();
  };
  const sessions = asked.state === "here" ? asked.told : [];
  return (
    <Card title={say.sessions} lead={say.sessionsLead} wide>
      {asked.state === "waiting" && <Waiting />}
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <ul class="own-list">
        {sessions.map(one => (
          <li key={one.id}>
            <div>
              <strong>{agentText(one.agent)}</strong> {one.current && <span class="tag">{say.thisOne}</span>}
              <p class="soft">
                {one.address} · {say.signedInBy[one.by] ?? one.by} <When at={one.created} /> · {say.seen}{" "}
                <When at={one.seen} />
              </p>
            </div>
            {!one.current && (
              <Button
                busy={sending.busy}
                aria-label={`${say.end}: ${agentText(one.agent)}`}
                onClick={() => void sending.send(endOne(one.id), say.ended)}
              >
                {say.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(one => !one.current) && (
        <p>
          <Button tone="danger" busy={sending.busy} onClick={() => void sending.send(endOthers, say.othersEnded)}>
            {say.endOthers}
          </Button>
        </p>
      )}
    </Card>
  );
}
