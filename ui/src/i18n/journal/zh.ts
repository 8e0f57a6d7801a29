/** Every kind of entry in Chinese, told from its data; null for one that is not known here. */

import { houseZh } from "./house-zh";
import { irregularZh } from "./irregular-zh";
import { playZh } from "./play-zh";
import { runningZh } from "./running-zh";
import type { Scene, Tellers } from "./scene";
import { tableZh } from "./table-zh";

const TELLERS: Tellers = { ...tableZh, ...playZh, ...irregularZh, ...runningZh, ...houseZh };

export function tell(scene: Scene): string[] | null {
  const teller = Object.hasOwn(TELLERS, scene.entry.kind) ? TELLERS[scene.entry.kind] : undefined;
  if (teller === undefined) return null;
  try {
    const told = teller(scene.entry.event as never, scene);
    return typeof told === "string" ? [told] : told;
  } catch {
    return null; // a record that was tampered with need not have the fields of its kind
  }
}
