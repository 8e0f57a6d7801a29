/** Buttons, and links that look like them. */

import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

export type Tone = "plain" | "main" | "quiet" | "danger";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  tone?: Tone;
  /** Whether its action is in progress, so that it cannot be pressed twice. */
  busy?: boolean;
  children: ComponentChildren;
};

export function Button({ tone = "plain", busy = false, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} class={`button button-${tone}`} aria-busy={busy} disabled={busy || rest.disabled}>
      {children}
    </button>
  );
}

export function LinkButton(props: { href: string; tone?: Tone; children: ComponentChildren }) {
  return (
    <a href={props.href} class={`button button-${props.tone ?? "plain"}`}>
      {props.children}
    </a>
  );
}
