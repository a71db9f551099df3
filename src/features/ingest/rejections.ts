import type { Clock } from '../../platform/clock/clock.ts';
import { cutText } from '../../platform/text/index.ts';
import { minuteMs } from '../../contract/durations.ts';

const maxProjects = 10_000;
/** Maximum reasons of a project, and maximum characters of each. */
const maxReasons = 10;
const maxReasonLength = 300;

/** Why events were rejected, and how many in the last hour at most. */
export interface Rejection {
  /** Epoch milliseconds of the latest one. */
  atMs: number;
  /** An error code of the contract. */
  code: string;
  error: string;
  count: number;
}

interface ProjectRejections {
  byMinute: Map<number, number>;
  /** By code and error, the latest last. */
  reasons: Map<string, Rejection>;
}

/** Counts rejected events by project and minute, and keeps the latest reasons, for the last hour; in memory, since the process started. */
export class Rejections {
  readonly #clock: Clock;
  readonly #maxProjects: number;
  readonly #byProject = new Map<string, ProjectRejections>();

  constructor(clock: Clock, limit: number = maxProjects) {
    this.#clock = clock;
    this.#maxProjects = limit;
  }

  /** Adds `count` events that were rejected for one reason. */
  add(projectId: string, count: number, { code, error }: Pick<Rejection, 'code' | 'error'>): void {
    if (count === 0) return;
    const atMs = this.#clock.now();
    const minute = Math.floor(atMs / minuteMs);
    const { byMinute, reasons } = this.#byProject.get(projectId) ?? { byMinute: new Map(), reasons: new Map() };
    byMinute.set(minute, (byMinute.get(minute) ?? 0) + count);
    for (const old of byMinute.keys()) if (old <= minute - 60) byMinute.delete(old);
    const shortened = cutText(error, maxReasonLength);
    const key = `${code} ${shortened}`;
    const before = reasons.get(key);
    reasons.delete(key);
    const sameHour = before && before.atMs > atMs - 60 * minuteMs ? before.count : 0;
    reasons.set(key, { atMs, code, error: shortened, count: sameHour + count });
    deleteFirstBeyond(reasons, maxReasons);
    // The project goes to the end, so that the one that has been quiet for longest is forgotten first.
    this.#byProject.delete(projectId);
    this.#byProject.set(projectId, { byMinute, reasons });
    deleteFirstBeyond(this.#byProject, this.#maxProjects);
  }

  lastHour(projectId: string): number {
    const since = Math.floor(this.#clock.now() / minuteMs) - 60;
    let sum = 0;
    for (const [minute, count] of this.#byProject.get(projectId)?.byMinute ?? []) if (minute > since) sum += count;
    return sum;
  }

  /** The latest reasons of the last hour, newest first, at most {@link maxReasons}. */
  latest(projectId: string): Rejection[] {
    const sinceMs = this.#clock.now() - 60 * minuteMs;
    return [...(this.#byProject.get(projectId)?.reasons.values() ?? [])].filter(({ atMs }) => atMs > sinceMs).toReversed();
  }
}

function deleteFirstBeyond(map: Map<string, unknown>, limit: number): void {
  const oldest = map.keys().next();
  if (map.size > limit && !oldest.done) map.delete(oldest.value);
}
