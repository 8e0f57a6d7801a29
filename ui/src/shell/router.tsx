/** Addresses and pages. Links are ordinary links; a click on one inside the house loads no document. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

export interface Place {
  path: string;
  query: URLSearchParams;
  /** What stands behind #: never sent to a server. */
  fragment: string;
}

function here(): Place {
  return {
    path: location.pathname.replace(/\/+$/, "") || "/",
    query: new URLSearchParams(location.search),
    fragment: location.hash.slice(1),
  };
}

export const place = signal<Place>(here());

export type Parameters = Record<string, string>;

/** What every page is handed. */
export interface PageProps {
  parameters: Parameters;
  place: Place;
}

export type Page = ComponentType<PageProps>;

/** The parts of an address that a pattern like /tables/:table names; null where it does not fit. */
export function match(pattern: string, path: string): Parameters | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  const rest = wanted.at(-1) === "*";
  if (rest ? given.length < wanted.length - 1 : given.length !== wanted.length) return null;
  const found: Parameters = {};
  try {
    for (const [index, part] of wanted.entries()) {
      const value = given[index] ?? "";
      if (part === "*") {
        found.rest = given.slice(index).map(decodeURIComponent).join("/");
        return found;
      }
      if (part.startsWith(":")) found[part.slice(1)] = decodeURIComponent(value);
      else if (part !== value) return null;
    }
  } catch {
    return null; // no text: %E0%A4
  }
  return found;
}

/** Goes to an address of the house. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (!options.replace) scrollTo(0, 0);
}

/** The address of a part that may hold any characters. */
export function address(strings: TemplateStringsArray, ...parts: (string | number)[]): string {
  return String.raw({ raw: strings }, ...parts.map(part => encodeURIComponent(part)));
}

const OUTSIDE = ["/api/", "/problems", "/assets/", "/health", "/ready", "/metrics"];

/** Follows links and the browser's own buttons; called once. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    place.value = here();
  });
  addEventListener("hashchange", () => {
    place.value = here();
  });
  document.addEventListener("click", event => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || OUTSIDE.some(one => to.pathname.startsWith(one))) return;
    if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
    event.preventDefault();
    go(to.pathname + to.search + to.hash);
  });
}
