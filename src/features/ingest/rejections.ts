import type { Clock } from '../../platform/clock/clock.ts';

const minuteMs = 60_000;
const maxProjects = 10_000;

/** Counts rejected events by project and minute, for the last hour; in memory, since the process started. */
export class Rejections {
  readonly #clock: Clock;
  readonly #maxProjects: number;
  readonly #byProject = new Map<string, Map<number, number>>();

  constructor(clock: Clock, most: number = maxProjects) {
    this.#clock = clock;
    this.#maxProjects = most;
  }

  add(projectId: string, count: number): void {
    if (count === 0) return;
    const minute = Math.floor(this.#clock.now() / minuteMs);
    const minutes = this.#byProject.get(projectId) ?? new Map<number, number>();
    minutes.set(minute, (minutes.get(minute) ?? 0) + count);
    for (const old of minutes.keys()) if (old <= minute - 60) minutes.delete(old);
    // The project goes to the end, so that the one that has been quiet for longest is forgotten first.
    this.#byProject.delete(projectId);
    this.#byProject.set(projectId, minutes);
    const oldest = this.#byProject.keys().next();
    if (this.#byProject.size > this.#maxProjects && !oldest.done) this.#byProject.delete(oldest.value);
  }

  lastHour(projectId: string): number {
    const since = Math.floor(this.#clock.now() / minuteMs) - 60;
    let sum = 0;
    for (const [minute, count] of this.#byProject.get(projectId) ?? []) if (minute > since) sum += count;
    return sum;
  }
}
