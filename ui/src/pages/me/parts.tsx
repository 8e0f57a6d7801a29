/** Small pieces of the account page. */

import type { ComponentChildren } from "preact";

export function Card(props: { title: string; lead?: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <section class={`card own-card${props.wide ? " own-wide" : ""}`} aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft">{props.lead}</p>}
      {props.children}
    </section>
  );
}
