import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientTypes } from '../../web/client-types.ts';
import { addMember } from '../support/add-member.ts';
import { owner, startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { auditOfRoutes } from './audited-routes.ts';

const startMs = Date.UTC(2026, 10, 21, 13);
const passwords = { currentPassword: owner.password, newPassword: 'another password' };

/** A call of an operation and its expected status. */
interface Call {
  status: number;
  body?: object | string;
  contentType?: string;
  /** Path parameters that differ from the common ones. */
  parameters?: Record<string, string>;
  /** Whether the query names the project, as a session must outside of /v1/projects/{id}. */
  namesProject?: boolean;
  /** Query, after `projectId` with `namesProject`. */
  query?: string;
  /** Whether it is called with the project's key instead of the owner's cookie. */
  byKey?: boolean;
  /** Whether the route is public. */
  open?: boolean;
  /** Whether the call names no id, so that another tenant may call it too. */
  own?: boolean;
}

const span = {
  type: 'span',
  traceId: 't1',
  spanId: 's1',
  name: 'chat',
  kind: 'llm',
  model: 'm/1',
  startTime: new Date(startMs).toISOString(),
};

const counts = { checks: 1, flagged: 0, redacted: 0, blocked: 1, failed: 0 };
const guardrailReport = { guardrail: 'one', stage: 'input', at: new Date(startMs).toISOString(), ...counts, reportId: 'r' };

/** `/v1/metrics` and `/v1/logs` take any method; fetch() sends only these. */
const methodsOfFetch = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

let app: TestApp;
let calls: Record<string, Call>;
let intruder: { cookie: string; key: string };
const common: Record<string, string> = {};

beforeAll(async () => {
  app = await startTestApp(startMs, { SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8' });
  await app.send([{ ...span, sessionId: 'session 1', userId: 'user 1' }]);
  const person = { email: 'member@example.com', name: 'Member', role: 'viewer', password: 'a password of theirs' };
  const member = await addMember(app.url, { cookie: app.cookie }, app.organizationId, person);
  const invitations = `/v1/organizations/${app.organizationId}/invitations`;
  const invitation = await asOwner<{ id: string }>('POST', invitations, { email: 'invited@example.com', role: 'viewer' });
  const key = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/api-keys`, { name: 'second' });
  const revoked = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/api-keys`, { name: 'third' });
  const token = await asOwner<{ id: string }>('POST', '/v1/me/tokens', { name: 'ci' });
  const connectionBody = { name: 'Local', baseUrl: 'http://127.0.0.1:11434/v1', apiKey: 'sk-of-a-test', model: 'm' };
  const connections = `/v1/projects/${app.projectId}/model-connections`;
  const connection = await asOwner<{ id: string }>('POST', connections, connectionBody);
  const evaluator = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/evaluators`, {
    slug: 'one',
    type: 'exact',
  });
  const environments = `/v1/projects/${app.projectId}/environments`;
  const environment = await asOwner<{ id: string }>('POST', environments, { name: 'production' });
  const guardrailBody = { slug: 'one', type: 'secrets' };
  const guardrail = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/guardrails`, guardrailBody);
  intruder = await otherTenant();
  Object.assign(common, {
    id: app.projectId,
    orgId: app.organizationId,
    userId: member.userId,
    invitationId: invitation.id,
    keyId: key.id,
    tokenId: token.id,
    connectionId: connection.id,
    evaluatorId: evaluator.id,
    environmentId: environment.id,
    guardrailId: guardrail.id,
    policyId: guardrail.id,
  });
  Object.assign(common, { traceId: 't1', spanId: 's1', sessionId: 'session 1', model: 'm/1', name: 'a/b' });
  await asOwner('POST', `/v1/prompts?projectId=${app.projectId}`, { name: 'a/b', prompt: 'Hello' });
  const datasets = await datasetOfOwner();
  const ofSimulations = `/v1/projects/${app.projectId}/simulations`;
  const target = { type: 'http', url: 'https://93.184.215.14/' };
  // Of its own: a dataset that a scenario uses cannot be deleted.
  const simulated = await asOwner<{ id: string }>('POST', `/v1/datasets?projectId=${app.projectId}`, { name: 'Simulated' });
  const scenarioBody = { name: 'one', datasetId: simulated.id, target };
  const scenario = await asOwner<{ id: string }>('POST', `${ofSimulations}/scenarios`, scenarioBody);
  const startRun = () =>
    asOwner<{ batchRun: { id: string } }>('POST', `${ofSimulations}/batch-runs`, { scenarioId: scenario.id }, 202);
  const gated = { baselineBatchRunId: (await startRun()).batchRun.id };
  Object.assign(common, { scenarioId: scenario.id, batchRunId: (await startRun()).batchRun.id });
  const lifecycle = `/v1/projects/${app.projectId}/model-lifecycle`;
  await asOwner('PUT', `${lifecycle}/catalogue/m%2F1`, { retiresOn: '2026-12-01' }, 200);
  await asOwner('POST', `${lifecycle}/scan`, undefined, 200);
  const { findings } = await asOwner<{ findings: Array<{ id: string }> }>('GET', `${lifecycle}/findings`, undefined, 200);
  const prices = `/v1/projects/${app.projectId}/prices`;
  const price = { inputPerMillion: 1, outputPerMillion: 2 };
  await asOwner('PUT', `${prices}/m%2F1`, price, 200);
  const repriced = { from: '2026-11-01', to: '2026-11-21', dryRun: true };
  const repricing = await asOwner<{ id: string }>('POST', `${prices}/reprice`, repriced, 202);
  // A project has one at a time.
  await app.features.prices.runPending();
  const savedView = { name: 'shared', on: 'traces', visibility: 'project' };
  const view = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/views`, savedView);
  Object.assign(common, { viewId: view.id });
  const change = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/changes`, { kind: 'deploy' });
  const ofAlerts = `/v1/projects/${app.projectId}/alerts`;
  const lackOfData = { type: 'cost', threshold: 1, filter: { models: ['none'] }, noData: 'fire' };
  await asOwner('POST', ofAlerts, { ...lackOfData, name: 'quiet' });
  // Nothing listens there.
  const channels = [{ type: 'webhook', url: 'http://127.0.0.1:1/hook' }];
  const alert = await asOwner<{ id: string }>('POST', ofAlerts, { ...lackOfData, name: 'silent', channels });
  for (const job of app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
  const ofIncidents = `/v1/projects/${app.projectId}/incidents`;
  const { incidents } = await asOwner<{ incidents: Array<{ id: string }> }>('GET', ofIncidents, undefined, 200);
  const { deliveries } = await asOwner<{ deliveries: Array<{ id: string }> }>(
    'GET',
    `${ofAlerts}/${alert.id}/deliveries`,
    undefined,
    200,
  );
  Object.assign(common, { alertId: alert.id, incidentId: incidents[0]?.id, deliveryId: deliveries[0]?.id });
  const fix = { promptName: 'a/b', connection: 'Local' };
  const fixed = incidents[1]?.id ?? '';
  const proposal = await asOwner<{ id: string }>('POST', `${ofIncidents}/${fixed}/fix-proposals`, fix, 202);
  Object.assign(common, { findingId: findings[0]?.id, changeId: change.id, repricingId: repricing.id });
  const range = { from: new Date(startMs - 86_400_000).toISOString(), to: new Date(startMs).toISOString() };
  const packBody = { framework: 'soc2', ...range };
  const pack = await asOwner<{ id: string }>('POST', `/v1/projects/${app.projectId}/evidence-packs`, packBody);
  Object.assign(common, { packId: pack.id });
  const scoreBody = { traceId: 't1', evaluator: 'helpful', score: 1 };
  const score = await asOwner<{ scoreId: string }>('POST', `/v1/projects/${app.projectId}/scores`, scoreBody);
  const { comment } = await asOwner<{ comment: { id: string } }>('POST', `/v1/projects/${app.projectId}/comments`, {
    traceId: 't1',
    body: 'a',
  });
  Object.assign(common, { commentId: comment.id });
  const selection = { on: 'traces', filter: '', action: { type: 'export', format: 'jsonl' } };
  const made = await asOwner<{ job: { id: string } }>('POST', `/v1/projects/${app.projectId}/selections`, selection, 202);
  await app.features.jobs.runPending();
  Object.assign(common, { jobId: made.job.id });
  await app.pipeline.drain();
  const share = await asOwner<{ id: string; url: string }>('POST', `/v1/projects/${app.projectId}/traces/t1/shares`, {});
  Object.assign(common, { shareId: share.id, token: share.url.split('/').at(-1) });
  calls = {
    'GET /healthz': { status: 200, open: true },
    'GET /readyz': { status: 200, open: true },
    'POST /v1/auth/login': { status: 401, body: { email: 'nobody@example.com', password: 'wrong password' }, open: true },
    'POST /v1/auth/logout': { status: 204, open: true },
    'POST /v1/auth/forgot': { status: 202, body: { email: 'nobody@example.com' }, open: true },
    'POST /v1/auth/reset': { status: 404, body: { token: 'unknown', password: 'a new password' }, open: true },
    'POST /v1/invitations/look-up': { status: 404, body: { token: 'unknown' }, open: true },
    'POST /v1/invitations/accept': { status: 404, body: { token: 'unknown' }, open: true },
    'GET /v1/auth/session': { status: 200, own: true },
    'POST /v1/me/password': { status: 204, body: passwords, own: true },
    'POST /v1/me/tokens': { status: 201, body: { name: 'another' }, own: true },
    'GET /v1/me/tokens': { status: 200, own: true },
    'DELETE /v1/me/tokens/{tokenId}': { status: 204 },
    'GET /v1/sdk/whoami': { status: 200, byKey: true, own: true },
    'POST /v1/organizations': { status: 201, body: { name: 'Third' }, own: true },
    'GET /v1/organizations': { status: 200, own: true },
    'PATCH /v1/organizations/{orgId}': { status: 200, body: { name: 'Renamed' } },
    'POST /v1/organizations/{orgId}/projects': { status: 201, body: { name: 'Another' } },
    'POST /v1/projects/{id}/changes': { status: 201, body: { kind: 'deploy' } },
    'GET /v1/projects/{id}/changes/{changeId}': { status: 200 },
    'GET /v1/projects/{id}/changes/{changeId}/impact': { status: 200 },
    'POST /v1/projects/{id}/alerts': { status: 201, body: { name: 'another', type: 'cost', threshold: 1 } },
    'POST /v1/projects/{id}/alerts/preview': { status: 200, body: { name: 'new', type: 'latency', threshold: 1 } },
    'PATCH /v1/projects/{id}/alerts/{alertId}': { status: 200, body: { name: 'renamed' } },
    'PATCH /v1/projects/{id}/incidents/{incidentId}': { status: 200, body: { status: 'acknowledged' } },
    'POST /v1/projects/{id}/alerts/{alertId}/test': { status: 202 },
    'POST /v1/projects/{id}/alerts/{alertId}/deliveries/{deliveryId}/redeliver': { status: 202 },
    'POST /v1/projects/{id}/incidents/{incidentId}/fix-proposals': { status: 202, body: fix },
    'GET /v1/projects/{id}/incidents/{incidentId}/fix-proposals/{proposalId}': {
      status: 200,
      parameters: { incidentId: fixed, proposalId: proposal.id },
    },
    'POST /v1/projects/{id}/simulations/scenarios': {
      status: 201,
      body: { ...scenarioBody, name: 'another' },
    },
    'PATCH /v1/projects/{id}/simulations/scenarios/{scenarioId}': { status: 200, body: { description: 'changed' } },
    'POST /v1/projects/{id}/simulations/batch-runs': { status: 202, body: { scenarioId: scenario.id } },
    'GET /v1/projects/{id}/simulations/batch-runs/{batchRunId}': { status: 200 },
    'GET /v1/projects/{id}/simulations/batch-runs/{batchRunId}/items': { status: 200 },
    'GET /v1/projects/{id}/simulations/batch-runs/{batchRunId}/distributions': { status: 200 },
    'POST /v1/projects/{id}/simulations/try': {
      status: 200,
      body: { target: { type: 'prompt', promptName: 'missing', connection: 'missing' }, item: { input: 1 } },
    },
    'POST /v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate': { status: 202, body: gated },
    'POST /projects/{id}/simulations/batch-runs/{batchRunId}/gate': { status: 202, body: gated },
    'POST /v1/projects/{id}/simulations/batch-runs/{batchRunId}/cancel': { status: 202 },
    'DELETE /v1/projects/{id}/simulations/scenarios/{scenarioId}': { status: 204 },
    'POST /v1/projects/{id}/model-lifecycle/scan': { status: 200 },
    'PUT /v1/projects/{id}/model-lifecycle/catalogue/{model}': { status: 200, body: { retiresOn: '2026-12-01' } },
    'POST /v1/projects/{id}/model-lifecycle/findings/{findingId}/dismiss': { status: 200 },
    'DELETE /v1/projects/{id}/model-lifecycle/catalogue/{model}': { status: 204 },
    'GET /v1/projects/{id}/prices/{model}': { status: 200 },
    'PUT /v1/projects/{id}/prices/{model}': { status: 200, body: { ...price, inputPerMillion: 3 } },
    'POST /v1/projects/{id}/prices/reprice': { status: 202, body: repriced },
    'GET /v1/projects/{id}/prices/reprice/{repricingId}': { status: 200 },
    'DELETE /v1/projects/{id}/prices/{model}': { status: 200 },
    'POST /v1/projects/{id}/selections': {
      status: 202,
      body: { on: 'traces', ids: ['none'], action: { type: 'export', format: 'csv' } },
    },
    'GET /v1/projects/{id}/jobs/{jobId}': { status: 200 },
    'GET /v1/projects/{id}/jobs/{jobId}/download': { status: 200 },
    'POST /v1/projects/{id}/jobs/{jobId}/cancel': { status: 409 },
    'POST /v1/projects/{id}/query': { status: 200, body: { on: 'calls', measures: [{ measure: 'count' }] } },
    'GET /v1/projects/{id}/query': {
      status: 200,
      query: `q=${encodeURIComponent('{"on":"calls","measures":[{"measure":"count"}]}')}`,
    },
    'POST /v1/projects/{id}/filter-suggestions': { status: 200, body: { on: 'traces', text: 'stat', cursor: 4 } },
    'POST /v1/projects/{id}/views': { status: 201, body: { ...savedView, name: 'another' } },
    'PATCH /v1/projects/{id}/views/{viewId}': { status: 200, body: { name: 'renamed' } },
    'DELETE /v1/projects/{id}/views/{viewId}': { status: 204 },
    'POST /v1/projects/{id}/mapping/preview': { status: 200, body: { resourceSpans: [] } },
    'POST /v1/organizations/{orgId}/members': { status: 201, body: { email: 'new@example.com', name: 'New', role: 'member' } },
    'POST /v1/organizations/{orgId}/invitations': { status: 201, body: { email: 'another@example.com', role: 'member' } },
    'DELETE /v1/organizations/{orgId}/invitations/{invitationId}': { status: 204 },
    'POST /v1/organizations/{orgId}/members/{userId}/revoke': { status: 204 },
    'PATCH /v1/organizations/{orgId}/members/{userId}': { status: 200, body: { role: 'member' } },
    'DELETE /v1/organizations/{orgId}/members/{userId}': { status: 204 },
    'POST /v1/projects/{id}/api-keys': { status: 201, body: { name: 'fourth' } },
    'POST /v1/projects/{id}/api-keys/{keyId}/rotate': { status: 200, body: {} },
    'PATCH /v1/projects/{id}/api-keys/{keyId}': { status: 200, body: { scopes: ['ingest', 'read'] } },
    'DELETE /v1/projects/{id}/api-keys/{keyId}': { status: 204, parameters: { keyId: revoked.id } },
    'POST /v1/projects/{id}/evidence-packs': { status: 201, body: packBody },
    'POST /v1/projects/{id}/evidence-packs/verify': { status: 200, body: pack },
    'GET /v1/compliance/frameworks': { status: 200, own: true },
    'POST /v1/ingest': {
      status: 202,
      byKey: true,
      own: true,
      body: JSON.stringify({ ...span, traceId: 't2' }),
      contentType: 'application/x-ndjson',
    },
    'POST /v1/ingest/outcomes': { status: 202, byKey: true, own: true, body: { traceId: 't1', kind: 'order', value: 1 } },
    'POST /mcp': { status: 200, byKey: true, own: true, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    'POST /v1/traces': { status: 200, byKey: true, own: true, body: '{}' },
    'POST /v1/projects/{id}/model-connections': { status: 201, body: { ...connectionBody, name: 'Another' } },
    'PATCH /v1/projects/{id}/model-connections/{connectionId}': { status: 200, body: { name: 'Renamed' } },
    'DELETE /v1/projects/{id}/model-connections/{connectionId}': { status: 204 },
    'POST /v1/projects/{id}/evaluators': { status: 201, body: { slug: 'other', type: 'exact' } },
    'PATCH /v1/projects/{id}/evaluators/{evaluatorId}': { status: 200, body: { name: 'Renamed' } },
    'DELETE /v1/projects/{id}/evaluators/{evaluatorId}': { status: 204 },
    'POST /v1/projects/{id}/policies/{policyId}/detach': { status: 409 },
    'POST /v1/projects/{id}/policies/{policyId}/attach': { status: 409 },
    'POST /v1/projects/{id}/environments': { status: 201, body: { name: 'staging' } },
    'PATCH /v1/projects/{id}/environments/{environmentId}': { status: 200, body: { description: 'changed' } },
    'DELETE /v1/projects/{id}/environments/{environmentId}': { status: 204 },
    'POST /v1/guardrails/check': { status: 200, own: true, byKey: true, body: { text: 'a' } },
    'POST /v1/guardrails/report': { status: 202, own: true, byKey: true, body: { reports: [guardrailReport] } },
    'GET /v1/policy-bundle': { status: 200, own: true, byKey: true },
    'POST /v1/projects/{id}/guardrails': { status: 201, body: { ...guardrailBody, slug: 'other' } },
    'PATCH /v1/projects/{id}/guardrails/{guardrailId}': { status: 200, body: { name: 'Renamed' } },
    'DELETE /v1/projects/{id}/guardrails/{guardrailId}': { status: 204 },
    'GET /v1/policies/schema.json': { status: 200, open: true },
    'POST /v1/projects/{id}/policies/validate': { status: 200, body: { files: [] } },
    'POST /v1/projects/{id}/policies/plan': { status: 200, body: { files: [] } },
    'POST /v1/projects/{id}/policies/apply': { status: 409, body: { planId: 'unknown', files: [] } },
    'POST /v1/projects/{id}/comments': { status: 201, body: { traceId: 't1', body: 'b' } },
    'GET /v1/projects/{id}/comments': { status: 200, query: 'traceId=t1' },
    'PATCH /v1/projects/{id}/comments/{commentId}': { status: 200, body: { resolved: true } },
    'DELETE /v1/projects/{id}/comments/{commentId}': { status: 204 },
    'GET /v1/me/mentions': { status: 200, own: true },
    'POST /v1/me/mentions/read': { status: 204, own: true },
    'POST /v1/projects/{id}/scores': { status: 201, body: { traceId: 't1', evaluator: 'helpful', score: 1 } },
    'PATCH /v1/projects/{id}/scores/{scoreId}': { status: 200, body: { score: 0 }, parameters: { scoreId: score.scoreId } },
    'DELETE /v1/projects/{id}/scores/{scoreId}': { status: 204, parameters: { scoreId: score.scoreId } },
    'GET /v1/projects/{id}/traces/{traceId}/spans': { status: 200, query: 'spanId=s1' },
    'GET /v1/projects/{id}/filter-fields': { status: 200, query: 'on=traces' },
    'GET /v1/projects/{id}/facets': { status: 200, query: 'on=spans&field=kind' },
    'GET /v1/projects/{id}/users/{userId}': { status: 200, parameters: { userId: 'user 1' } },
    'GET /v1/projects/{id}/trace-comparison': { status: 200, query: 'a=t1&b=t1' },
    'GET /v1/projects/{id}/blast-radius': { status: 200, query: 'node=model:m/1' },
    'POST /v1/prompts': { status: 201, own: true, byKey: true, body: { name: 'other', prompt: 'Hello {{name}}' } },
    'GET /v1/prompts': { status: 200, own: true, byKey: true },
    'GET /v1/prompts/folders': { status: 200, own: true, byKey: true },
    'GET /v1/prompts/{name}/versions': { status: 200, namesProject: true },
    'PATCH /v1/prompts/{name}/labels': { status: 200, namesProject: true, body: { version: 1, labels: ['production'] } },
    'DELETE /v1/prompts/{name}/labels/{label}': { status: 204, namesProject: true, parameters: { label: 'production' } },
    'PATCH /v1/prompts/{name}/tags': { status: 200, namesProject: true, body: { tags: ['a'] } },
    'PATCH /v1/prompts/{name}/folder': { status: 200, namesProject: true, body: { folder: 'a/b' } },
    'POST /v1/datasets': { status: 201, own: true, byKey: true, body: { name: 'other' } },
    'GET /v1/datasets': { status: 200, own: true, byKey: true },
    'GET /v1/datasets/{datasetId}': { status: 200, namesProject: true },
    'PATCH /v1/datasets/{datasetId}': { status: 200, namesProject: true, body: { description: 'x' } },
    'POST /v1/datasets/{datasetId}/items': { status: 201, namesProject: true, body: { source: { traceId: 't1' } } },
    'GET /v1/datasets/{datasetId}/items': { status: 200, namesProject: true },
    'GET /v1/datasets/{datasetId}/items/{itemId}': { status: 200, namesProject: true },
    'PATCH /v1/datasets/{datasetId}/items/{itemId}': { status: 200, namesProject: true, body: { input: 2 } },
    'POST /v1/datasets/{datasetId}/import': { status: 201, namesProject: true, body: 'input\n1', contentType: 'text/csv' },
    'GET /v1/datasets/{datasetId}/export': { status: 200, namesProject: true },
    'POST /v1/datasets/{datasetId}/runs': { status: 201, namesProject: true, body: { name: 'another' } },
    'GET /v1/datasets/{datasetId}/runs': { status: 200, namesProject: true },
    'GET /v1/datasets/{datasetId}/runs/compare': {
      status: 200,
      namesProject: true,
      query: `runs=${datasets.runId},${datasets.runId}`,
    },
    'POST /v1/datasets/{datasetId}/runs/{runId}/items': {
      status: 201,
      namesProject: true,
      body: { items: [{ datasetItemId: datasets.itemId, output: 1 }] },
    },
    'GET /v1/datasets/{datasetId}/runs/{runId}': { status: 200, namesProject: true },
    // Last: they delete what the other calls read.
    'DELETE /v1/projects/{id}/alerts/{alertId}': { status: 204 },
    'DELETE /v1/datasets/{datasetId}/runs/{runId}': { status: 204, namesProject: true },
    'DELETE /v1/datasets/{datasetId}/items/{itemId}': { status: 204, namesProject: true },
    'DELETE /v1/datasets/{datasetId}': { status: 204, namesProject: true },
    'DELETE /v1/prompts/{name}': { status: 204, namesProject: true },
    'POST /v1/projects/{id}/traces/{traceId}/shares': { status: 201, body: { expiresInDays: 1 } },
    'GET /v1/shares/{token}': { status: 200, open: true },
    'DELETE /v1/projects/{id}/shares/{shareId}': { status: 204 },
    'DELETE /v1/projects/{id}/users/{userId}': { status: 202, parameters: { userId: 'user 1' } },
    'DELETE /v1/projects/{id}/traces/{traceId}': { status: 204 },
    'DELETE /v1/projects/{id}/traces': { status: 404, query: 'traceId=t1' },
  };
  for (const method of methodsOfFetch) {
    calls[`${method} /v1/metrics`] = { status: 501, open: true };
    calls[`${method} /v1/logs`] = { status: 501, open: true };
  }
});
afterAll(() => app.close());

async function asOwner<T>(method: string, path: string, body?: object, status = 201): Promise<T> {
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { cookie: app.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(status);
  return (await answer.json()) as T;
}

/** Creates a dataset with an item and a run, and adds their ids to the common parameters. */
async function datasetOfOwner(): Promise<{ itemId: string; runId: string }> {
  const project = `projectId=${app.projectId}`;
  const { id: datasetId } = await asOwner<{ id: string }>('POST', `/v1/datasets?${project}`, { name: 'Questions' });
  const { items } = await asOwner<{ items: Array<{ id: string }> }>('POST', `/v1/datasets/${datasetId}/items?${project}`, {
    input: 1,
  });
  const { id: runId } = await asOwner<{ id: string }>('POST', `/v1/datasets/${datasetId}/runs?${project}`, { name: 'first' });
  const itemId = items[0]?.id ?? '';
  Object.assign(common, { datasetId, itemId, runId });
  return { itemId, runId };
}

/** Creates an owner of another organization with a project and a key. */
async function otherTenant(): Promise<{ cookie: string; key: string }> {
  const json = { 'content-type': 'application/json' };
  const person = { email: 'intruder@example.com', password: 'a password of theirs', name: 'Intruder', role: 'owner' };
  const organization = await asOwner<{ id: string }>('POST', '/v1/organizations', { name: 'Other' });
  const { cookie } = await addMember(app.url, { cookie: app.cookie }, organization.id, person);
  const make = async <T>(path: string): Promise<T> =>
    (await (
      await fetch(`${app.url}${path}`, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify({ name: 'Theirs' }) })
    ).json()) as T;
  const project = await make<{ id: string }>(`/v1/organizations/${organization.id}/projects`);
  const { key } = await make<{ key: string }>(`/v1/projects/${project.id}/api-keys`);
  return { cookie, key };
}

/** The call of an operation: a row of `calls`, or, for a GET of a project or organization, one that needs only its path. */
function callOf(name: string): Call | undefined {
  return calls[name] ?? (/^GET \/v1\/(projects\/\{id\}|organizations\/\{orgId\})\//.test(name) ? { status: 200 } : undefined);
}

type Document = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };

async function operations(): Promise<Array<{ name: string; method: string; path: string; responses: string[] }>> {
  const document = (await (await fetch(`${app.url}/v1/openapi.json`)).json()) as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      responses: Object.keys(responses),
    })),
  );
  return all.filter((operation) => methodsOfFetch.includes(operation.method));
}

