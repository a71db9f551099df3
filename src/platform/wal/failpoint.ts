/** Where a crash test can make the process kill itself. */
export const failpoints = [
  'before-write',
  'after-write',
  'after-sync',
  'before-ack',
  'segment-created',
  'segment-removed',
] as const;

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
