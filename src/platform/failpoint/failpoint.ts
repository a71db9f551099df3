/** Where a crash test can make the process kill itself: in the thread that writes the log, */
export const walFailpoints = [
  'before-write',
  'after-write',
  'after-sync',
  'before-ack',
  'segment-created',
  'segment-removed',
] as const;

/** and between the steps of a batch, of a deletion, of what follows up on a batch, and of a sealing. */
const stepFailpoints = [
  'hours-marked',
  'rows-derived',
  'rows-written',
  'hours-marked-again',
  'batch-counted',
  'before-removal',
  'deletion-derived',
  'deletion-written',
  'deletion-marked',
  'seal-taken',
  'rollups-written',
  'hours-sealed',
] as const;

export const failpoints = [...walFailpoints, ...stepFailpoints] as const;

export type FailpointName = (typeof failpoints)[number];

export interface Failpoint {
  name: FailpointName;
  /** Counted from 1. */
  hit: number;
}

/** Reads `name` (first hit) or `name:n`. Errors: for a name that no code passes, because such a test would prove nothing. */
export function parseFailpoint(text: string): Failpoint {
  const [given, hit = '1'] = text.split(':');
  const name = failpoints.find((known) => known === given);
  if (name === undefined || !/^[1-9]\d*$/.test(hit)) {
    throw new Error(`the failpoint must be one of ${failpoints.join(', ')}, with :n for its nth hit`);
  }
  return { name, hit: Number(hit) };
}

let armed: Failpoint | null = null;
let hits = 0;

/** Says where this thread is to end the process; null for nowhere. */
export function armFailpoint(failpoint: Failpoint | null): void {
  armed = failpoint;
  hits = 0;
}

/** Ends the process here, as a crash would, when a test asked for it. */
export function reachFailpoint(point: FailpointName): void {
  if (armed !== null && armed.name === point && ++hits === armed.hit) process.kill(process.pid, 'SIGKILL');
}
