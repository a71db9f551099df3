import { sql } from 'kysely';
import type { LogRecordHead } from './log-record.ts';
import type { Database, Transaction } from '../../../platform/postgres/index.ts';
import { dayMs, hourMs, minuteMs } from '../../../contract/durations.ts';

interface UsageTables {
  usage_months: { organization_id: string; month: string; events: number };
  counted_segments: { log_id: string; segment_id: number; max_version: number };
  ingest_minutes: { project_id: string; minute: Date; events: number };
  ingest_activity: { project_id: string; last_event_at: Date; last_span_at: Date | null };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends UsageTables {}
}

/** The events received of a project in the last hour and day. */
export interface RecentEvents {
  lastHour: number;
  lastDay: number;
  /** Epoch milliseconds, 0 when there was no event. */
  lastEventMs: number;
  lastSpanMs: number;
}

/** Number of remembered counted segments: a segment stays in the log after its count until the span consumers have finished. */
const rememberedSegments = 10_000;
/** A body sent again within this time counts once against the quota (docs/semantics.md, "Repeated bodies"). */
export const repetitionMs = 10 * 60_000;
/** How long bodies are remembered: after an outage of ClickHouse two replicas may count the same body this far apart. */
const rememberedBodiesMs = hourMs;

/** Counts received events: by organization and month for the quota, by project and minute for the ingest health. */
export class UsageStore {
  readonly #db: Database;
  readonly #logId: string;

  constructor(db: Database, logId: string) {
    this.#db = db;
    this.#logId = logId;
  }

  /** Counts the records of a segment once, also when it is repeated; one transaction. */
  async count(segmentId: number, maxVersion: number, records: readonly LogRecordHead[]): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const marked = await transaction
        .insertInto('counted_segments')
        .values({ log_id: this.#logId, segment_id: segmentId, max_version: maxVersion })
        .onConflict((conflict) => conflict.doNothing())
        .returning('segment_id')
        .execute();
      if (marked.length === 0) return;
      await transaction
        .deleteFrom('counted_segments')
        .where('log_id', '=', this.#logId)
        .where('segment_id', '<', segmentId - rememberedSegments)
        .execute();
      await countMonths(transaction, await withoutRepetitions(transaction, records));
      const received = records.filter(({ eventCount }) => eventCount > 0);
      if (received.length === 0) return;
      await countMinutes(transaction, received);
      await noteActivity(transaction, received);
    });
  }

