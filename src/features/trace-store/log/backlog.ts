import type { LogRecordHead } from './log-record.ts';

interface Activity {
  eventMs: number;
  spanMs: number;
}

/** The pending events of a project. */
interface Pending {
  count: number;
  /** When the oldest was received: not before this, epoch milliseconds. */
  sinceMs: number;
}

const maxProjects = 10_000;

/** Counts the events that are acknowledged and not yet in ClickHouse, by project, and by organization and month. */
export class Backlog {
  readonly #pending = new Map<string, Pending>();
  readonly #counted = new Map<string, number>();
  readonly #activity = new Map<string, Activity>();

  add(record: LogRecordHead): void {
    if (record.eventCount > 0) this.#change(record, record.eventCount);
    change(this.#counted, `${record.organizationId} ${record.month}`, record.quotaCount);
    if (record.eventCount === 0) return;
    const last = this.lastActivity(record.projectId, record.receivedMs);
    if (this.#activity.size >= maxProjects) this.#activity.clear();
    this.#activity.set(record.projectId, {
      eventMs: Math.max(last.eventMs, record.receivedMs),
      spanMs: record.spanCount > 0 ? Math.max(last.spanMs, record.receivedMs) : last.spanMs,
    });
  }

  /** Removes a record that was written. Records are written in the order of their receipt: those left are no older. */
  written(record: LogRecordHead): void {
    const pending = this.#pending.get(record.projectId);
    if (pending) pending.sinceMs = Math.max(pending.sinceMs, record.receivedMs);
    this.refused(record);
  }

  /** Removes a record that the log did not take. */
  refused(record: LogRecordHead): void {
    if (record.eventCount > 0) this.#change(record, -record.eventCount);
    change(this.#counted, `${record.organizationId} ${record.month}`, -record.quotaCount);
  }

  events(projectId: string): number {
    return this.#pending.get(projectId)?.count ?? 0;
  }

  /** How long the oldest pending event of a project has waited, at most; 0 without any. */
  waitedMs(projectId: string, nowMs: number): number {
    const pending = this.#pending.get(projectId);
    return pending === undefined ? 0 : Math.max(0, nowMs - pending.sinceMs);
  }

  #change({ projectId, receivedMs }: LogRecordHead, by: number): void {
    const { count, sinceMs } = this.#pending.get(projectId) ?? { count: 0, sinceMs: receivedMs };
    if (count + by > 0) this.#pending.set(projectId, { count: count + by, sinceMs });
    else this.#pending.delete(projectId);
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
