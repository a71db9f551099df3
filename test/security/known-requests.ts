import { password } from './two-tenants.ts';

/** A valid request of an operation whose schema alone does not lead to one. */
export interface KnownRequest {
  body?: unknown;
  /** The body, where it is not JSON. */
  text?: string;
  contentType?: string;
  query?: Record<string, string>;
}

const span = {
  type: 'span',
  traceId: 'fuzz',
  spanId: 's',
  name: 'n',
  kind: 'llm',
  model: 'm',
  startTime: '2026-11-21T12:00:00.000Z',
  metadata: {},
  tags: ['a'],
};
const otlpSpan = {
  traceId: '0'.repeat(31).concat('1'),
  spanId: '0'.repeat(15).concat('1'),
  name: 'n',
  startTimeUnixNano: '1795262400000000000',
  attributes: [{ key: 'gen_ai.request.model', value: { stringValue: 'm' } }],
};

const policyFile = {
  path: 'a.yaml',
  content: 'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: new}\nspec: {description: d}\n',
};

const guardrailReport = {
  guardrail: 'one',
  stage: 'input',
  at: '2026-11-21T12:00:00.000Z',
  checks: 1,
  flagged: 0,
  redacted: 0,
  blocked: 1,
  failed: 0,
  reportId: 'r',
};

