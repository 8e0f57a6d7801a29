/** Signing in: by name and password, by a one-time link, as a new player, or as a demo user. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../api/client";
import type { DemoHouse, Me } from "../api/types";
import { useRequest } from "../api/use-request";
import { Button, LinkButton } from "../components/button";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { PasswordField } from "../components/password-field";
import { ProblemNote } from "../components/problem-note";
import { words } from "../i18n";
import { roleName } from "../i18n/names";
import { consoleWords } from "../i18n/words/console";
import { go, type PageProps, type Place } from "../shell/router";
import { me, setSession, workplace } from "../shell/session";
import { type Entering, PasswordSignIn, useAttempt } from "../shell/sign-in-form";

type Way = "password" | "link" | "register";

/** Where to continue: a URL of this house, never another's. */
function destination(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith("/")) return "/";
  // Parsed as the browser does: it takes \ for /, and ignores tabs and line breaks.
  const read = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  if (read === null || read.origin !== location.origin || read.pathname.startsWith("//")) return "/";
  return read.pathname + read.search + read.hash;
}

/** Whether nobody has followed a link from this page in the meantime. */
function isStillHere(place: Place): boolean {
  return location.pathname === place.path;
}

export default function SignIn({ place }: PageProps) {
  const t = words().sign;
  const [code] = useState(() => new URLSearchParams(place.fragment).get("code"));
  const [way, setWay] = useState<Way>(code === null ? "password" : "link");
  const to = destination(place.query.get("to"));
  const policy = useRequest(() => unwrap(api.GET("/api/v1/policy")), []);
  const demo = useRequest(() => unwrap(api.GET("/api/v1/demo")), []);
  const mayRegister = policy.response.state === "loaded" && policy.response.data.registration;
  const who = me.value;

  useEffect(() => {
    // The code works once: it need not stay in the URL, nor in the history.
    if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  }, [code]);

  const [coming, setComing] = useState(false);
  const welcome = (entered: Me): void => {
    setSession(entered);
    setComing(true);
  };
  useEffect(() => {
    // People with a second factor confirm with it first, in front of this page.
    if (!coming || !who || who.second_factor) return;
    if (place.query.has("to")) go(to);
    else void land();
  }, [coming, who]);
  const land = async (): Promise<void> => {
    const there = await workplace().catch(() => "/");
    if (isStillHere(place)) go(there);
  };
  return (
    <section class="page sign-in">
      <div class="sign-card">
        <h1>{way === "link" ? t.link : way === "register" ? t.register : t.title}</h1>
        {who && !who.second_factor && (
          <p class="note">
            {t.already(who.shown)} <LinkButton href={to}>{t.goOn}</LinkButton>
          </p>
        )}
        <p class="lead">{way === "link" ? t.linkLead : way === "register" ? t.registerLead : t.lead}</p>
        {way === "password" && <PasswordSignIn onEntered={welcome} />}
        {way === "link" && code !== null && <ByLink code={code} onEntered={welcome} />}
        {way === "register" && <Register onEntered={welcome} />}
        <p class="sign-ways">
          {way !== "password" && (
            <Button tone="quiet" onClick={() => setWay("password")}>
              {way === "link" ? t.usePassword : t.have}
            </Button>
          )}
          {way === "password" && mayRegister && (
            <Button tone="quiet" onClick={() => setWay("register")}>
              {t.register}
            </Button>
          )}
        </p>
      </div>
      {demo.response.state === "loaded" && demo.response.data.demo && (
        <DemoPeople house={demo.response.data} onEntered={welcome} />
      )}
    </section>
  );
}

function ByLink({ code, onEntered }: Entering & { code: string }) {
  const t = words().sign;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt(onEntered);
  return (
    <Form
      onSend={() => {
        const body = { code, name: name.trim() || null, password: password || null };
        void attempt(() => unwrap(api.POST("/api/v1/sign-in/link", { body })));
      }}
    >
      <PasswordField label={t.newPassword} value={password} onValue={setPassword} chosen optional={t.newPasswordHint} />
      <Field label={t.linkName} hint={t.linkNameHint} value={name} onValue={setName} autocomplete="username" />
      {problem && <ProblemNote problem={problem} />}
      <Button type="submit" tone="main" busy={busy}>
        {busy ? t.going : t.linkGo}
      </Button>
    </Form>
  );
}

function Register({ onEntered }: Entering) {
  const t = words().sign;
  const [name, setName] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt(onEntered);
  return (
    <Form
      onSend={() => {
        const body = { name: name.trim(), shown: displayName.trim() || null, password };
        void attempt(() => unwrap(api.POST("/api/v1/register", { body })));
      }}
    >
      <Field label={t.name} value={name} onValue={setName} required autocomplete="username" autocapitalize="none" />
      <Field label={t.showName} value={displayName} onValue={setDisplayName} autocomplete="nickname" />
      <PasswordField label={t.password} value={password} onValue={setPassword} chosen />
      {problem && <ProblemNote problem={problem} />}
      <Button type="submit" tone="main" busy={busy}>
        {busy ? t.going : t.registerGo}
      </Button>
    </Form>
  );
}

/** The number of people shown at first; the others on request. */
const FIRST = 8;

function DemoPeople({ house, onEntered }: Entering & { house: DemoHouse }) {
  const t = words().sign;
  const { busy, problem, attempt } = useAttempt(onEntered);
  const people = house.people ?? [];
  const first = people.filter(person => !/-\d+$/.test(person.name));
  const person = (one: (typeof people)[number]) => (
    <li key={one.name}>
      <button
        type="button"
        class="person"
        disabled={busy}
        title={t.demoAs(one.shown)}
        onClick={() =>
          attempt(() =>
            unwrap(api.POST("/api/v1/sign-in", { body: { name: one.name, password: house.password ?? "" } })),
          )
        }
      >
        <strong>{one.shown}</strong>
        <span class="soft">{(one.roles ?? []).map(roleName).join(consoleWords().dealer.and)}</span>
      </button>
    </li>
  );
  return (
    <aside class="demo" aria-labelledby="demo-people">
      <h2 id="demo-people">{t.demo}</h2>
      <p class="soft">{t.demoLead}</p>
      {problem && <ProblemNote problem={problem} />}
      <ul class="people" aria-labelledby="demo-people">
        {first.slice(0, FIRST).map(person)}
      </ul>
      {first.length > FIRST && (
        <details>
          <summary>{t.demoMore}</summary>
          <ul class="people">{first.slice(FIRST).map(person)}</ul>
        </details>
      )}
    </aside>
  );
}
