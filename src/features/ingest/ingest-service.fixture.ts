import type { Server } from 'node:http';
import type { Role } from '../../contract/permissions.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import { sessionCookie } from '../../platform/http/index.ts';
import type { Authenticator } from '../../platform/http/index.ts';
import { Inflater } from '../../platform/inflate/index.ts';
import { readOtlpTraces } from '../otlp/index.ts';
import type { IngestBatch } from '../records/index.ts';
import type { IngestPipeline, IngestTenant } from '../trace-store/index.ts';
import type { OtlpRequest } from '../trace-store/pipeline-port.ts';
import { ClientDelivery } from './clients/client-delivery.ts';
import type { ClientStore } from './clients/client-store.ts';
import { ingestContext } from './ingest-context.ts';
import type { IngestContext } from './ingest-context.ts';
import { defaultLimits } from './ingest-limits.ts';
import type { IngestLimits } from './ingest-limits.ts';
import { ingestRoutes } from './routes.ts';

export const nowMs = Date.UTC(2026, 10, 20, 10);

/** A batch that the pipeline accepted. */
export interface Accepted {
  tenant: IngestTenant;
  batch: IngestBatch;
  quotaCount: number;
}

/** A fake of the pipeline and its counts: accepted events are pending until `write` counts them, like a written batch. */
export class FakePipeline implements IngestPipeline {
  readonly accepted: Accepted[] = [];
  readonly #clock: ManualClock;
  readonly #inflater = new Inflater(defaultLimits.inflatedBytes);
  /** Thrown by every call while it is set. */
  failure: unknown = null;
  #waiting: Array<Accepted & { atMs: number }> = [];
  readonly #written: Array<Accepted & { atMs: number }> = [];
  /** Events that earlier processes counted. */
  countedBefore = 0;
  databaseFails = false;
  #lastSpanMs = 0;
  #lastEventMs = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  accept(tenant: IngestTenant, batch: IngestBatch, quotaCount: number): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    const entry = { tenant, batch, quotaCount, atMs: this.#clock.now() };
    this.accepted.push(entry);
    this.#waiting.push(entry);
    this.#lastEventMs = entry.atMs;
    if (batch.spans.some((span) => span.spanId !== '')) this.#lastSpanMs = entry.atMs;
    return Promise.resolve();
  }

  /** Reads the request, as the pipeline does later. */
  async acceptOtlp(tenant: IngestTenant, request: OtlpRequest, quotaCount: number): Promise<void> {
    const body = await this.#inflater.inflate(request.body, request.contentEncoding);
    await this.accept(tenant, readOtlpTraces(body, request.encoding, request).batch, quotaCount);
  }

  passThresholds(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(new Map());
  }

  /** Counts the pending events as written. */
  write(): void {
    this.#written.push(...this.#waiting);
    this.#waiting = [];
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  changeTags(): Promise<Map<string, 'missing' | 'full'>> {
    return Promise.resolve(new Map());
  }

  deleteTraces(): Promise<Set<string>> {
    return Promise.resolve(new Set());
  }

  deleteTrace(): Promise<boolean> {
    return Promise.resolve(false);
  }

  pendingEvents(): number {
    return this.#waiting.reduce((sum, { batch }) => sum + batch.spans.length + batch.scores.length, 0);
  }

  pendingMs(): number {
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : this.#clock.now() - oldest.atMs;
  }

  lastActivity() {
    return { eventMs: this.#lastEventMs, spanMs: this.#lastSpanMs };
  }

  uncountedEvents(): number {
    return this.#waiting.reduce((sum, { quotaCount }) => sum + quotaCount, 0);
  }

  eventsOfMonth(): Promise<number> {
    if (this.databaseFails) return Promise.reject(new Error('the database is down'));
    return Promise.resolve(this.#written.reduce((sum, { quotaCount }) => sum + quotaCount, this.countedBefore));
  }

  recentEvents(_projectId: string, now: number) {
    const since = (ms: number) =>
      this.#written
        .filter(({ atMs }) => atMs > now - ms)
        .reduce((sum, { batch }) => sum + batch.spans.length + batch.scores.length, 0);
    return Promise.resolve({ lastHour: since(3_600_000), lastDay: since(86_400_000), lastEventMs: 0, lastSpanMs: 0 });
  }
}

export interface IngestService {
  url: string;
  server: Server;
  clock: ManualClock;
  pipeline: FakePipeline;
  context: IngestContext;
  close(): Promise<void>;
}

export const projectId = '0197a000-0000-7000-8000-000000000001';
export const organizationId = '0197b000-0000-7000-8000-000000000001';
/** Two keys of the same project. */
export const apiKey = 'spw_first';
export const otherApiKey = 'spw_second';

/** Keeps no counts of clients. */
const noClients: ClientStore = { add: () => Promise.resolve(), list: () => Promise.resolve([]) };

/** The ingestion routes over real HTTP, with a stub authenticator and a fake pipeline. */
export async function openIngestService(
  plan: Plan = 'free',
  store: ClientStore = noClients,
  limits: IngestLimits = defaultLimits,
): Promise<IngestService> {
  const clock = new ManualClock(nowMs);
  const pipeline = new FakePipeline(clock);
  const onError = (error: unknown) => {
    throw error;
  };
  const context = ingestContext({
    pipeline,
    usage: pipeline,
    clock,
    limits,
    clients: new ClientDelivery({ clock, store, onError }),
  });
  const http = await openHttpService((app) => ingestRoutes(app, context), { authenticator: stubAuthenticator(plan) });
  const close = async () => {
    // A connection on which a rejected body still arrives is not idle and would delay the close.
    http.app.server.closeAllConnections();
    await http.close();
    await context.clients.flush();
    await context.reader.close();
  };
  return { url: http.url, server: http.app.server, clock, pipeline, context, close };
}

/** A cookie of a user with a role, or of one who is not a member. */
export function cookieOf(role: Role | 'stranger'): string {
  return `${sessionCookie}=${role}`;
}

function stubAuthenticator(plan: Plan): Authenticator {
  const tenant = { projectId, organizationId, plan };
  return {
    byApiKey: (secret) => {
      if (secret !== apiKey && secret !== otherApiKey) return Promise.resolve(null);
      const names = { keyName: 'key', keyPrefix: 'spw_', projectName: 'project', organizationSlug: 'organization' };
      return Promise.resolve({ kind: 'key', keyId: secret, scopes: null, ...tenant, ...names });
    },
    byToken: () => Promise.resolve(null),
    bySession: (secret) =>
      Promise.resolve({ kind: 'user', userId: secret, email: '', name: '', via: 'session', sessionId: secret }),
    projectFor: (userId, id) =>
      Promise.resolve(userId === 'stranger' || id !== projectId ? null : { tenant, role: userId as Role }),
    organizationFor: () => Promise.resolve(null),
    rolesOf: () => Promise.resolve([]),
  };
}
