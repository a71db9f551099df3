import type { TestApp } from '../support/app.ts';

/** Sends a request as one caller; throws when it is refused. */
export type Send = <T = Record<string, string>>(method: string, path: string, body?: unknown) => Promise<T>;

export const startMs = Date.UTC(2026, 10, 21, 13);

interface Place {
  marker: string;
  secretMarker: string;
  projectId: string;
  /** Of a user of Spanwise; a path of either names it. */
  userId: string;
}

/** Creates an object of every kind in a project, with the marker in each of its texts. */
export async function resourcesOf(app: TestApp, asOwner: Send, byKey: Send, { marker, secretMarker, projectId, userId }: Place) {
  const text = `text ${marker}`;
  const ofProject = `/v1/projects/${projectId}`;
  const connection = await asOwner('POST', `${ofProject}/model-connections`, {
    name: text,
    baseUrl: `https://${marker}.example.com/v1`,
    apiKey: `sk-${secretMarker}`,
    model: text,
  });
  const evaluator = await asOwner('POST', `${ofProject}/evaluators`, {
    slug: `slug-${marker}`,
    name: text,
    type: 'contains',
    config: { value: text },
    target: 'span',
  });
  const traceId = `trace-${marker}`;
  await ingest(app, byKey, eventsOf(marker, traceId, userId));
  await byKey('POST', '/v1/ingest/outcomes', { traceId, kind: `kind-${marker}`, metadata: { text: `text ${marker}` } });
  const scored = await asOwner('POST', `${ofProject}/scores`, {
    traceId,
    evaluator: `human-${marker}`,
    score: 0.5,
    comment: text,
    label: text,
  });
  await app.pipeline.drain();
  const { user } = await asOwner<{ user: { email: string } }>('GET', '/v1/auth/session');
  const { comment } = await asOwner<{ comment: { id: string } }>('POST', `${ofProject}/comments`, {
    traceId,
    spanId: `one-${marker}`,
    body: `${text} @${user.email}`,
    anchor: { field: 'input', path: text },
  });
  const share = await asOwner('POST', `${ofProject}/traces/${traceId}/shares`);
  const name = `prompt/${marker}`;
  await byKey('POST', '/v1/prompts', {
    name,
    prompt: text,
    config: { [marker]: text },
    labels: [`label ${marker}`],
    tags: [`tag ${marker}`],
    folder: `folder/${marker}`,
    commitMessage: text,
  });
  const dataset = await byKey('POST', '/v1/datasets', { name: text, description: text, metadata: { [marker]: text } });
  const ofDataset = `/v1/datasets/${dataset['id']}`;
  const { items } = await byKey<{ items: Array<{ id: string }> }>('POST', `${ofDataset}/items`, {
    input: text,
    expectedOutput: text,
    metadata: { [marker]: text },
  });
  const itemId = items[0]?.id ?? '';
  const run = await byKey('POST', `${ofDataset}/runs`, { name: text, metadata: { [marker]: text } });
  await byKey('POST', `${ofDataset}/runs/${run['id']}/items`, { items: [{ datasetItemId: itemId, traceId, output: text }] });
  const policies = await policiesOf(asOwner, byKey, ofProject, marker);
  const simulations = await simulationsOf(app, byKey, ofProject, { marker, secretMarker });
  await app.pipeline.drain();
  const change = await asOwner('POST', `${ofProject}/changes`, {
    kind: 'deploy',
    service: text,
    version: text,
    actor: text,
    description: text,
    metadata: { [marker]: text },
  });
  const ofLifecycle = `${ofProject}/model-lifecycle`;
  const retirement = { retiresOn: new Date(startMs + 86_400_000).toISOString().slice(0, 10), replacement: text, source: text };
  await asOwner('PUT', `${ofLifecycle}/catalogue/${encodeURIComponent(`model/${marker}`)}`, retirement);
  await asOwner('POST', `${ofLifecycle}/scan`);
  const { findings } = await asOwner<{ findings: Array<{ id: string }> }>('GET', `${ofLifecycle}/findings`);
  const ofPrices = `${ofProject}/prices`;
  await asOwner('PUT', `${ofPrices}/${encodeURIComponent(`model/${marker}`)}`, { inputPerMillion: 1, outputPerMillion: 2 });
  const period = { from: new Date(startMs - 86_400_000).toISOString(), to: new Date(startMs).toISOString() };
  const repricing = await asOwner('POST', `${ofPrices}/reprice`, { ...period, models: [`model/${marker}`] });
  // A project has one at a time.
  await app.features.prices.runPending();
  const view = await asOwner('POST', `${ofProject}/views`, {
    name: text,
    on: 'traces',
    filter: JSON.stringify(text),
    columns: [text],
    visibility: 'project',
  });
  const operations = await operationsOf(app, asOwner, ofProject, { marker, promptName: name, connectionName: text });
  const { job } = await byKey<{ job: { id: string } }>('POST', `${ofProject}/selections`, {
    on: 'traces',
    filter: '',
    action: { type: 'export', format: 'jsonl', payloads: true },
  });
  await app.features.jobs.runPending();
  const pack = await asOwner('POST', `${ofProject}/evidence-packs`, { framework: 'soc2', ...period });
  return {
    ...policies,
    ...simulations,
    ...operations,
    jobId: job.id,
    viewId: view['id'] ?? '',
    packId: pack['id'] ?? '',
    repricingId: repricing['id'] ?? '',
    findingId: findings[0]?.id ?? '',
    changeId: change['id'] ?? '',
    connectionId: connection['id'] ?? '',
    evaluatorId: evaluator['id'] ?? '',
    traceId,
    scoreId: scored['scoreId'] ?? '',
    commentId: comment.id,
    shareId: share['id'] ?? '',
    spanId: `one-${marker}`,
    sessionId: `session-${marker}`,
    model: `model/${marker}`,
    name,
    label: `label ${marker}`,
    datasetId: dataset['id'] ?? '',
    itemId,
    runId: run['id'] ?? '',
  };
}

