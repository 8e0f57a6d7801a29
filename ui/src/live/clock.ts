/** The server's clock: countdowns use it, however wrong the visitor's own clock is. */

let offset = 0;
let sharpness = Number.POSITIVE_INFINITY;

/** A Date header has whole seconds: the middle is the best estimate, with an error of half a second. */
export function noteServerTime(header: string | null, now: number = Date.now()): void {
  if (header === null) return;
  const serverTime = Date.parse(header);
  if (!Number.isNaN(serverTime)) note(serverTime + 500 - now, 500);
}

/** Notes the time of an entry: the server's clock shows at least that. It may be old after a while without connection. */
export function noteEntryTime(at: string, now: number = Date.now()): void {
  const serverTime = Date.parse(at);
  if (!Number.isNaN(serverTime) && serverTime - (now + offset) > sharpness) note(serverTime - now, 250);
}

function note(difference: number, error: number): void {
  if (error < sharpness || Math.abs(difference - offset) > error + sharpness) {
    offset = difference;
    sharpness = error;
  }
}

/** Returns the server's time in milliseconds. */
export function serverNow(now: number = Date.now()): number {
  return Math.abs(offset) < 1000 ? now : now + offset;
}
