import { sql } from 'kysely';
import { expect } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { openTestPipeline } from '../../../../test/support/test-pipeline.ts';
import { openTestPostgres } from '../../../../test/support/test-postgres.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { FixProposal } from '../../../contract/fix-proposals.ts';
import { ManualClock } from '../../../platform/clock/clock.ts';
import { openHttpService, otherProject, ownProject } from '../../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../../platform/http/http-service.fixture.ts';
import { Metrics } from '../../../platform/metrics/metrics.ts';
import { openFakeChatServer } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import { open as openConnections } from '../../model-connections/index.ts';
import { unusedConnections } from '../../model-connections/unused-connections.fixture.ts';
import { open as openPrompts } from '../../prompts/index.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import type { ProposedIncident } from './fix-proposals-context.ts';
import { openFixProposals } from './open-fix-proposals.ts';
import type { FixProposalsFeature } from './open-fix-proposals.ts';

const nowMs = Date.UTC(2026, 10, 23, 10);
const nowNs = BigInt(nowMs) * 1_000_000n;
const organizationId = '0197b000-0000-7000-8000-000000000001';

/** The headers of a session with a role, of a token with one, and of the project's key. */
export const by = (role: string) => ({ cookie: `spanwise_session=${role}` });
export const byToken = (role: string) => ({ authorization: `Bearer spwu_${role}` });
export const byKey = { 'x-api-key': 'spw_good' };

export interface FixProposalsService {
  clock: ManualClock;
  /** The model of every connection that {@link connect} makes. */
  model: FakeChatServer;
  /** Adds an incident with these traces. @returns its id */
  incident(sampleTraceIds: readonly string[], more?: Partial<ProposedIncident>): string;
  store(events: { spans?: Array<Partial<SpanRecord>>; scores?: Array<Partial<ScoreRecord>> }): Promise<void>;
  connect(name: string): Promise<void>;
  disconnect(name: string): Promise<void>;
  prompt(body: object): Promise<number>;
  request(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Answer>;
  /** POST as the owner. */
  start(incidentId: string, body?: object): Promise<Answer>;
  /** Starts a proposal, which has to be accepted, runs it, and reads it. */
  proposed(incidentId: string, body?: object): Promise<FixProposal>;
  read(incidentId: string, runId: string): Promise<FixProposal>;
  runPending(): Promise<number>;
  /** Another process on the same stores. */
  process(): FixProposalsFeature;
  /** Faults that were logged. */
  faults: unknown[];
  /** The detail of every audit entry about a proposal. */
  audited(): Promise<Array<{ subject: string; actor_name: string; detail: unknown }>>;
  close(): Promise<void>;
}

export const path = (incidentId: string, projectId = ownProject) =>
  `/v1/projects/${projectId}/incidents/${incidentId}/fix-proposals`;

/** Fix proposals, prompts and model connections over HTTP on real stores; incidents are the test's. Models are asked without waiting between attempts. */
export async function openFixProposalsService(): Promise<FixProposalsService> {
  const { postgres, close: closePostgres } = await openTestPostgres();
  const { clickhouse, close: closeClickHouse } = await openTestClickHouse();
  const clock = new ManualClock(nowMs);
  const pipeline = await openTestPipeline(clickhouse, clock);
  await sql`INSERT INTO organizations (id, slug, name, plan, created_at)
    VALUES (${organizationId}, 'acme', 'Acme', 'scale', now())`.execute(postgres.db);
  for (const id of [ownProject, otherProject])
    await sql`INSERT INTO projects (id, organization_id, name, slug, created_at)
      VALUES (${id}, ${organizationId}, ${id}, ${id}, now())`.execute(postgres.db);
  const model = await openFakeChatServer();
  const connections = openConnections(
    { postgres, clock, secret: 'the secret of an installation, for tests' },
    { addresses: { allowed: ['127.0.0.0/8'] }, ...unusedConnections, delay: async () => undefined, timeoutMs: 10_000 },
  );
  const prompts = openPrompts({ postgres, clickhouse, clock });
  const incidents = new Map<string, ProposedIncident>();
  const faults: unknown[] = [];
  const log = { error: (fault: unknown) => faults.push(fault) } as never;
  const process = (): FixProposalsFeature =>
    openFixProposals(
      { postgres, clickhouse, clock, metrics: new Metrics(), log },
      {
        prompts,
        models: connections.models,
        incidentOf: async (projectId, incidentId) => {
          const found = projectId === ownProject ? incidents.get(incidentId) : undefined;
          if (!found) throw new ServiceError('not_found', 'There is no such incident.');
          return found;
        },
      },
    );
  const feature = process();
  const http = await openHttpService(async (app) => {
    for (const one of [connections, prompts, feature]) await one.routes?.(app);
  });
  const request: FixProposalsService['request'] = (headers, method, url, body) =>
    http.request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const connectionsPath = `/v1/projects/${ownProject}/model-connections`;
  const service: FixProposalsService = {
    clock,
    model,
    faults,
    process,
    request,
    runPending: () => feature.runPending(),
    incident: (sampleTraceIds, more = {}) => {
      const id = `0197c000-0000-7000-8000-${String(incidents.size + 1).padStart(12, '0')}`;
      const figures = { type: 'quality' as const, value: 0.2, threshold: 0.8, scope: null, environment: null };
      incidents.set(id, { id, ruleName: 'Answers', summary: 'The mean score is 0.2.', sampleTraceIds, ...figures, ...more });
      return id;
    },
    store: async ({ spans = [], scores = [] }) => {
      const batch = {
        spans: spans.map((span) => ({ ...emptySpan, startNs: nowNs, ...span })),
        scores: scores.map((score) => ({ ...emptyScore, timestampMs: nowMs, ...score })),
      };
      await pipeline.accept({ projectId: ownProject, organizationId }, batch, 0);
      await pipeline.drain();
    },
    connect: async (name) => {
      const body = { name, baseUrl: model.url, model: 'gpt-4o', apiKey: 'sk-test-0123456789' };
      expect((await request(by('owner'), 'POST', connectionsPath, body)).status).toBe(201);
    },
    disconnect: async (name) => {
      const { body } = await request(by('owner'), 'GET', connectionsPath);
      const { id } = body.modelConnections.find((one: { name: string }) => one.name === name);
      expect((await request(by('owner'), 'DELETE', `${connectionsPath}/${id}`)).status).toBe(204);
    },
    prompt: async (body) => {
      const answer = await request(byKey, 'POST', '/v1/prompts', body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body.version;
    },
    start: (incidentId, body = {}) => request(by('owner'), 'POST', path(incidentId), body),
    read: async (incidentId, runId) => (await request(byKey, 'GET', `${path(incidentId)}/${runId}`)).body,
    proposed: async (incidentId, body) => {
      const started = await service.start(incidentId, body);
      expect(started.status, started.text).toBe(202);
      await service.runPending();
      return service.read(incidentId, started.body.id);
    },
    audited: async () => {
      const { rows } = await sql<{ subject: string; actor_name: string; detail: string }>`
        SELECT subject, actor_name, detail FROM audit_entries WHERE kind = 'fix_proposal.started' ORDER BY seq`.execute(
        postgres.db,
      );
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
    },
    close: async () => {
      await http.close();
      await feature.close?.();
      await prompts.close?.();
      await connections.close();
      await model.close();
      await pipeline.close();
      await closeClickHouse();
      await closePostgres();
    },
  };
  return service;
}
