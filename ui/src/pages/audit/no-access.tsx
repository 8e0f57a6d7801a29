/** For people without access to the record: why, and where to go instead. */

import { LinkButton } from "../../components/button";
import { auditWords } from "../../i18n/words/audit";
import { address } from "../../shell/router";
import { me } from "../../shell/session";

export function Refused({ path }: { path: string }) {
  const say = auditWords();
  const who = me.value;
  return (
    <section class="page page-narrow">
      <h1>{say.refusedTitle}</h1>
      <p class="lead">{say.refusedLead}</p>
      <p>{who ? say.refusedAs(who.shown) : say.refusedSignIn}</p>
      <p class="audit-acts">
        {!who && (
          <LinkButton href={address`/sign-in?to=${path}`} tone="main">
            {say.signIn}
          </LinkButton>
        )}
        <LinkButton href="/">{say.toTables}</LinkButton>
      </p>
    </section>
  );
}
