/** A live stream of entries: connects, detects silence, and resumes after the last entry seen. */

import { noteServerTime } from "./clock";
import { type Frame, frameReader } from "./frames";

export type Connection = "connecting" | "live" | "slow" | "lost" | "over";

export interface Listener {
  frame: (frame: Frame) => void;
  connection: (state: Connection) => void;
  /** The last known entry; null to receive only new ones. */
  after: () => number | null;
}

/** The server sends a heartbeat every two seconds: after two missing ones the connection is slow, after some more it is
 * lost. */
const SLOW_AFTER = 4_500;
const SILENCE = 15_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

export class Stream {
  private stopped = false;
  private abort = new AbortController();
  private wake: (() => void) | null = null;

  constructor(
    /** The address of the stream. */
    private readonly path: string,
    private readonly listener: Listener,
  ) {}

  start(): void {
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    void this.run();
  }

  stop(): void {
    this.stopped = true;
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.abort.abort();
    this.wake?.();
  }

  /** Closes the connection and opens a new one after the last known entry. */
  restart(): void {
    this.abort.abort();
    this.wake?.();
  }

  private readonly hurry = (): void => {
    if (document.visibilityState === "visible") this.wake?.();
  };

  private async run(): Promise<void> {
    let wait = FIRST_WAIT;
    while (!this.stopped) {
      const began = Date.now();
      const gone = await this.connect();
      if (this.stopped) return;
      if (gone) {
        this.listener.connection("over");
        return;
      }
      this.listener.connection("lost");
      wait = Date.now() - began > LONGEST_WAIT ? FIRST_WAIT : Math.min(wait * 2, LONGEST_WAIT);
      // With jitter: after a restart of the server every watcher reconnects.
      await this.pause(wait * (0.5 + Math.random() / 2));
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Follows until the connection ends; returns true if there is no such stream, or the caller has no access to it. */
  private async connect(): Promise<boolean> {
    this.abort = new AbortController();
    const abort = this.abort;
    let silence = setTimeout(() => abort.abort(), SILENCE);
    let late: ReturnType<typeof setTimeout> | undefined;
    const resetTimeout = (): void => {
      clearTimeout(silence);
      clearTimeout(late);
      silence = setTimeout(() => abort.abort(), SILENCE);
      late = setTimeout(() => this.listener.connection("slow"), SLOW_AFTER);
      this.listener.connection("live");
    };
    try {
      const after = this.listener.after();
      const answer = await fetch(after === null ? this.path : `${this.path}?after=${after}`, {
        credentials: "same-origin",
        headers: { Accept: "text/event-stream" },
        cache: "no-store",
        signal: abort.signal,
      });
      noteServerTime(answer.headers.get("date"));
      if (answer.status === 404 || answer.status === 403) return true;
      if (!answer.ok || answer.body === null) return false;
      resetTimeout();
      const read = frameReader(frame => {
        if (!abort.signal.aborted) this.listener.frame(frame);
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return false;
        resetTimeout();
        read(value);
      }
    } catch {
      return false;
    } finally {
      clearTimeout(silence);
      clearTimeout(late);
      abort.abort();
    }
  }
}
