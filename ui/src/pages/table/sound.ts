/** Sounds and vibration of a throw, made here and off until chosen. */

import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readStored, store } from "../../shell/storage";
import type { Reveal } from "./reveal";

const KEY = "sound";

/** Whether the viewer wants sound and vibration. */
export const soundOn = signal(readStored(KEY) === "on");

let context: AudioContext | null = null;

/** Browsers allow sound only after a click: the one that turned it on, or any later one. */
export function chooseSound(on: boolean): void {
  soundOn.value = on;
  store(KEY, on ? "on" : null);
  if (on) knock(0, 0.3);
}

effect(() => {
  if (!soundOn.value) {
    void context?.close();
    context = null;
  }
});

function audio(): AudioContext {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** A short burst of filtered noise: one knock of a die, after a delay in seconds. */
function knock(after: number, volume: number): void {
  const to = audio();
  const length = 0.06;
  const buffer = to.createBuffer(1, Math.ceil(to.sampleRate * length), to.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / data.length) ** 3;
  const source = new AudioBufferSourceNode(to, { buffer });
  const filter = new BiquadFilterNode(to, { type: "bandpass", frequency: 1_400 + Math.random() * 1_600, Q: 1.2 });
  source
    .connect(filter)
    .connect(new GainNode(to, { gain: volume }))
    .connect(to.destination);
  source.start(to.currentTime + after);
}

/** A soft bell, for a win. */
function bell(): void {
  const to = audio();
  for (const [index, frequency] of [659, 880, 1_319].entries()) {
    const start = to.currentTime + index * 0.11;
    const tone = new OscillatorNode(to, { type: "sine", frequency });
    const gain = new GainNode(to, { gain: 0 });
    gain.gain.setValueAtTime(0.16, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.9);
    tone.connect(gain).connect(to.destination);
    tone.start(start);
    tone.stop(start + 1);
  }
}

const RATTLE = 0.085;

/** Plays sounds with the stages of a throw. */
export function useSound({ stage, rested }: Reveal, won: boolean): void {
  useEffect(() => {
    if (!soundOn.value || stage !== "shaking") return;
    const rattle = setInterval(() => knock(Math.random() * 0.03, 0.25 + Math.random() * 0.2), RATTLE * 1_000);
    return () => clearInterval(rattle);
  }, [stage]);
  useEffect(() => {
    if (!soundOn.value || stage !== "falling" || rested === 0) return;
    knock(0, 0.7);
    navigator.vibrate?.(25);
  }, [stage, rested]);
  useEffect(() => {
    if (!soundOn.value || stage !== "paid" || !won) return;
    bell();
    navigator.vibrate?.([40, 60, 40]);
  }, [stage, won]);
}
