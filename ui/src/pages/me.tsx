/** One's own account: identity, chips and statement, limits, and credentials. Everyone sees what concerns them. */

import { api, unwrap } from "../api/client";
import type { Me } from "../api/types";
import { useRequest } from "../api/use-request";
import { LinkButton } from "../components/button";
import { Waiting } from "../components/problem-note";
import { words } from "../i18n";
import { accountWords } from "../i18n/words/account";
import { me } from "../shell/session";
import { Exclusion } from "./me/exclusion";
import { Factors } from "./me/factors";
import { Identity } from "./me/identity";
import { OwnLimits } from "./me/limits";
import { Balances } from "./me/money";
import type { Scope } from "./me/new-token";
import { Password } from "./me/password";
import { Pin } from "./me/pin";
import { Choices } from "./me/preferences";
import { Sessions } from "./me/sessions";
import { Statement } from "./me/statement";
import { Tokens } from "./me/tokens";

export default function Account() {
  const t = words();
  const who = me.value;
  if (who === undefined) return <Waiting />;
  if (who === null) {
    return (
      <section class="page page-narrow">
        <h1>{words().titles.account}</h1>
        <p class="lead">{accountWords().signInFirst}</p>
        <LinkButton href="/sign-in?to=%2Fme" tone="main">
          {t.shell.signIn}
        </LinkButton>
      </section>
    );
  }
  return <Own key={who.name} who={who} />;
}

function Own({ who }: { who: Me }) {
  const sessions = useRequest(() => unwrap(api.GET("/api/v1/me/sessions")), []);
  const password = <Password name={who.name} onChanged={sessions.reload} />;
  return (
    <section class="page own">
      <Identity who={who} />
      <div class="own-cards">
        {who.limits && (
          <>
            <Balances />
            <Statement />
          </>
        )}
        <div class="own-column">
          {who.limits ? (
            <>
              <OwnLimits limits={who.limits} />
              <Exclusion limits={who.limits} />
            </>
          ) : (
            password
          )}
        </div>
        <div class="own-column">
          {who.limits && password}
          <Choices />
          {scopesOf(who).some(one => one === "deal" || one === "play") && <Pin />}
          <Factors />
          <Tokens scopes={scopesOf(who)} />
        </div>
        <Sessions request={sessions} />
      </div>
    </section>
  );
}

/** The scopes of a program: no more than its owner may do. */
function scopesOf(who: Me): Scope[] {
  const roles = new Set(who.roles.map(one => one.role));
  const works = [...roles].some(role => !["player", "shooter", "auditor", "manager"].includes(role));
  return [
    "read",
    ...(who.limits ? ["play" as const] : []),
    ...(works ? ["deal" as const] : []),
    ...(roles.has("manager") ? ["manage" as const] : []),
  ];
}
