/** Tokens for programs that act for the person: created, shown once, revoked. */

import { useState } from "preact/hooks";
import { api, told } from "../../api/client";
import type { TokenInfo } from "../../api/types";
import { useAsked } from "../../api/use-request";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useSending } from "../../components/form-submission";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { When } from "../../components/timestamps";
import { words } from "../../i18n";
import { accountWords } from "../../i18n/words/account";
import { NewToken, type Scope } from "./new-token";
import { Card } from "./parts";

export function Tokens({ scopes }: { scopes: readonly Scope[] }) {
  const say = accountWords();
  const { asked, again } = useAsked(() => told(api.GET("/api/v1/me/tokens")), []);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<TokenInfo | null>(null);
  const tokens = asked.state === "here" ? asked.told : [];
  const good = tokens.filter(isGood);
  const gone = tokens.filter(one => !isGood(one));
  return (
    <Card title={say.tokens} lead={say.tokensLead}>
      {asked.state === "waiting" && <Waiting />}
      {asked.state === "failed" && <ProblemNote problem={asked.problem} again={again} />}
      {asked.state === "here" && good.length === 0 && <p class="soft">{say.tokensNone}</p>}
      <ul class="own-list">
        {good.map(one => (
          <li key={one.id}>
            <Token token={one} />
            <Button aria-label={`${say.revoke}: ${one.name}`} onClick={() => setRevoking(one)}>
              {say.revoke}
            </Button>
          </li>
        ))}
      </ul>
      {gone.length > 0 && (
        <details>
          <summary>{say.tokensGone(gone.length)}</summary>
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
        <Button onClick={() => setMaking(true)}>{say.makeToken}</Button>
      </p>
      <Dialog open={making} title={say.makeToken} onClose={() => setMaking(false)}>
        {making && <NewToken scopes={scopes} onMade={again} onDone={() => setMaking(false)} />}
      </Dialog>
      <Dialog open={revoking !== null} title={say.revoke} onClose={() => setRevoking(null)}>
        {revoking !== null && (
          <Revoking
            token={revoking}
            onDone={() => {
              setRevoking(null);
              again();
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
  const say = accountWords();
  return (
    <div>
      <strong>{token.name}</strong>{" "}
      {token.scopes.map(one => (
        <span key={one} class="tag">
          {say.scopes[one] ?? one}
        </span>
      ))}
      <p class="soft">
        {say.made} <When at={token.created} />
        {token.last_used !== null ? (
          <>
            {" · "}
            {say.lastUsed} <When at={token.last_used} />
          </>
        ) : (
          ` · ${say.neverUsed}`
        )}
        {token.revoked !== null ? (
          <>
            {" · "}
            {say.revoked} <When at={token.revoked} />
          </>
        ) : (
          token.expires !== null && (
            <>
              {" · "}
              {say.worksUntil} <When at={token.expires} />
            </>
          )
        )}
      </p>
    </div>
  );
}

function Revoking({ token, onDone }: { token: TokenInfo; onDone: () => void }) {
  const say = accountWords();
  const sending = useSending();
  const revoke = (): Promise<unknown> =>
    told(api.DELETE("/api/v1/me/tokens/{token_id}", { params: { path: { token_id: token.id } } }));
  return (
    <>
      <p>{say.revokeSure(token.name)}</p>
      {sending.problem && <ProblemNote problem={sending.problem} />}
      <div class="buttons">
        <Button
          tone="danger"
          busy={sending.busy}
          onClick={() => void sending.send(revoke, say.tokenRevoked).then(done => done && onDone())}
        >
          {say.revoke}
        </Button>
        <Button onClick={onDone}>{words().dialog.cancel}</Button>
      </div>
    </>
  );
}