/** Requests by operation. @param parameters ids and names of the tenant's objects */
export function knownRequests(parameters: Readonly<Record<string, string>>): Readonly<Record<string, KnownRequest>> {
  const run = parameters['runId'] ?? '';
  const gated = { body: { baselineBatchRunId: parameters['baselineBatchRunId'] } };
  return {
    'POST /v1/ingest': { body: span, contentType: 'application/x-ndjson' },
    'POST /v1/ingest/outcomes': { body: { outcomes: [{ traceId: 'fuzz', kind: 'k', value: 1, metadata: { a: 1 } }] } },
    'POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_traces', arguments: {} } } },
    'POST /v1/traces': { body: { resourceSpans: [{ scopeSpans: [{ spans: [otlpSpan] }] }] } },
    'POST /v1/me/password': { body: { currentPassword: password, newPassword: 'another password of this test' } },
    'POST /v1/organizations/{orgId}/members': { body: { email: 'new@example.com', name: 'New', role: 'member' } },
    'POST /v1/organizations/{orgId}/invitations': { body: { email: 'another@example.com', role: 'member' } },
    'POST /v1/projects/{id}/model-connections': {
      body: { name: 'New', baseUrl: 'https://example.com/v1', model: 'm', apiKey: 'k' },
    },
    'POST /v1/projects/{id}/evaluators': {
      body: { slug: 'new', type: 'json_schema', config: { schema: { type: 'object' } }, filter: {} },
    },
    'PUT /v1/projects/{id}/model-lifecycle/catalogue/{model}': { body: { retiresOn: '2027-01-31' } },
    'PUT /v1/projects/{id}/prices/{model}': { body: { inputPerMillion: 1, outputPerMillion: 2, from: '2026-11-01' } },
    'POST /v1/projects/{id}/prices/reprice': { body: { from: '2026-11-01', to: '2026-11-21', dryRun: true } },
    'POST /v1/projects/{id}/query': { body: { on: 'calls', measures: [{ measure: 'cost' }], by: ['model'] } },
    'GET /v1/projects/{id}/query': { query: { q: '{"on":"spans","measures":[{"measure":"count"}],"by":["name","trace"]}' } },
    'POST /v1/projects/{id}/filter-suggestions': { body: { on: 'traces', text: 'model:g', cursor: 7 } },
    'GET /v1/projects/{id}/filter-fields': { query: { on: 'traces' } },
    'GET /v1/projects/{id}/facets': { query: { on: 'spans', field: 'name' } },
    'GET /v1/projects/{id}/trace-comparison': { query: { a: parameters['traceId'] ?? '', b: parameters['traceId'] ?? '' } },
    'POST /v1/projects/{id}/views': { body: { name: 'new', on: 'traces', filter: 'model:m' } },
    'PATCH /v1/projects/{id}/views/{viewId}': { body: { name: 'renamed' } },
    'POST /v1/projects/{id}/mapping/preview': { body: { resourceSpans: [{ scopeSpans: [{ spans: [otlpSpan] }] }] } },
    'PATCH /v1/projects/{id}/evaluators/{evaluatorId}': { body: { name: 'Renamed' } },
    'PATCH /v1/projects/{id}/model-connections/{connectionId}': { body: { name: 'Renamed' } },
    'POST /v1/projects/{id}/alerts': { body: { name: 'new', type: 'error-rate', threshold: 0.5 } },
    'POST /v1/projects/{id}/alerts/preview': { body: { name: 'new', type: 'cost', threshold: 10, window: '24h' } },
    'PATCH /v1/projects/{id}/alerts/{alertId}': { body: { name: 'renamed' } },
    'PATCH /v1/projects/{id}/incidents/{incidentId}': { body: { status: 'acknowledged' } },
    'POST /v1/projects/{id}/incidents/{incidentId}/fix-proposals': {
      body: { promptName: parameters['name'], connection: parameters['connectionName'] },
    },
    'POST /v1/projects/{id}/evidence-packs': {
      body: { framework: 'soc2', from: '2026-11-01T00:00:00.000Z', to: '2026-11-21T12:00:00.000Z' },
    },
    'POST /v1/projects/{id}/evidence-packs/verify': { body: { sha256: '', signature: '', publicKey: '' } },
    'POST /v1/projects/{id}/environments': { body: { name: 'new', description: 'd' } },
    'PATCH /v1/projects/{id}/environments/{environmentId}': { body: { description: 'changed' } },
    'POST /v1/guardrails/check': { body: { text: 'Hello' } },
    'POST /v1/guardrails/report': { body: { reports: [guardrailReport] } },
    'POST /v1/projects/{id}/guardrails': { body: { slug: 'new', type: 'regex', config: { patterns: [{ pattern: 'a' }] } } },
    'PATCH /v1/projects/{id}/guardrails/{guardrailId}': { body: { name: 'Renamed', config: { patterns: [{ pattern: 'b' }] } } },
    'POST /v1/projects/{id}/policies/validate': { body: { files: [policyFile] } },
    'POST /v1/projects/{id}/policies/plan': { body: { files: [policyFile], replay: { hours: 24 } } },
    'POST /v1/projects/{id}/policies/apply': { body: { planId: 'unknown', files: [] } },
    'POST /v1/projects/{id}/selections': { body: { on: 'traces', filter: '', action: { type: 'export', format: 'jsonl' } } },
    'POST /v1/projects/{id}/simulations/scenarios': {
      body: { name: 'New', datasetId: parameters['datasetId'], target: { type: 'http', url: 'https://93.184.215.14/' } },
    },
    'PATCH /v1/projects/{id}/simulations/scenarios/{scenarioId}': { body: { description: 'changed' } },
    'POST /v1/projects/{id}/simulations/try': {
      body: {
        target: { type: 'prompt', promptName: 'missing', connection: 'missing' },
        scenarioId: parameters['scenarioId'],
        datasetItemId: parameters['itemId'],
      },
    },
    'POST /v1/projects/{id}/simulations/batch-runs': { body: { scenarioId: parameters['scenarioId'] } },
    'POST /v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate': gated,
    'POST /projects/{id}/simulations/batch-runs/{batchRunId}/gate': gated,
    'POST /v1/datasets/{datasetId}/items': { body: { input: 1, metadata: { a: 1 } } },
    'POST /v1/projects/{id}/scores': { body: { traceId: parameters['traceId'], evaluator: 'human', score: 1 } },
    'PATCH /v1/projects/{id}/scores/{scoreId}': { body: { score: 0.5 } },
    'POST /v1/projects/{id}/comments': { body: { traceId: parameters['traceId'], body: 'text' } },
    'GET /v1/projects/{id}/comments': { query: { traceId: parameters['traceId'] ?? '' } },
    'PATCH /v1/projects/{id}/comments/{commentId}': { body: { resolved: true } },
    'PATCH /v1/prompts/{name}/labels': { body: { version: 1, labels: ['a'] } },
    'POST /v1/datasets/{datasetId}/import': { text: 'input,metadata\n1,{}\n', contentType: 'text/csv' },
    'GET /v1/datasets/{datasetId}/runs/compare': { query: { runs: `${run},${run}` } },
    'POST /v1/datasets/{datasetId}/runs/{runId}/items': { body: { items: [{ datasetItemId: parameters['itemId'], output: 1 }] } },
    // Not the tenant's own: an allowed caller deletes it.
    'DELETE /v1/projects/{id}/traces': { query: { traceId: 'fuzz' } },
    'GET /v1/projects/{id}/traces/{traceId}/spans': { query: { spanId: parameters['spanId'] ?? '' } },
    'GET /v1/projects/{id}/blast-radius': { query: { node: `model:${parameters['model'] ?? ''}` } },
    'GET /v1/prompts': { query: { name: parameters['name'] ?? '' } },
  };
}
