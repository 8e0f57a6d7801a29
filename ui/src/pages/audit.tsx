/** The record of the house: status and verification, entries, and replays of rounds. */

import { Waiting } from "../components/problem-note";
import { match, type PageProps } from "../shell/router";
import { me, oversees } from "../shell/session";
import { Journal } from "./audit/journal";
import { Refused } from "./audit/no-access";
import { Overview } from "./audit/overview";
import { Replay } from "./audit/replay";
import NotFound from "./not-found";

export default function Audit({ place }: PageProps) {
  if (me.value === undefined) return <Waiting />;
  const round = match("/audit/rounds/:table/:round", place.path);
  if (round !== null) return <Replay table={round.table ?? ""} round={Number(round.round)} place={place} />;
  if (!oversees.value) return <Refused path={place.path} />;
  const journal = match("/audit/journal/:table", place.path);
  if (journal !== null) return <Journal key={journal.table} table={journal.table ?? ""} place={place} />;
  return place.path === "/audit" ? <Overview /> : <NotFound />;
}