/** An alert rule with an incident, a delivery and a fix proposal. Nothing listens where the webhook is. */
async function operationsOf(
  app: TestApp,
  asOwner: Send,
  ofProject: string,
  { marker, promptName, connectionName: connection }: { marker: string; promptName: string; connectionName: string },
) {
  // Lack of data makes it fire.
  const alert = await asOwner('POST', `${ofProject}/alerts`, {
    type: 'cost',
    threshold: 1,
    name: `text ${marker}`,
    filter: { models: [`none-${marker}`] },
    noData: 'fire',
    channels: [{ type: 'webhook', url: `http://127.0.0.1:1/${marker}` }],
  });
  for (const job of app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
  const { incidents } = await asOwner<{ incidents: Array<{ id: string }> }>('GET', `${ofProject}/incidents`);
  const incidentId = incidents[0]?.id ?? '';
  const { deliveries } = await asOwner<{ deliveries: Array<{ id: string }> }>(
    'GET',
    `${ofProject}/alerts/${alert['id']}/deliveries`,
  );
  const proposal = await asOwner('POST', `${ofProject}/incidents/${incidentId}/fix-proposals`, { promptName, connection });
  return { alertId: alert['id'] ?? '', incidentId, deliveryId: deliveries[0]?.id ?? '', proposalId: proposal['id'] ?? '' };
}

/** A scenario with two batch runs, of which one was cancelled. */
async function simulationsOf(
  app: TestApp,
  byKey: Send,
  ofProject: string,
  { marker, secretMarker }: { marker: string; secretMarker: string },
) {
  const text = `text ${marker}`;
  // Of its own: a dataset that a scenario uses cannot be deleted.
  const { id: datasetId = '' } = await byKey('POST', '/v1/datasets', { name: `${text} simulated` });
  await byKey('POST', `/v1/datasets/${datasetId}/items`, { input: text });
  const scenario = await byKey('POST', `${ofProject}/simulations/scenarios`, {
    name: text,
    description: text,
    datasetId,
    target: { type: 'http', url: `https://${marker}.example.com/`, headers: { 'x-api-key': secretMarker, 'x-text': text } },
  });
  const start = async () => {
    const { batchRun } = await byKey<{ batchRun: { id: string } }>('POST', `${ofProject}/simulations/batch-runs`, {
      scenarioId: scenario['id'],
      label: text,
    });
    return batchRun.id;
  };
  const [batchRunId, baselineBatchRunId] = [await start(), await start()];
  await byKey('POST', `${ofProject}/simulations/batch-runs/${baselineBatchRunId}/cancel`);
  // As if the target had answered.
  const { db } = app.features.simulations.context;
  const answered = { answered: true, output: JSON.stringify(text) };
  await db.updateTable('simulation_items').set(answered).where('batch_run_id', '=', batchRunId).execute();
  return { scenarioId: scenario['id'] ?? '', batchRunId, baselineBatchRunId };
}

async function policiesOf(asOwner: Send, byKey: Send, ofProject: string, marker: string) {
  const text = `text ${marker}`;
  const environment = await asOwner('POST', `${ofProject}/environments`, { name: `env-${marker}`, description: text });
  const guardrail = await asOwner('POST', `${ofProject}/guardrails`, {
    slug: `guard-${marker}`,
    name: text,
    type: 'regex',
    config: { patterns: [{ pattern: text, label: text }] },
    environments: [`env-${marker}`],
  });
  const everywhere = { slug: `all-${marker}`, name: text, type: 'blocklist', config: { terms: [text] } };
  await asOwner('POST', `${ofProject}/guardrails`, everywhere);
  const counts = { checks: 1, flagged: 0, redacted: 0, blocked: 1, failed: 0 };
  const report = { guardrail: everywhere.slug, stage: 'input', at: new Date(startMs).toISOString(), ...counts, reportId: marker };
  await byKey('POST', '/v1/guardrails/report', { reports: [report] });
  const content = JSON.stringify({ apiVersion: 'spanwise/v1', kind: 'Environment', metadata: { name: `code-${marker}` } });
  const files = [{ path: `${marker}.yaml`, content }];
  const { planId } = await asOwner('POST', `${ofProject}/policies/plan`, { files });
  await asOwner('POST', `${ofProject}/policies/apply`, { planId, files });
  const { policies } = await asOwner<{ policies: Array<{ id: string; managedBy: string }> }>('GET', `${ofProject}/policies`);
  return {
    environmentId: environment['id'] ?? '',
    guardrailId: guardrail['id'] ?? '',
    policyId: policies.find(({ managedBy }) => managedBy === 'code')?.id ?? '',
  };
}

function eventsOf(marker: string, traceId: string, userId: string): object[] {
  const text = `text ${marker}`;
  const span = {
    type: 'span',
    traceId,
    name: text,
    kind: 'llm',
    model: `model/${marker}`,
    provider: `provider ${marker}`,
    agentName: `agent ${marker}`,
    operation: `operation ${marker}`,
    startTime: new Date(startMs - 60_000).toISOString(),
    endTime: new Date(startMs - 59_000).toISOString(),
    input: text,
    output: text,
    usage: { inputTokens: 10, outputTokens: 5 },
    costUsd: 0.5,
    sessionId: `session-${marker}`,
    userId,
    environment: `environment ${marker}`,
    release: `release ${marker}`,
    tags: [`tag ${marker}`],
    promptName: `prompt/${marker}`,
    promptVersion: 1,
    metadata: { [marker]: text },
    attributes: { [marker]: text },
  };
  return [
    { type: 'trace', traceId, name: text, input: text, output: text, metadata: { [marker]: text } },
    { type: 'trace', traceId: `user-of-${marker}`, name: text, userId: `user ${marker}` },
    { ...span, spanId: `one-${marker}` },
    { ...span, spanId: 'two', parentSpanId: `one-${marker}`, status: 'error', errorCode: `code ${marker}`, errorMessage: text },
    {
      type: 'score',
      traceId,
      spanId: `one-${marker}`,
      evaluator: `judge-${marker}`,
      score: 1,
      label: text,
      comment: text,
      passed: true,
    },
  ];
}

async function ingest(app: TestApp, byKey: Send, events: readonly object[]): Promise<void> {
  for (const event of events) await byKey('POST', '/v1/ingest', event);
  await app.pipeline.drain();
}
