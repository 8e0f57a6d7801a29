/** The floor at a glance. Its other pages, in `floor-parts`, are loaded on demand. */

import type { PageProps } from "../shell/router";
import { FloorFrame } from "./floor/frame";
import { Overview } from "./floor/overview";

export default function FloorPage({ place }: PageProps) {
  return <FloorFrame place={place}>{() => <Overview />}</FloorFrame>;
}
