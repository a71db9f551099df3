import { randomBytes } from 'node:crypto';
import { sealHours } from '../src/features/models/index.ts';
import type { SpanRecord } from '../src/features/ingest/index.ts';
import { startTestApp } from '../test/support/app.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const batch = 20_000;
const models = ['model-a', 'model-b', 'model-c', 'model-d', 'model-e'];

/** The same figures by hand: one statement over the raw table, with FINAL, as an operator would ask for them. */
const byHand = `SELECT count(), sum(cost_usd), countIf(status = 'error'), sum(input_tokens), sum(output_tokens), sum(cached_tokens),
  quantilesExact(0.5, 0.95, 0.99)(dateDiff('millisecond', start_time, end_time)), uniqExact(trace_id), uniqExact(agent_name), uniqExact(operation),
  min(start_time), max(start_time), avg(ttft_ms), groupUniqArray(toDate(start_time)), topK(10)(error_code)
FROM spans FINAL WHERE project_id = {project:UUID} AND kind = 'llm' AND model = {model:String} AND start_time > {from:DateTime}`;

/**
 * The model detail over HTTP against hand-written SQL over the raw table with FINAL, on `spans` calls over 30 days, all brought in
 * through the pipeline.
 */
export async function benchModelDetail(spans: number): Promise<{ detailMs: number; byHandMs: number; ingestPerSecond: number }> {
  const now = Date.now();
  const app = await startTestApp(now);
  try {
    const started = performance.now();
    for (let sent = 0; sent < spans; sent += batch) {
      const records = Array.from({ length: batch }, (_, index) =>
        call(now - Math.floor(Math.random() * 29 * dayMs), sent + index),
      );
      await app.pipeline.accept(
        { projectId: app.projectId, organizationId: app.organizationId },
        { spans: records, scores: [] },
        batch,
      );
      await app.pipeline.drain();
    }
    const ingestPerSecond = spans / ((performance.now() - started) / 1000);
    const later = { now: () => now + hourMs };
    while ((await sealHours({ clickhouse: app.stores.clickhouse, hourStates: app.hourStates.at(later), clock: later })) > 0);
    const path = `/v1/projects/${app.projectId}/models/model-a?range=30d`;
    const parameters = { project: app.projectId, model: 'model-a', from: Math.floor((now - 30 * dayMs) / 1000) };
    const times = { detail: [] as number[], hand: [] as number[] };
    for (let round = 0; round < 15; round++) {
      times.detail.push(await timed(() => app.get(path)));
      times.hand.push(await timed(() => app.stores.clickhouse.systemQuery(byHand, parameters)));
    }
    return { detailMs: median(times.detail), byHandMs: median(times.hand), ingestPerSecond };
  } finally {
    await app.close();
  }
}

function call(startMs: number, index: number): SpanRecord {
  const startNs = BigInt(startMs) * 1_000_000n;
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: '',
    name: 'chat',
    kind: 'llm',
    startNs,
    endNs: startNs + BigInt(Math.floor(Math.exp(6 + Math.random() * 3) * 1e6)),
    status: index % 50 === 0 ? 'error' : 'ok',
    errorCode: index % 50 === 0 ? '429' : '',
    errorMessage: '',
    model: models[index % models.length] ?? '',
    requestModel: '',
    provider: 'openai',
    agentName: `agent-${index % 7}`,
    operation: 'chat',
    sessionId: `session-${index % 1000}`,
    userId: `user-${index % 500}`,
    environment: 'production',
    release: '',
    service: '',
    promptName: '',
    promptVersion: '',
    tags: [],
    inputTokens: 1000 + (index % 500),
    outputTokens: 100,
    cachedTokens: 500,
    cacheWriteTokens: null,
    reasoningTokens: null,
    costUsd: 0.0125,
    costStatus: 'provided',
    timeToFirstTokenMs: 300,
    source: 'otlp',
    scopeName: '',
    input: '"What is the weather?"',
    output: '"Sunny."',
    metadata: '',
    attributes: '',
    extra: '',
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
