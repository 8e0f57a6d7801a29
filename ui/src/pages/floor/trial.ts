/** Trials of commands: how a table would respond, before they are sent. */

import { useEffect, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem } from "../../api/problems";
import type { Command } from "../../api/types";
import { problemWords } from "../../components/problem-note";

/** The response of a table to a command on trial. */
export type Trial = { state: "asking" | "fine" } | { state: "refused"; says: string; clauses: readonly string[] };

const PAUSE = 350;

/** Whether a command would be refused, requested after every change; null if there is nothing to try. */
export function useTrial(table: string, command: Command | null, role: string | undefined): Trial | null {
  const [trial, setTrial] = useState<Trial | null>(null);
  const text = command === null ? "" : JSON.stringify(command);
  useEffect(() => {
    if (command === null) {
      setTrial(null);
      return;
    }
    let wanted = true;
    setTrial({ state: "asking" });
    const timer = setTimeout(() => {
      tried(table, command, role).then(found => {
        if (wanted) setTrial(found);
      });
    }, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [table, text, role]);
  return trial;
}

async function tried(table: string, command: Command, role: string | undefined): Promise<Trial> {
  const body = { command, ...(role === undefined ? {} : { role }) };
  try {
    const found = await unwrap(api.POST("/api/v1/tables/{table}/trial", { params: { path: { table } }, body }));
    if (found.refused === null) return { state: "fine" };
    return { state: "refused", says: found.message?.text ?? found.says, clauses: found.clauses };
  } catch (thrown) {
    const problem = asProblem(thrown);
    return { state: "refused", says: problemWords(problem), clauses: problem.clauses };
  }
}
