/** Header and footer of the pages: navigation, account, language and theme. */

import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem } from "../api/problems";
import { toastProblem } from "../components/toasts";
import { choose, LANGUAGES, language, words } from "../i18n";
import { Navigation } from "./navigation";
import { address, go } from "./router";
import { lockScreen } from "./screen-lock";
import { me, signOut } from "./session";
import { chooseTheme, THEMES, theme } from "./theme";

export function Head({ path }: { path: string }) {
  const t = words();
  const [open, setOpen] = useState(false);
  const head = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [path]);
  return (
    <header
      class="head"
      ref={head}
      onKeyDown={event => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      <a class="brand" href="/">
        <Mark />
        <span>{t.shell.name}</span>
      </a>
      <button
        type="button"
        class="menu-button"
        aria-expanded={open}
        aria-controls="ways"
        onClick={() => setOpen(!open)}
      >
        {t.shell.menu}
      </button>
      <nav id="ways" class={open ? "ways ways-open" : "ways"} aria-label={t.shell.menu}>
        <Navigation path={path} />
        <div class="own">
          <Languages />
          <Looks />
          <Account path={path} />
        </div>
      </nav>
    </header>
  );
}

function Languages() {
  const t = words();
  return (
    <fieldset class="switch">
      <legend class="unseen">{t.shell.language}</legend>
      {LANGUAGES.map(one => (
        <button
          key={one.code}
          type="button"
          lang={one.code}
          aria-pressed={language.value === one.code}
          onClick={() => choose(one.code)}
        >
          {one.name}
        </button>
      ))}
    </fieldset>
  );
}

function Looks() {
  const t = words();
  return (
    <label class="look">
      <span class="unseen">{t.shell.look}</span>
      <select
        value={theme.value}
        onChange={event => {
          const chosen = THEMES.find(one => one === event.currentTarget.value);
          if (chosen !== undefined) chooseTheme(chosen);
        }}
      >
        {THEMES.map(one => (
          <option key={one} value={one}>
            {t.shell.looks[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Account({ path }: { path: string }) {
  const t = words();
  const who = me.value;
  if (who === undefined) return <span class="account" />;
  if (who === null && path === "/sign-in") return null;
  if (who === null) {
    const back = path === "/" ? "/sign-in" : address`/sign-in?to=${path}`;
    return (
      <a class="button button-main" href={back}>
        {t.shell.signIn}
      </a>
    );
  }
  const leave = async (): Promise<void> => {
    try {
      await signOut();
      go("/");
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    }
  };
  const lock = async (): Promise<void> => {
    try {
      await lockScreen();
    } catch (thrown) {
      toastProblem(asProblem(thrown));
    }
  };
  return (
    <span class="account">
      {who.lock && (
        <button type="button" class="button button-quiet" onClick={lock}>
          {t.shell.lock}
        </button>
      )}
      <a href="/me" title={t.shell.signedInAs(who.name)}>
        {who.shown}
      </a>
      <button type="button" class="button button-quiet" onClick={leave}>
        {t.shell.signOut}
      </button>
    </span>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 64 64" width="30" height="30" aria-hidden="true" class="brand-mark">
      <rect x="5" y="5" width="54" height="54" rx="14" />
      <circle cx="20" cy="20" r="5.5" />
      <circle cx="44" cy="44" r="5.5" />
      <circle class="brand-eye" cx="32" cy="32" r="7.5" />
    </svg>
  );
}

export function Foot() {
  const t = words();
  return (
    <footer class="foot">
      <p>{t.shell.motto}</p>
      <p>{t.shell.dicegovern}</p>
    </footer>
  );
}
