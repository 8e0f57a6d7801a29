/** Text to the clipboard, where the browser allows it. */

import { words } from "../i18n";
import { announce } from "./announcements";
import { toastWarning } from "./toasts";

/** Whether it was copied; either way it is said. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(words().figures.copied);
    return true;
  } catch {
    // Not over plain HTTP from elsewhere, nor where the visitor has forbidden it.
    toastWarning(words().figures.notCopied);
    return false;
  }
}
