/** The server's clock: countdowns run by it, however wrong the visitor's own is. */

let offset = 0;
let sharpness = Number.POSITIVE_INFINITY;

/** A Date header is cut to the second: its middle is the best guess, half a second the error. */
export function noteServerTime(header: string | null, now: number = Date.now()): void {
  if (header === null) return;
  const told = Date.parse(header);
  if (!Number.isNaN(told)) note(told + 500 - now, 500);
}

/** The moment of an entry: the server's clock stands there at least. It may be old, after a while without connection. */
export function noteEntryTime(at: string, now: number = Date.now()): void {
  const told = Date.parse(at);
  if (!Number.isNaN(told) && told - (now + offset) > sharpness) note(told - now, 250);
}

function note(difference: number, error: number): void {
  if (error < sharpness || Math.abs(difference - offset) > error + sharpness) {
    offset = difference;
    sharpness = error;
  }
}

/** Milliseconds by the server's clock. */
export function serverNow(now: number = Date.now()): number {
  return Math.abs(offset) < 1000 ? now : now + offset;
}
