/** The head of a page: its title and links. */

import type { ComponentChildren } from "preact";

export function PageHead(props: { title: string; lead?: string; children?: ComponentChildren }) {
  return (
    <header class="page-head">
      <div>
        <h1>{props.title}</h1>
        {props.lead && <p class="lead">{props.lead}</p>}
      </div>
      {props.children}
    </header>
  );
}
