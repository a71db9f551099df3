import { pino } from 'pino';
import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService, otherProject, ownProject, ownTenant } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { silentMetrics } from '../../platform/jobs/leased-queue/queue-metrics.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { CostChange, RepricedRange, RepricingPage, RepricingPort, SpanPosition } from '../trace-store/index.ts';
import { open } from './open.ts';
import type { PricesFeature } from './open.ts';

export const nowMs = Date.UTC(2026, 10, 22, 10);
export { otherProject, ownProject };

/** A repricing of spans that exist in memory only: each page has one span, `s1` to `s<spans>`, with a cost of 1 before and 3 after. */
export class FakeRepricing implements RepricingPort {
  spans = 3;
  /** The next calls of these names fail with these errors, in order. */
  failures: Array<{ of: keyof RepricingPort; error: unknown }> = [];
  /** Span ids of the changes that were applied. */
  applied: string[] = [];
  markedSince: number[] = [];
  ranges: RepricedRange[] = [];

  drain(): Promise<void> {
    return this.#fail('drain') ?? Promise.resolve();
  }

  plan(range: RepricedRange, after: SpanPosition, upTo: SpanPosition | null): Promise<RepricingPage> {
    this.ranges.push(range);
    const failure = this.#fail('plan');
    if (failure) return failure;
    const number = Number(after.spanId.slice(1) || '0') + 1;
    if (number > this.spans) {
      return Promise.resolve({
        end: after,
        isLast: true,
        changes: [],
        figures: { spans: 0, changed: 0, costBefore: 0, costAfter: 0 },
      });
    }
    const end = { traceId: 't', spanId: `s${number}` };
    return Promise.resolve({
      end,
      isLast: number === this.spans || end.spanId === upTo?.spanId,
      changes: [{ span: end, cost: { costUsd: 3, costStatus: 'priced' } } as unknown as CostChange],
      figures: { spans: 1, changed: 1, costBefore: 1, costAfter: 3 },
    });
  }

  apply(_projectId: string, changes: readonly CostChange[]): Promise<void> {
    const failure = this.#fail('apply');
    if (failure) return failure;
    for (const { span } of changes) this.applied.push(span.spanId);
    return Promise.resolve();
  }

  markHoursSince(sinceMs: number): Promise<void> {
    this.markedSince.push(sinceMs);
    return Promise.resolve();
  }

  #fail(name: keyof RepricingPort): Promise<never> | null {
    const [next] = this.failures;
    if (next?.of !== name) return null;
    this.failures.shift();
    return Promise.reject(next.error as Error);
  }
}

interface AuditRow {
  seq: number;
  kind: string;
  subject: string;
  actor_name: string | null;
  detail: string;
}

export interface PricesService {
  db: Database;
  clock: ManualClock;
  feature: PricesFeature;
  repricing: FakeRepricing;
  request(role: string, method: string, path: string, body?: unknown): Promise<Answer>;
  /** The kinds and details of the audit entries, oldest first. */
  audited(): Promise<Array<{ kind: string; subject: string; actor: string | null; detail: unknown }>>;
  close(): Promise<void>;
}

export const path = `/v1/projects/${ownProject}/prices`;
export const pathOf = (model: string) => `${path}/${encodeURIComponent(model)}`;

/** The routes and the queue on a PostgreSQL of their own, without spans. `key` as the role: the project's API key. */
export async function openPricesService(): Promise<PricesService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  await insertProject(postgres.db, ownTenant, { atMs: nowMs });
  const repricing = new FakeRepricing();
  const metrics = { queues: { of: () => silentMetrics }, jobErrors: { inc: () => undefined } } as unknown as Metrics;
  const feature = open({ postgres, clock, metrics, log: pino({ level: 'silent' }) }, { repricing });
  const http = await openHttpService((app) => feature.routes?.(app));
  const headers = (role: string): Record<string, string> =>
    role === 'key' ? { 'x-api-key': 'spw_good' } : role === 'nobody' ? {} : { cookie: `spanwise_session=${role}` };
  return {
    db: postgres.db,
    clock,
    feature,
    repricing,
    request: (role, method, url, body) =>
      http.request(url, { method, headers: headers(role), ...(body === undefined ? {} : { body }) }),
    audited: async () => {
      const db = postgres.db.withTables<{ audit_entries: AuditRow }>();
      const rows = await db.selectFrom('audit_entries').selectAll().orderBy('seq').execute();
      return rows.map(({ kind, subject, actor_name: actor, detail }) => ({
        kind,
        subject,
        actor,
        detail: JSON.parse(detail) as unknown,
      }));
    },
    close: async () => {
      await http.close();
      await feature.close?.();
      await close();
    },
  };
}