/** The number of the newest audit entries, of all organizations. */
async function lastEntry(): Promise<number> {
  const { rows } = await sql<{ entries: number }>`SELECT count(*)::int AS entries FROM audit_entries`.execute(
    app.stores.postgres.db,
  );
  return rows[0]?.entries ?? 0;
}

/** The kinds of the audit entries after so many, the oldest first. */
async function kindsSince(entries: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`SELECT kind FROM audit_entries ORDER BY at, id OFFSET ${entries}`.execute(
    app.stores.postgres.db,
  );
  return rows.map(({ kind }) => kind);
}

function send(call: Call, method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const parameters = { ...common, ...call.parameters };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const url = `${app.url}${filled}?${call.namesProject ? `projectId=${app.projectId}&` : ''}${call.query ?? ''}`;
  const body = typeof call.body === 'object' ? JSON.stringify(call.body) : call.body;
  return fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
}

describe('every route of the OpenAPI document', () => {
  test('is version 1.0.0 in OpenAPI 3.1, valid, and names each operation once', async () => {
    const document = (await (await fetch(`${app.url}/v1/openapi.json`)).json()) as Record<string, unknown>;
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: '1.0.0' } });
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    const ids = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId }) => operationId);
    expect(ids).toContain('getV1ProjectsIdTraces');
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is what the types of the dashboard were generated from', async () => {
    const document = (await (await fetch(`${app.url}/v1/openapi.json`)).json()) as Parameters<typeof clientTypes>[0];
    const generated = await readFile(join(import.meta.dirname, '../../web/src/api/service.ts'), 'utf8');
    expect(await clientTypes(document), 'run `npm run build:client`').toBe(generated);
  });

  test('refers to named schemas instead of repeating them', async () => {
    const text = await (await fetch(`${app.url}/v1/openapi.json`)).text();
    expect(text.length).toBeLessThan(450_000);
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['AlertBody', 'AlertRule', 'AlertPage', 'ErrorBody']));
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`"#/components/schemas/${name}"`);
  });

  test('refuses another tenant with 403 or 404, and missing or wrong credentials with 401, 403 or 404', async () => {
    for (const { name, method, path } of await operations()) {
      const call = callOf(name);
      expect(call, `${name} is not in this test's table: add how it is called`).toBeDefined();
      if (!call || call.open || call.own) continue;
      for (const headers of [{ cookie: intruder.cookie }, { 'x-api-key': intruder.key }, {}, { 'x-api-key': 'spw_nonsense' }]) {
        const answer = await send(call, method, path, headers as Record<string, string>);
        expect([401, 403, 404], `${name} with ${Object.keys(headers).join() || 'nothing'}`).toContain(answer.status);
        const text = await answer.text();
        if (method !== 'HEAD')
          expect(JSON.parse(text), name).toMatchObject({ error: expect.any(String), code: expect.any(String) });
      }
    }
  });

  test('answers with a documented status and a request id, and records whatever removes, weakens or reveals', async () => {
    const isRead = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method);
    for (const { name, method, path, responses } of await operationsInOrder()) {
      const call = callOf(name);
      if (!call) continue;
      const before = isRead(method) ? 0 : await lastEntry();
      const answer = await send(
        call,
        method,
        path,
        call.byKey ? { 'x-api-key': app.apiKey } : call.open ? {} : { cookie: app.cookie },
      );
      expect(answer.status, `${name}: ${await answer.text()}`).toBe(call.status);
      expect(responses, name).toContain(String(call.status));
      expect(answer.headers.get('x-request-id'), name).toMatch(/^[\w.-]+$/);
      if (isRead(method) || call.status === 501) continue;
      const audited = auditOfRoutes[name];
      expect(audited, `${name} is not in audited-routes.ts: say what the audit log tells of it`).toBeDefined();
      if (Array.isArray(audited)) expect([...new Set(await kindsSince(before))], name).toEqual(audited);
    }
  });

  test('records its kinds where the audited routes say, and documents what it does not record', async () => {
    const all = (await operations()).map(({ name }) => name);
    const documented = await readFile(join(import.meta.dirname, '../../docs/semantics/audit-log.md'), 'utf8');
    for (const [name, audited] of Object.entries(auditOfRoutes)) {
      expect(all, `${name} of audited-routes.ts is no operation`).toContain(name);
      if ('not' in audited) expect(documented, name).toMatch(new RegExp(`^\\| ${audited.not} \\| .+ \\|$`, 'm'));
      if (!('provedBy' in audited)) continue;
      const test = await readFile(join(import.meta.dirname, '../..', audited.provedBy), 'utf8');
      for (const kind of audited.kinds) expect(test, `${audited.provedBy} for ${kind}`).toContain(kind);
    }
  });
});

/** The document's operations in the order of `calls`, those without a row first and deletions last. */
async function operationsInOrder() {
  const all = await operations();
  const place = (name: string) => Object.keys(calls).indexOf(name);
  return all.toSorted((left, right) => place(left.name) - place(right.name));
}
