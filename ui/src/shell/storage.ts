/** What a browser keeps between visits; where it keeps nothing, the page works all the same. */

const PREFIX = "pitbook.";

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // a browser that keeps nothing: the choice holds for this visit
  }
}
