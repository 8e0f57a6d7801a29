/** Tabs: one of several panels, chosen with the arrow keys. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { scrollRowTo } from "./scroll-into-view";

export interface Tab {
  id: string;
  name: ComponentChildren;
  panel: () => ComponentChildren;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  /** The panel shown first. */
  first?: string | undefined;
  /** The panel shown, if the page controls it. */
  chosen?: string;
  onChoose?: (id: string) => void;
}

export function Tabs({ label, tabs, first, chosen, onChoose }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState(first ?? tabs[0]?.id ?? "");
  const wanted = chosen ?? own;
  const current = tabs.find(tab => tab.id === wanted) ?? tabs[0];
  useEffect(() => {
    scrollRowTo(list.current, '[aria-selected="true"]');
  }, [current?.id]);
  if (current === undefined) return null;

  const choose = (index: number): void => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (tab === undefined) return;
    setOwn(tab.id);
    onChoose?.(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[tabs.indexOf(tab)]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.indexOf(current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${base}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => choose(index)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}`}>
        {current.panel()}
      </div>
    </div>
  );
}
