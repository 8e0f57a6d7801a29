/** The server's check of a scenario while it is edited. */

import { useEffect, useRef, useState } from "preact/hooks";
import { api, unwrap } from "../../api/client";
import { asProblem, type Problem } from "../../api/problems";
import type { ScenarioChecked, ScenarioComposed } from "../../api/types";

const PAUSE = 300;

export type ScenarioAsked = { composed: ScenarioComposed } | { toml: string };

export interface Checking {
  /** The last result; the scenario may have changed since. */
  checked: ScenarioChecked | null;
  /** Whether it is about the current scenario. */
  fresh: boolean;
  problem: Problem | null;
}

/** Checks after each pause in typing; null is not checked. */
export function useChecked(scenario: ScenarioAsked | null): Checking {
  const [found, setFound] = useState<{ about: string; checked: ScenarioChecked } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const about = scenario === null ? null : JSON.stringify(scenario);
  const latest = useRef(about);
  latest.current = about;
  useEffect(() => {
    if (about === null) return;
    const timer = setTimeout(() => {
      unwrap(api.POST("/api/v1/simulations/check", { body: JSON.parse(about) as ScenarioAsked })).then(
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

/** The error at a key of the file. */
export type ErrorAt = (place: string) => string | undefined;

export function errorAt(checking: Checking): ErrorAt {
  const byPlace = new Map(checking.checked?.problems.map(one => [one.place, one.says]));
  return place => byPlace.get(place);
}
