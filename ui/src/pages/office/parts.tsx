/** Small pieces of the office's pages. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Asking } from "../../api/asking";
import { asProblem, type Problem } from "../../api/problems";
import { ProblemNote, Waiting } from "../../components/problem-note";
import { toastDone } from "../../components/toasts";
import { withMinus } from "../../money/amounts";
import { locale } from "../../words";

export function Card(props: { title: string; lead?: string; wanted?: boolean; children: ComponentChildren }) {
  return (
    <section class={props.wanted ? "card office-card card-wanted" : "card office-card"}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft office-lead">{props.lead}</p>}
      {props.children}
    </section>
  );
}

/** The head of a page of the office. */
export function Head(props: { title: string; lead?: string; children?: ComponentChildren }) {
  return (
    <header class="page-head">
      <div>
        <h1>{props.title}</h1>
        {props.lead && <p class="lead">{props.lead}</p>}
      </div>
      {props.children}
    </header>
  );
}

/** Facts side by side: a name, and below it what it is. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="office-facts">{children}</dl>;
}

export function Fact(props: { name: string; hint?: string | undefined; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
      {props.hint && <dd class="soft office-hint">{props.hint}</dd>}
    </div>
  );
}

/** What was asked for; the last that was told stays where asking again fails. */
export function Told<What>(props: { asking: Asking<What>; children: (told: What) => ComponentChildren }) {
  const { asked, again } = props.asking;
  if (asked.state === "waiting") return <Waiting />;
  const known = asked.state === "here" ? asked.told : asked.before;
  // What is shown keeps its place, and with it what was typed there, whether a note stands above it or not.
  return (
    <>
      {asked.state === "failed" ? <ProblemNote problem={asked.problem} again={again} /> : null}
      {known === null ? null : props.children(known)}
    </>
  );
}

/** A moment, in the visitor's own time. */
export function When({ at }: { at: string }) {
  return <time dateTime={at}>{whenText(at)}</time>;
}

export function whenText(at: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
}

export interface Sending {
  busy: boolean;
  /** Why the last act was not done. */
  problem: Problem | null;
  send: (act: () => Promise<unknown>, done: string) => Promise<boolean>;
}

/** Sends what a form asks for: once at a time, and a refusal stays to be read. */
export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (act: () => Promise<unknown>, done: string): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setProblem(null);
    try {
      await act();
      toastDone(done);
      return true;
    } catch (thrown) {
      setProblem(asProblem(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, send };
}

/** A form whose refusal stands below it. */
export function ActForm(props: { sending: Sending; onSend: () => void; class?: string; children: ComponentChildren }) {
  const submit = (event: Event): void => {
    event.preventDefault();
    props.onSend();
  };
  return (
    <form class={`office-form ${props.class ?? ""}`} onSubmit={submit} noValidate>
      {props.children}
      {props.sending.problem && <ProblemNote problem={props.sending.problem} />}
    </form>
  );
}

/** A number with so many digits, with the minus of amounts. */
export function figure(value: number, digits = 0): string {
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return withMinus(new Intl.NumberFormat(locale.value, places).format(value));
}
