/** URLs and pages. Links are ordinary links; a click on one inside the house loads no document. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

export interface Place {
  path: string;
  query: URLSearchParams;
  /** The fragment after #, which is never sent to a server. */
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

/** The props of every page. */
export interface PageProps {
  parameters: Parameters;
  place: Place;
}

export type Page = ComponentType<PageProps>;

/** The parameters of a path for a pattern like /tables/:table; null if it doesn't match. */
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
    return null; // not valid UTF-8: %E0%A4
  }
  return found;
}

/** Navigates to a URL of the house. */
export function go(address: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (!options.replace) scrollTo(0, 0);
}

/** Encodes a part of a path that may contain any characters. */
export function address(strings: TemplateStringsArray, ...parts: (string | number)[]): string {
  return String.raw({ raw: strings }, ...parts.map(part => encodeURIComponent(part)));
}

const OUTSIDE = ["/api/", "/problems", "/assets/", "/health", "/ready", "/metrics"];

/** Handles links and the browser's own buttons; called once. */
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
