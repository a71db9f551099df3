/** Points at which a crash test can kill the process: in the thread that writes the log, */
export const walFailpoints = [
  'before-write',
  'after-write',
  'after-sync',
  'before-ack',
  'segment-created',
  'segment-removed',
] as const;

/** and between the steps of a batch, a deletion, the span consumers and a sealing. */
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

/** Between the steps of a change of policies, which the load of the fault rounds does not make. */
export const policyFailpoints = [
  'policies-locked',
  'policies-written',
  'policies-recorded',
  'revision-stored',
  'policies-committed',
] as const;

/** Between the steps of a page of a repricing, which that load does not make either. */
export const repricingFailpoints = ['page-noted', 'costs-marked', 'costs-derived', 'costs-written', 'page-recorded'] as const;

/** Between the steps of a durable job. */
export const jobFailpoints = [
  'job-made',
  'job-page-read',
  'job-page-done',
  'job-page-recorded',
  'job-finished',
  'job-completed',
  'tags-written',
] as const;

const all = [...failpoints, ...policyFailpoints, ...repricingFailpoints, ...jobFailpoints] as const;

export type FailpointName = (typeof all)[number];

export interface Failpoint {
  name: FailpointName;
  /** Counted from 1. */
  hit: number;
}

/** Parses `name` (first hit) or `name:n`. Errors: an unknown name, because the test would prove nothing. */
export function parseFailpoint(text: string): Failpoint {
  const [given, hit = '1'] = text.split(':');
  const name = all.find((known) => known === given);
  if (name === undefined || !/^[1-9]\d*$/.test(hit)) {
    throw new Error(`the failpoint must be one of ${all.join(', ')}, with :n for its nth hit`);
  }
  return { name, hit: Number(hit) };
}

let armed: Failpoint | null = null;
let hits = 0;

/** Sets the failpoint of this thread; null for none. */
export function armFailpoint(failpoint: Failpoint | null): void {
  armed = failpoint;
  hits = 0;
}

/** Kills the process when this failpoint is set. */
export function reachFailpoint(point: FailpointName): void {
  if (armed !== null && armed.name === point && ++hits === armed.hit) process.kill(process.pid, 'SIGKILL');
}
