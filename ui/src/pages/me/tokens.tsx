/** Tokens for programs that act for the person: created, shown once, revoked. */

import { useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import type { TokenInfo } from "../../api/types";
import { useRequest } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useSubmission } from "../../components/form-submission";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { Timestamp } from "../../components/timestamps";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { NewToken, type Scope } from "./new-token";
import { Card } from "./parts";

export function Tokens({ scopes }: { scopes: readonly Scope[] }) {
  const t = accountWords();
  const { response, reload } = useRequest(() => unwrap(api.GET("/api/v1/me/tokens")), []);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<TokenInfo | null>(null);
  const tokens = response.state === "loaded" ? response.data : [];
  const good = tokens.filter(isGood);
  const gone = tokens.filter(one => !isGood(one));
  return (
    <Card title={t.tokens} lead={t.tokensLead}>
      {response.state === "loading" && <Waiting />}
      {response.state === "failed" && <ProblemNote problem={response.problem} retry={reload} />}
      {response.state === "loaded" && good.length === 0 && <p class="soft">{t.tokensNone}</p>}
      <ul class="own-list">
        {good.map(one => (
          <li key={one.id}>
            <Token token={one} />
            <Button aria-label={`${t.revoke}: ${one.name}`} onClick={() => setRevoking(one)}>
              {t.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {gone.length > 0 && (
        <details>
          <summary>{t.tokensGone(gone.length)}</summary>
          <ul class="own-list">
            {gone.map(one => (
              <li key={one.id}>
                <Token token={one} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p>
        <Button onClick={() => setMaking(true)}>{t.makeToken}</Button>
      </p>
      <Dialog open={making} title={t.makeToken} onClose={() => setMaking(false)}>
        {making && <NewToken scopes={scopes} onMade={reload} onDone={() => setMaking(false)} />}
      </Dialog>
      <Dialog open={revoking !== null} title={t.revoke} onClose={() => setRevoking(null)}>
        {revoking !== null && (
          <Revoking
            token={revoking}
            onDone={() => {
              setRevoking(null);
              reload();
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function isGood(token: TokenInfo): boolean {
  return token.revoked === null && (token.expires === null || Date.parse(token.expires) > Date.now());
}

function Token({ token }: { token: TokenInfo }) {
  const t = accountWords();
  return (
    <div>
      <strong>{token.name}</strong>{" "}
      {token.scopes.map(one => (
        <span key={one} class="tag">
          {t.scopes[one] ?? one}
        </span>
      ))}
      <p class="soft">
        {t.made} <Timestamp at={token.created} />
        {token.last_used !== null ? (
          <>
            {" · "}
            {t.lastUsed} <Timestamp at={token.last_used} />
          </>
        ) : (
          ` · ${t.neverUsed}`
        )}
        {token.revoked !== null ? (
          <>
            {" · "}
            {t.revoked} <Timestamp at={token.revoked} />
          </>
        ) : (
          token.expires !== null && (
            <>
              {" · "}
              {t.worksUntil} <Timestamp at={token.expires} />
            </>
          )
        )}
      </p>
    </div>
  );
}

function Revoking({ token, onDone }: { token: TokenInfo; onDone: () => void }) {
  const t = accountWords();
  const submission = useSubmission();
  const revoke = (): Promise<unknown> =>
    unwrap(api.DELETE("/api/v1/me/tokens/{token_id}", { params: { path: { token_id: token.id } } }));
  return (
    <>
      <p>{t.revokeSure(token.name)}</p>
      {submission.problem && <ProblemNote problem={submission.problem} />}
      <div class="buttons">
        <Button
          tone="danger"
          busy={submission.busy}
          onClick={() => void submission.submit(revoke, t.tokenRevoked).then(done => done && onDone())}
        >
          {t.revoke}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </>
  );
}
