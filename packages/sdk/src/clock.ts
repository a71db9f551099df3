/** Time as the SDK uses it. Tests replace it. */
export interface Clock {
  /** Milliseconds since 1970, with a fraction where the machine has one. */
  now(): number;
  /** Calls once after so many milliseconds. A timer does not keep a process alive. Returns what cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** Largest delay of a timer in milliseconds; a longer one would end at once. */
const maxDelayMs = 2_147_483_647;
/** The clock of the day is looked at again after so many milliseconds. */
const recheckMs = 50;
/** It may be so far from the monotonic one before that one is set anew. */
const maxDriftMs = 5;
let offset = 0;
let checkAt = -Infinity;

/** The clock of the machine. */
export const systemClock: Clock = {
  now() {
    // Whole milliseconds would not order spans that start together.
    const fine = performance.now();
    if (fine >= checkAt) {
      const wall = Date.now();
      if (Math.abs(wall - offset - fine) > maxDriftMs) offset = wall - fine;
      checkAt = fine + recheckMs;
    }
    return offset + fine;
  },
  after(ms, call) {
    const timer: unknown = setTimeout(call, Math.min(ms, maxDelayMs));
    // Node and Bun return an object, browsers a number.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
