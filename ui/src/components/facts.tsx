/** Facts side by side: a name, and below it what it is. */

import type { ComponentChildren } from "preact";

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="office-facts">{children}</dl>;
}

interface FactProps {
  name: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

/** Nothing where there is nothing to tell. */
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