  /** The highest row version of this log in ClickHouse; 0 when there is none. */
  async highestVersion(): Promise<number> {
    const row = await this.#db
      .selectFrom('counted_segments')
      .select((select) => select.fn.max('max_version').as('highest'))
      .where('log_id', '=', this.#logId)
      .executeTakeFirst();
    return row?.highest ?? 0;
  }

  /** Events that count against an organization's quota of a month (`YYYY-MM-01`). */
  async eventsOfMonth(organizationId: string, month: string): Promise<number> {
    const row = await this.#db
      .selectFrom('usage_months')
      .select('events')
      .where('organization_id', '=', organizationId)
      .where('month', '=', month)
      .executeTakeFirst();
    return row?.events ?? 0;
  }

  /** The events received of a project in the hour and the day before `nowMs`, with a resolution of a minute. */
  async recentEvents(projectId: string, nowMs: number): Promise<RecentEvents> {
    const [minutes, activity] = await Promise.all([
      this.#db
        .selectFrom('ingest_minutes')
        .select(['minute', 'events'])
        .where('project_id', '=', projectId)
        .where('minute', '>', new Date(nowMs - dayMs))
        .where('minute', '<=', new Date(nowMs))
        .execute(),
      this.#db.selectFrom('ingest_activity').selectAll().where('project_id', '=', projectId).executeTakeFirst(),
    ]);
    const since = (ms: number) =>
      minutes.filter(({ minute }) => minute.getTime() > nowMs - ms).reduce((sum, { events }) => sum + events, 0);
    return {
      lastHour: since(hourMs),
      lastDay: since(dayMs),
      lastEventMs: activity?.last_event_at.getTime() ?? 0,
      lastSpanMs: activity?.last_span_at?.getTime() ?? 0,
    };
  }

  /** When the newest span of a project was received, epoch milliseconds; 0 for never. Spans that are not in ClickHouse yet do not count. */
  async newestSpanMs(projectId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('ingest_activity')
      .select('last_span_at')
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    return row?.last_span_at?.getTime() ?? 0;
  }

  /**
   * A job: deletes minutes and bodies that are no longer needed. Times after `nowMs` become it: the clock was set back, and without
   * this a project from which nothing comes would seem active until then.
   */
  async forgetOld(nowMs: number): Promise<void> {
    await sql`DELETE FROM counted_bodies WHERE received_at < ${new Date(nowMs - rememberedBodiesMs)}`.execute(this.#db);
    await this.#db
      .deleteFrom('ingest_minutes')
      .where('minute', '<', new Date(nowMs - dayMs - hourMs))
      .execute();
    const now = new Date(nowMs);
    // `least` would give projects without a span one.
    await sql`UPDATE ingest_activity
      SET last_event_at = ${now}, last_span_at = CASE WHEN last_span_at > ${now} THEN ${now} ELSE last_span_at END
      WHERE last_event_at > ${now}`.execute(this.#db);
  }
}

/** The records with counted events whose body no other replica and no earlier process has counted. */
async function withoutRepetitions(transaction: Transaction, records: readonly LogRecordHead[]): Promise<LogRecordHead[]> {
  const counting = records.filter(({ quotaCount }) => quotaCount > 0);
  // Unique, since PostgreSQL refuses to update a row twice in one statement; a body that is in one log twice was repeated after the window.
  const bodies = new Map(counting.filter(({ bodyDigest }) => bodyDigest !== '').map((record) => [record.bodyDigest, record]));
  if (bodies.size === 0) return counting;
  const latest = sorted(bodies);
  const { rows } = await sql<{ digest: string }>`INSERT INTO counted_bodies (digest, received_at)
    SELECT decode(digest, 'base64'), to_timestamp(ms / 1000.0)
    FROM unnest(${latest.map(({ bodyDigest }) => bodyDigest)}::text[], ${latest.map(({ receivedMs }) => receivedMs)}::bigint[]) AS came (digest, ms)
    ON CONFLICT (digest) DO UPDATE SET received_at = greatest(counted_bodies.received_at, excluded.received_at)
      WHERE abs(extract(epoch FROM excluded.received_at - counted_bodies.received_at)) * 1000 >= ${repetitionMs}
    RETURNING encode(digest, 'base64') AS digest`.execute(transaction);
  const fresh = new Set(rows.map(({ digest }) => digest));
  return counting.filter((record) => bodies.get(record.bodyDigest) !== record || fresh.has(record.bodyDigest));
}

async function countMonths(transaction: Transaction, records: readonly LogRecordHead[]): Promise<void> {
  const sums = new Map<string, { organizationId: string; month: string; events: number }>();
  for (const { organizationId, month, quotaCount } of records) {
    const key = `${organizationId} ${month}`;
    const sum = sums.get(key) ?? { organizationId, month, events: 0 };
    sum.events += quotaCount;
    sums.set(key, sum);
  }
  for (const { organizationId, month, events } of sorted(sums)) {
    // The organization may have been deleted since.
    await sql`INSERT INTO usage_months (organization_id, month, events)
      SELECT id, ${month}::date, ${events}::bigint FROM organizations WHERE id = ${organizationId}::uuid
      ON CONFLICT (organization_id, month) DO UPDATE SET events = usage_months.events + excluded.events`.execute(transaction);
  }
}

async function countMinutes(transaction: Transaction, records: readonly LogRecordHead[]): Promise<void> {
  const sums = new Map<string, { project_id: string; minute: Date; events: number }>();
  for (const { projectId, receivedMs, eventCount } of records) {
    const minute = Math.floor(receivedMs / minuteMs) * minuteMs;
    const key = `${projectId} ${minute}`;
    const sum = sums.get(key) ?? { project_id: projectId, minute: new Date(minute), events: 0 };
    sum.events += eventCount;
    sums.set(key, sum);
  }
  await transaction
    .insertInto('ingest_minutes')
    .values(sorted(sums))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'minute']).doUpdateSet({ events: sql`ingest_minutes.events + excluded.events` }),
    )
    .execute();
}

async function noteActivity(transaction: Transaction, records: readonly LogRecordHead[]): Promise<void> {
  const latest = new Map<string, { project_id: string; last_event_at: Date; last_span_at: Date | null }>();
  for (const { projectId, receivedMs, spanCount } of records) {
    const known = latest.get(projectId);
    latest.set(projectId, {
      project_id: projectId,
      last_event_at: later(known?.last_event_at, receivedMs),
      last_span_at: spanCount > 0 ? later(known?.last_span_at, receivedMs) : (known?.last_span_at ?? null),
    });
  }
  await transaction
    .insertInto('ingest_activity')
    .values(sorted(latest))
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({
        last_event_at: sql`greatest(ingest_activity.last_event_at, excluded.last_event_at)`,
        last_span_at: sql`greatest(ingest_activity.last_span_at, excluded.last_span_at)`,
      }),
    )
    .execute();
}

/** The later of two times; the clock may have been set back between them. */
function later(known: Date | null | undefined, ms: number): Date {
  return new Date(Math.max(known?.getTime() ?? ms, ms));
}

/** Values in the order of their keys. Rows are written in one order, so that two replicas cannot deadlock. */
function sorted<T>(values: ReadonlyMap<string, T>): T[] {
  return [...values].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);
}
