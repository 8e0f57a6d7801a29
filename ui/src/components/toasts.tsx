/** Short notes that come and go: refusals with their clause, and what was done. */

import { signal } from "@preact/signals";
import type { Problem } from "../api/problems";
import { words } from "../words";
import { problemWords } from "./problem-note";

interface Toast {
  id: number;
  tone: "bad" | "good";
  title: string;
  text: string;
  clauses: readonly string[];
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;
const LASTS = 9_000;
const MOST = 4;

function add(toast: Omit<Toast, "id">): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { ...toast, id }].slice(-MOST);
  setTimeout(() => dismiss(id), LASTS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter(one => one.id !== id);
}

/** Why something was not done. */
export function toastProblem(problem: Problem): void {
  add({
    tone: "bad",
    title: problem.refusal === null ? words().problem.title : words().problem.refused,
    text: problemWords(problem),
    clauses: problem.clauses,
  });
}

/** That something was done. */
export function toastDone(text: string): void {
  add({ tone: "good", title: "", text, clauses: [] });
}

export function Toasts() {
  const say = words().problem;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(toast => (
        <div key={toast.id} class={`toast toast-${toast.tone}`}>
          <div>
            {toast.title && <strong>{toast.title}</strong>}
            <p>{toast.text}</p>
            {toast.clauses.length > 0 && <p class="clause">{say.clause(toast.clauses.join(", "))}</p>}
          </div>
          <button type="button" class="quiet" onClick={() => dismiss(toast.id)} aria-label={say.dismiss}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
