/** Signing in: by name and password, by a one-time link, as a new player, or as a demo user. */

import { useEffect, useState } from "preact/hooks";
import { api, told } from "../api/client";
import type { DemoHouse, Me } from "../api/types";
import { useAsked } from "../api/use-request";
import { Button, LinkButton } from "../components/button";
import { Field } from "../components/field";
import { Form } from "../components/form";
import { PasswordField } from "../components/password-field";
import { ProblemNote } from "../components/problem-note";
import { words } from "../i18n";
import { roleName } from "../i18n/names";
import { consoleWords } from "../i18n/words/console";
import { go, type PageProps, type Place } from "../shell/router";
import { enter, me, workplace } from "../shell/session";
import { ByPassword, type Entering, useAttempt } from "../shell/sign-in-form";

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
  const say = words().sign;
  const [code] = useState(() => new URLSearchParams(place.fragment).get("code"));
  const [way, setWay] = useState<Way>(code === null ? "password" : "link");
  const to = destination(place.query.get("to"));
  const policy = useAsked(() => told(api.GET("/api/v1/policy")), []);
  const demo = useAsked(() => told(api.GET("/api/v1/demo")), []);
  const mayRegister = policy.asked.state === "here" && policy.asked.told.registration;
  const who = me.value;

  useEffect(() => {
    // The code works once: it need not stay in the URL, nor in the history.
    if (code !== null) history.replaceState(null, "", location.pathname + location.search);
  }, [code]);

  const [coming, setComing] = useState(false);
  const welcome = (entered: Me): void => {
    enter(entered);
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
        <h1>{way === "link" ? say.link : way === "register" ? say.register : say.title}</h1>
        {who && !who.second_factor && (
          <p class="note">
            {say.already(who.shown)} <LinkButton href={to}>{say.goOn}</LinkButton>
          </p>
        )}
        <p class="lead">{way === "link" ? say.linkLead : way === "register" ? say.registerLead : say.lead}</p>
        {way === "password" && <ByPassword onEntered={welcome} />}
        {way === "link" && code !== null && <ByLink code={code} onEntered={welcome} />}
        {way === "register" && <Register onEntered={welcome} />}
        <p class="sign-ways">
          {way !== "password" && (
            <Button tone="quiet" onClick={() => setWay("password")}>
              {way === "link" ? say.usePassword : say.have}
            </Button>
          )}
          {way === "password" && mayRegister && (
            <Button tone="quiet" onClick={() => setWay("register")}>
              {say.register}
            </Button>
          )}
        </p>
      </div>
      {demo.asked.state === "here" && demo.asked.told.demo && (
        <DemoPeople house={demo.asked.told} onEntered={welcome} />
      )}
    </section>
  );
}

function ByLink({ code, onEntered }: Entering & { code: string }) {
  const say = words().sign;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt(onEntered);
  return (
    <Form
      onSend={() => {
        const body = { code, name: name.trim() || null, password: password || null };
        void attempt(() => told(api.POST("/api/v1/sign-in/link", { body })));
      }}
    >
      <PasswordField
        label={say.newPassword}
        value={password}
        onValue={setPassword}
        chosen
        optional={say.newPasswordHint}
      />
      <Field label={say.linkName} hint={say.linkNameHint} value={name} onValue={setName} autocomplete="username" />
      {problem && <ProblemNote problem={problem} />}
      <Button type="submit" tone="main" busy={busy}>
        {busy ? say.going : say.linkGo}
      </Button>
    </Form>
  );
}

function Register({ onEntered }: Entering) {
  const say = words().sign;
  const [name, setName] = useState("");
  const [shown, setShown] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt(onEntered);
  return (
    <Form
      onSend={() => {
        const body = { name: name.trim(), shown: shown.trim() || null, password };
        void attempt(() => told(api.POST("/api/v1/register", { body })));
      }}
    >
      <Field label={say.name} value={name} onValue={setName} required autocomplete="username" autocapitalize="none" />
      <Field label={say.showName} value={shown} onValue={setShown} autocomplete="nickname" />
      <PasswordField label={say.password} value={password} onValue={setPassword} chosen />
      {problem && <ProblemNote problem={problem} />}
      <Button type="submit" tone="main" busy={busy}>
        {busy ? say.going : say.registerGo}
      </Button>
    </Form>
  );
}

/** The number of people shown at first; the others on request. */
const FIRST = 8;

function DemoPeople({ house, onEntered }: Entering & { house: DemoHouse }) {
  const say = words().sign;
  const { busy, problem, attempt } = useAttempt(onEntered);
  const people = house.people ?? [];
  const first = people.filter(person => !/-\d+$/.test(person.name));
  const person = (one: (typeof people)[number]) => (
    <li key={one.name}>
      <button
        type="button"
        class="person"
        disabled={busy}
        title={say.demoAs(one.shown)}
        onClick={() =>
          attempt(() => told(api.POST("/api/v1/sign-in", { body: { name: one.name, password: house.password ?? "" } })))
        }
      >
        <strong>{one.shown}</strong>
        <span class="soft">{(one.roles ?? []).map(roleName).join(consoleWords().dealer.and)}</span>
      </button>
    </li>
  );
  return (
    <aside class="demo" aria-labelledby="demo-people">
      <h2 id="demo-people">{say.demo}</h2>
      <p class="soft">{say.demoLead}</p>
      {problem && <ProblemNote problem={problem} />}
      <ul class="people" aria-labelledby="demo-people">
        {first.slice(0, FIRST).map(person)}
      </ul>
      {first.length > FIRST && (
        <details>
          <summary>{say.demoMore}</summary>
          <ul class="people">{first.slice(FIRST).map(person)}</ul>
        </details>
      )}
    </aside>
  );
}
