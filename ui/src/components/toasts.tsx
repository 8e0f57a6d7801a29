/** Toasts: refusals with their clause, and confirmations. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { sessionEnded } from "../api/client";
import type { Problem } from "../api/problems";
import { words } from "../i18n";
import { ProblemText } from "./problem-note";

interface Toast {
  id: number;
  tone: "bad" | "good";
  /** Rendered again when the language changes. */
  content: () => ComponentChildren;
  /** Toasts with the same key are shown once. */
  same: string;
}

const toasts = signal<readonly Toast[]>([]);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let last = 0;
const LASTS = 9_000;
const TOASTS_MAX = 4;

function add(toast: Omit<Toast, "id">): void {
  last += 1;
  const id = last;
  const others = toasts.value.filter(one => one.same !== toast.same);
  toasts.value = [...others, { ...toast, id }].slice(-TOASTS_MAX);
  resume();
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.value.filter(one => one.id !== id);
}

/** No toast disappears while a pointer or the focus is on one. */
function hold(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

function resume(): void {
  for (const { id } of toasts.value) {
    if (!timers.has(id)) timers.set(id, setTimeout(dismiss, LASTS, id));
  }
}

/** Shows why something failed; the end of a session has its own note. */
export function toastProblem(problem: Problem): void {
  if (problem.status === 401 && sessionEnded.value) return;
  const content = () => {
    const t = words().problem;
    return (
      <>
        <p class="toast-title">{problem.refusal === null ? t.title : t.refused}</p>
        <ProblemText problem={problem} />
      </>
    );
  };
  add({ tone: "bad", content, same: `${problem.kind} ${problem.text}` });
}

/** Confirms an action. */
export function toastDone(text: string): void {
  add({ tone: "good", content: () => <p>{text}</p>, same: text });
}

/** Reports a failure that is not the server's. */
export function toastWarning(text: string): void {
  add({ tone: "bad", content: () => <p>{text}</p>, same: text });
}

export function Toasts() {
  const t = words().problem;
  return (
    <div
      class="toasts"
      role="status"
      aria-live="polite"
      onPointerEnter={hold}
      onPointerLeave={resume}
      onFocusIn={hold}
      onFocusOut={resume}
    >
      {toasts.value.map(toast => (
        <div key={toast.id} class={`toast toast-${toast.tone}`}>
          <div>{toast.content()}</div>
          <button type="button" class="quiet" onClick={() => dismiss(toast.id)} aria-label={t.dismiss}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
