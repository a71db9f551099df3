import type { LogRecordHead } from './log-record.ts';

interface Activity {
  eventMs: number;
  spanMs: number;
}

const maxProjects = 10_000;

/** Counts the events that are acknowledged and not yet in ClickHouse, by project, and by organization and month. */
export class Backlog {
  readonly #events = new Map<string, number>();
  readonly #counted = new Map<string, number>();
  readonly #activity = new Map<string, Activity>();

  add(record: LogRecordHead): void {
    change(this.#events, record.projectId, record.eventCount);
    change(this.#counted, `${record.organizationId} ${record.month}`, record.quotaCount);
    if (record.eventCount === 0) return;
    const last = this.lastActivity(record.projectId, record.receivedMs);
    if (this.#activity.size >= maxProjects) this.#activity.clear();
    this.#activity.set(record.projectId, {
      eventMs: Math.max(last.eventMs, record.receivedMs),
      spanMs: record.spanCount > 0 ? Math.max(last.spanMs, record.receivedMs) : last.spanMs,
    });
  }

  remove(record: LogRecordHead): void {
    change(this.#events, record.projectId, -record.eventCount);
    change(this.#counted, `${record.organizationId} ${record.month}`, -record.quotaCount);
  }

  events(projectId: string): number {
    return this.#events.get(projectId) ?? 0;
  }

  counted(organizationId: string, month: string): number {
    return this.#counted.get(`${organizationId} ${month}`) ?? 0;
  }

  /**
   * When this process last received an event, and a span, of the project.
   *
   * @param nowMs times after it, of a clock that was set back since, become it
   */
  lastActivity(projectId: string, nowMs: number): Activity {
    const last = this.#activity.get(projectId);
    if (!last) return { eventMs: 0, spanMs: 0 };
    last.eventMs = Math.min(last.eventMs, nowMs);
    last.spanMs = Math.min(last.spanMs, nowMs);
    return { ...last };
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
