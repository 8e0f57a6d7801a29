/** What the server says of a scenario while it is being written. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, told } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { ScenarioChecked, ScenarioComposed } from "../../api/types";

const PAUSE = 300;

export type ScenarioAsked = { composed: ScenarioComposed } | { toml: string };

export interface Checking {
  /** What was found last; it may be about words that have changed since. */
  checked: ScenarioChecked | null;
  /** Whether it is about the scenario as it stands. */
  fresh: boolean;
  problem: Problem | null;
}

/** Asks after each pause in writing; null is not asked about. */
export function useChecked(scenario: ScenarioAsked | null): Checking {
  const [found, setFound] = useState<{ about: string; checked: ScenarioChecked } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const about = scenario === null ? null : JSON.stringify(scenario);
  const latest = useRef(about);
  latest.current = about;
  useEffect(() => {
    if (about === null) return;
    const timer = setTimeout(() => {
      told(api.POST("/api/v1/simulations/check", { body: JSON.parse(about) as ScenarioAsked })).then(
        checked => {
          if (latest.current !== about) return;
          setFound({ about, checked });
          setProblem(null);
        },
        thrown => {
          if (latest.current === about) setProblem(asProblem(thrown));
        },
      );
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [about]);
  return { checked: found?.checked ?? null, fresh: found !== null && found.about === about, problem };
}

/** The complaint about one place of the file. */
export type WrongAt = (place: string) => string | undefined;

export function wrongAt(checking: Checking): WrongAt {
  const byPlace = new Map(
    checking.checked?.problems.map(one => [one.place, one.says]),
  );
  return place => byPlace.get(place);
}
