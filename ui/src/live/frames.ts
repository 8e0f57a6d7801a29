/** A parser for server-sent events. Not EventSource, which only receives events whose names are registered: here every
 * entry's name is its kind. */

export interface Frame {
  event: string;
  id: string | null;
  data: unknown;
}

/** Takes chunks of text and passes on each complete frame. */
export function frameReader(hand: (frame: Frame) => void): (piece: string) => void {
  let rest = "";
  return piece => {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame !== null) hand(frame);
    }
  };
}

/** Parses a block of lines; returns null for a heartbeat. */
export function frameOf(block: string): Frame | null {
  let event = "message";
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
  return data.length > 0 ? { event, id, data: JSON.parse(data.join("\n")) } : null;
}
