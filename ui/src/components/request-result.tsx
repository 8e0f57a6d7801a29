/** The result of a page's request: a loading note, the data, or the error. */

import type { ComponentChildren } from "preact";
import { type ApiRequest, latestData } from "../api/use-request";
import { ProblemNote, Waiting } from "./problem-note";

/** Renders the data; the last data stays if a later request fails. */
export function RequestResult<Data>(props: { request: ApiRequest<Data>; children: (data: Data) => ComponentChildren }) {
  const { response, reload } = props.request;
  if (response.state === "loading") return <Waiting />;
  const data = latestData(response);
  // The data keeps its place in the tree, and with it what was typed there, whether or not a note is above it.
  return (
    <>
      {response.state === "failed" ? <ProblemNote problem={response.problem} retry={reload} /> : null}
      {data === null ? null : props.children(data)}
    </>
  );
}
