/** A part of a page with its heading. */

import type { ComponentChildren } from "preact";

export function Section(props: { id: string; title: string; lead?: string; children: ComponentChildren }) {
  return (
    <section class="book-part" id={props.id}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft">{props.lead}</p>}
      {props.children}
    </section>
  );
}
