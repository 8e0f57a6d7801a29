/** Copying to the clipboard, if the browser allows it. */

import { words } from "../i18n";
import { announce } from "./announcements";
import { toastWarning } from "./toasts";

/** Copies a text, announces the result, and returns whether it worked. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(words().figures.copied);
    return true;
  } catch {
    // Not possible over plain HTTP from other machines, or if the visitor has forbidden it.
    toastWarning(words().figures.notCopied);
    return false;
  }
}
