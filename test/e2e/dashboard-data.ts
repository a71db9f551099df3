import { seed } from '../../src/cli/seed/seed.ts';
import { addMember } from '../support/add-member.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { specialAlerts } from './special-alerts.ts';
import type { AlertPlaces } from './special-alerts.ts';
import { healthyClient, specialClients } from './special-clients.ts';
import { specialComments } from './special-comments.ts';
import type { CommentPlaces } from './special-comments.ts';
import { specialDatasets } from './special-datasets.ts';
import type { DatasetPlaces } from './special-datasets.ts';
import { openJudge, specialEvaluators } from './special-evaluators.ts';
import { tripRequest } from './special-otlp.ts';
import { guardedTrace, specialGuardrails } from './special-guardrails.ts';
import { specialOperations, specialPack, specialPrices } from './special-operations.ts';
import { specialPolicies } from './special-policies.ts';
import { specialPrompts } from './special-prompts.ts';
import { specialSimulations } from './special-simulations.ts';
import type { SimulationPlaces } from './special-simulations.ts';
import { largeTrace, largeTraceId, specialTraces } from './special-traces.ts';
import { specialOutcomes } from './special-outcomes.ts';

/** Generated IDs of datasets, a change, rules, incidents, simulations and an evidence pack. */
export type Places = DatasetPlaces & CommentPlaces & AlertPlaces & SimulationPlaces & { change: string; pack: string };

/** The environment of a service to be filled: rules are evaluated soon. */
export const fillingEnvironment = { SPANWISE_ALERT_INTERVAL_S: '1' };

/** What the tests know of the data that {@link fillService} wrote. */
export interface DashboardData {
  apiKey: string;
  /** Generated IDs. */
  places: Places;
  /** The model connection of the judge. */
  connectionId: string;
}

export const viewer = { email: 'viewer@example.com', password: 'only here to look around' };
const seededSpans = 4_000;
/** The seeded traces end this long before the special ones, which are from the last ten minutes. */
const seedEndsBeforeMs = 600_000;
const largeTraceSpans = 5_000;

/**
 * Fills a new service: one month of traces, the special traces, prompts, guardrails, policies, datasets, evaluators with their scores,
 * changes, retirements of models, alert rules with incidents, simulations, and a viewer.
 */
export async function fillService(service: Service): Promise<DashboardData> {
  const { cookie, projectId, organizationId } = await service.signIn();
  await addViewer(service, cookie, organizationId);
  const judge = await openJudge({ refusesFirst: true });
  try {
    const { connectionId, evaluated } = await specialEvaluators(service, { cookie, projectId, judgeUrl: judge.url });
    await specialPrompts(service);
    await specialGuardrails(service, { cookie, projectId }, Date.now());
    await specialPolicies(service, { cookie, projectId });
    await sendTraces(service);
    await everythingCanBeRead(service, { cookie, projectId, traceId: 'hostile-trace' });
    const comments = await specialComments(service, { cookie, projectId, mentioned: viewer.email });
    const places = await specialDatasets(service, Date.now());
    await everythingCanBeRead(service, { cookie, projectId, traceId: 'hostile-trace' });
    await evaluated();
    // The scores of the evaluators are ingested as well.
    await everythingCanBeRead(service, { cookie, projectId, traceId: 'hostile-trace' });
    const { change } = await specialOperations(service, { cookie, projectId }, Date.now());
    await specialPrices(service, { cookie, projectId });
    const alertPlaces = await specialAlerts(service, { cookie, projectId });
    const simulationPlaces = await specialSimulations(service, { cookie, projectId });
    const pack = await specialPack(service, { cookie, projectId }, Date.now());
    return {
      apiKey: service.apiKey,
      places: { ...places, ...comments, ...alertPlaces, ...simulationPlaces, change, pack },
      connectionId,
    };
  } finally {
    await judge.close();
  }
}

/** Adds a trace of 5,000 spans. */
export async function addLargeTrace(service: Service): Promise<void> {
  const { cookie, projectId } = await service.signIn();
  let batch: object[] = [];
  for (const event of largeTrace(Date.now(), largeTraceSpans)) {
    batch.push(event);
    if (batch.length < 100) continue;
    await sendEvents(service, batch);
    batch = [];
  }
  if (batch.length > 0) await sendEvents(service, batch);
  await everythingCanBeRead(service, { cookie, projectId, traceId: largeTraceId });
}

/** Sends events in the native format; fails when one is rejected. */
export function sendEvents(
  service: Service,
  events: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  return post(service, '/v1/ingest', { 'content-type': 'application/x-ndjson', ...headers }, lines);
}

/** Reports outcomes; fails when one is rejected. */
export function reportOutcomes(service: Service, outcomes: readonly object[]): Promise<void> {
  return post(service, '/v1/ingest/outcomes', { 'content-type': 'application/json' }, JSON.stringify({ outcomes }));
}

async function post(service: Service, path: string, headers: Record<string, string>, content: string): Promise<void> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, ...headers },
    body: content,
  });
  const body = (await answer.json()) as { rejected?: unknown[] };
  if (answer.status !== 202 || (body.rejected?.length ?? 0) > 0)
    throw new Error(`ingestion answered ${answer.status}: ${JSON.stringify(body)}`);
}

async function addViewer(service: Service, cookie: string, organizationId: string): Promise<void> {
  await addMember(service.url, { cookie }, organizationId, { ...viewer, name: 'Vera Viewer', role: 'viewer' });
}

async function sendTraces(service: Service): Promise<void> {
  const endMs = Date.now();
  // The seed's times depend on the hour. Without the distance its newest trace is, at every third hour, the newest of all.
  const seeded = { spans: seededSpans, seed: 7, days: 30, endMs: endMs - seedEndsBeforeMs };
  const target = {
    send: (events: readonly object[]) => sendEvents(service, events),
    report: (outcomes: readonly object[]) => reportOutcomes(service, outcomes),
  };
  await seed(seeded, target, () => undefined);
  const otlp = await fetch(`${service.url}/v1/traces`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(tripRequest(endMs)),
  });
  if (otlp.status !== 200) throw new Error(`OTLP ingestion answered ${otlp.status}: ${await otlp.text()}`);
  await sendEvents(service, [...specialTraces(endMs), ...guardedTrace(endMs)], healthyClient);
  await specialClients(service);
  await reportOutcomes(service, specialOutcomes(endMs));
}

async function everythingCanBeRead(
  service: Service,
  { cookie, projectId, traceId }: { cookie: string; projectId: string; traceId: string },
): Promise<void> {
  await until('what was sent can be read', async () => {
    const health = (await (
      await fetch(`${service.url}/v1/projects/${projectId}/ingest-health`, { headers: { cookie } })
    ).json()) as { pendingEvents: number };
    const trace = await fetch(`${service.url}/v1/projects/${projectId}/traces/${traceId}`, { headers: { cookie } });
    await trace.arrayBuffer();
    return health.pendingEvents === 0 && trace.status === 200;
  });
}
