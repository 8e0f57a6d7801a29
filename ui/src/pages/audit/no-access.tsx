/** For people without access to the record: why, and where to go instead. */

import { LinkButton } from "../../components/button";
import { auditWords } from "../../i18n/words/audit";
import { address } from "../../shell/router";
import { me } from "../../shell/session";

export function Refused({ path }: { path: string }) {
  const t = auditWords();
  const who = me.value;
  return (
    <section class="page page-narrow">
      <h1>{t.refusedTitle}</h1>
      <p class="lead">{t.refusedLead}</p>
      <p>{who ? t.refusedAs(who.shown) : t.refusedSignIn}</p>
      <p class="audit-acts">
        {!who && (
          <LinkButton href={address`/sign-in?to=${path}`} tone="main">
            {t.signIn}
          </LinkButton>
        )}
        <LinkButton href="/">{t.toTables}</LinkButton>
      </p>
    </section>
  );
}
