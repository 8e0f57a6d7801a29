/** The browser's own dialog: it traps the focus, and Escape closes it. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../i18n";

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closing = useRef(false);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) {
      closing.current = true;
      element.close();
    }
  }, [open]);
  function handleClose(): void {
    // The event arrives late, when the dialog may be open again: only Escape is passed on.
    if (closing.current) closing.current = false;
    else onClose();
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={handleClose}>
      {open && (
        <>
          <header>
            <h2 id={id}>{title}</h2>
            <button type="button" class="quiet" onClick={onClose} aria-label={words().dialog.close}>
              ×
            </button>
          </header>
          <div class="dialog-body">{children}</div>
        </>
      )}
    </dialog>
  );
}
