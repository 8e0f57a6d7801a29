/** Facts side by side: a name with its value below it. */

import type { ComponentChildren } from "preact";

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="office-facts">{children}</dl>;
}

interface FactProps {
  name: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

/** Renders nothing if there is no value. */
export function Fact({ name, hint, children }: FactProps) {
  if (children === null || children === undefined || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint && <dd class="soft office-hint">{hint}</dd>}
    </div>
  );
}
