/** Round values for an axis (1, 2 or 5 times a power of ten), about as many as requested. */

export function ticks(low: number, high: number, about: number): number[] {
  const span = high - low || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find(one => one * power >= rough) ?? 10) * power;
  const found: number[] = [];
  for (let count = Math.ceil(low / step); count * step <= high + span * 1e-9; count += 1) found.push(count * step + 0);
  return found;
}
