/** Short notes that come and go: refusals with their clause, and what was done. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ended } from "../api/client";
import type { Problem } from "../api/problems";
import { words } from "../i18n";
import { ProblemText } from "./problem-note";

interface Toast {
  id: number;
  tone: "bad" | "good";
  /** Drawn again with every language. */
  content: () => ComponentChildren;
  /** Two that say the same are one. */
  same: string;
}

const toasts = signal<readonly Toast[]>([]);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let last = 0;
const LASTS = 9_000;
const MOST = 4;

function add(toast: Omit<Toast, "id">): void {
  last += 1;
  const id = last;
  const others = toasts.value.filter(one => one.same !== toast.same);
  toasts.value = [...others, { ...toast, id }].slice(-MOST);
  resume();
}

function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.value = toasts.value.filter(one => one.id !== id);
}

/** Nothing disappears while it is being read: a pointer or the focus holds all of them. */
function hold(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

function resume(): void {
  for (const { id } of toasts.value) {
    if (!timers.has(id)) timers.set(id, setTimeout(dismiss, LASTS, id));
  }
}

/** Why something was not done; a separate note says that a session has ended. */
export function toastProblem(problem: Problem): void {
  if (problem.status === 401 && ended.value) return;
  const content = () => {
    const say = words().problem;
    return (
      <>
        <p class="toast-title">{problem.refusal === null ? say.title : say.refused}</p>
        <ProblemText problem={problem} />
      </>
    );
  };
  add({ tone: "bad", content, same: `${problem.kind} ${problem.text}` });
}

/** That something was done. */
export function toastDone(text: string): void {
  add({ tone: "good", content: () => <p>{text}</p>, same: text });
}

/** That something could not be done here, for which no server is to blame. */
export function toastWarning(text: string): void {
  add({ tone: "bad", content: () => <p>{text}</p>, same: text });
}

export function Toasts() {
  const say = words().problem;
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
          <button type="button" class="quiet" onClick={() => dismiss(toast.id)} aria-label={say.dismiss}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
