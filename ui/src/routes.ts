/** Every page: its path, theme, title, and code. The server serves the same paths. */

import type { Words } from "./i18n";
import type { Page } from "./shell/router";
import type { Mood } from "./shell/theme";

export interface Route {
  pattern: string;
  mood: Mood;
  title: (words: Words) => string;
  load: () => Promise<{ default: Page }>;
  /** Without header and footer: for a monitor above a table. */
  bare?: boolean;
}

export const ROUTES: readonly Route[] = [
  { pattern: "/", mood: "floor", title: words => words.titles.tables, load: () => import("./pages/lobby") },
  { pattern: "/sign-in", mood: "floor", title: words => words.sign.title, load: () => import("./pages/sign-in") },
  { pattern: "/tables/:table", mood: "floor", title: words => words.shell.tables, load: () => import("./pages/table") },
  {
    pattern: "/tables/:table/dealer",
    mood: "floor",
    title: words => words.titles.console,
    load: () => import("./pages/dealer"),
  },
  {
    pattern: "/tables/:table/board",
    mood: "floor",
    title: words => words.titles.board,
    load: () => import("./pages/board"),
    bare: true,
  },
  {
    pattern: "/tables/:table/sign",
    mood: "office",
    title: words => words.titles.oddsSign,
    load: () => import("./pages/sign"),
    bare: true,
  },
  {
    pattern: "/tables/:table/rounds/:round",
    mood: "floor",
    title: words => words.shell.tables,
    load: () => import("./pages/round"),
  },
  { pattern: "/floor", mood: "office", title: words => words.shell.floor, load: () => import("./pages/floor") },
  { pattern: "/floor/*", mood: "office", title: words => words.shell.floor, load: () => import("./pages/floor-parts") },
  { pattern: "/audit/*", mood: "office", title: words => words.shell.audit, load: () => import("./pages/audit") },
  { pattern: "/books", mood: "office", title: words => words.shell.books, load: () => import("./pages/books") },
  { pattern: "/books/:book", mood: "office", title: words => words.shell.books, load: () => import("./pages/book") },
  {
    pattern: "/books/:book/analysis",
    mood: "office",
    title: words => words.titles.figures,
    load: () => import("./pages/book-analysis"),
  },
  { pattern: "/analysis", mood: "office", title: words => words.shell.analysis, load: () => import("./pages/compare") },
  { pattern: "/verify", mood: "office", title: words => words.titles.verify, load: () => import("./pages/verify") },
  {
    pattern: "/simulation",
    mood: "office",
    title: words => words.shell.simulation,
    load: () => import("./pages/simulation"),
  },
  { pattern: "/me", mood: "office", title: words => words.titles.account, load: () => import("./pages/me") },
];
