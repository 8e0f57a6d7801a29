/** Small pieces of the office's pages. */

import type { ComponentChildren } from "preact";
import { Form } from "../../components/form";
import type { Submission } from "../../components/form-submission";
import { ProblemNote } from "../../components/problem-note";

export function Card(props: { title: string; lead?: string; wanted?: boolean; children: ComponentChildren }) {
  return (
    <section class={props.wanted ? "card office-card card-wanted" : "card office-card"}>
      <h2>{props.title}</h2>
      {props.lead && <p class="soft office-lead">{props.lead}</p>}
      {props.children}
    </section>
  );
}

/** A form that shows a refusal below it. */
export function ActForm(props: {
  sending: Submission;
  onSend: () => void;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <Form class={`office-form ${props.class ?? ""}`} onSend={props.onSend} noValidate>
      {props.children}
      {props.sending.problem && <ProblemNote problem={props.sending.problem} />}
    </Form>
  );
}
