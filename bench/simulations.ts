import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import type { Service } from '../test/support/service.ts';
import type { Figure } from './figure.ts';
import { residentMegabytes, startProgram } from './processes.ts';

const concurrency = 32;
const itemsOfRequest = 1_000;

/**
 * Batch runs against a target that answers at once, beside a loop of bare requests to it with the same bodies and as many at a time. Memory is that of the
 * service while it executes the runs.
 */
export async function benchSimulations({ rounds, items }: { rounds: number; items: number }): Promise<Figure[]> {
  const target = await startProgram(join(import.meta.dirname, 'bare-fastify.mjs'));
  const directory = await temporaryDataDirectory();
  const program = [join(import.meta.dirname, '../test/support/service-with-targets.ts'), String(target.port)] as const;
  const service = await startService({ dataDirectory: directory.path, program });
  try {
    const scenarioId = await scenarioOf(service, items);
    const figures = { ratios: [] as number[], perSecond: [] as number[], growth: [] as number[] };
    await batchRun(service, scenarioId);
    for (let round = 0; round < rounds; round++) {
      const bare = await bareLoop(target.port, items);
      const { perSecond, growthMb } = await batchRun(service, scenarioId);
      figures.ratios.push(perSecond / bare);
      figures.perSecond.push(perSecond);
      figures.growth.push(growthMb);
    }
    return [
      {
        title: `items of a batch run, ${concurrency} at a time ÷ bare undici loop`,
        values: figures.ratios,
        unit: '',
        wanted: { least: 0.5 },
      },
      { title: '– items', values: figures.perSecond, unit: 'a second' },
      { title: '– growth of resident memory over a run', values: figures.growth, unit: 'MB', wanted: { most: 100 } },
    ];
  } finally {
    target.child.disconnect();
    await service.stop('SIGKILL');
    await directory.remove();
  }
}

const inputOf = (index: number) => `Question ${index}: what does the plan include, and how do I change it?`;

/** Requests a second. */
async function bareLoop(port: number, items: number): Promise<number> {
  const dispatcher = new Agent({ connections: concurrency });
  const started = performance.now();
  let next = 0;
  const work = async () => {
    while (next < items) {
      const body = JSON.stringify({ input: inputOf(next++) });
      const answer = await request(`http://127.0.0.1:${port}/`, {
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.json();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const perSecond = (items / (performance.now() - started)) * 1000;
  await dispatcher.close();
  return perSecond;
}

async function scenarioOf(service: Service, items: number): Promise<string> {
  const { id: datasetId } = await send(service, 'POST', '/v1/datasets', { name: 'Bench' });
  for (let at = 0; at < items; at += itemsOfRequest) {
    const part = Array.from({ length: Math.min(itemsOfRequest, items - at) }, (_, index) => ({ input: inputOf(at + index) }));
    await send(service, 'POST', `/v1/datasets/${datasetId}/items`, { items: part });
  }
  const target = { type: 'http', url: 'http://target-0.example/', outputPath: '/input' };
  const { id } = await send(service, 'POST', `${await simulationsOf(service)}/scenarios`, { name: 'Bench', datasetId, target });
  return id;
}

/** Items a second, from the first to the last, and how far the resident memory grew above that before. */
async function batchRun(service: Service, scenarioId: string): Promise<{ perSecond: number; growthMb: number }> {
  const path = `${await simulationsOf(service)}/batch-runs`;
  const before = residentMegabytes(service.child.pid);
  let most = before;
  const { batchRun: started } = await send(service, 'POST', path, { scenarioId, concurrency });
  for (;;) {
    await delay(500);
    most = Math.max(most, residentMegabytes(service.child.pid));
    const { batchRun: run } = await send(service, 'GET', `${path}/${started.id}`);
    if (run.status === 'queued' || run.status === 'running') continue;
    if (run.counts.passed !== run.counts.total) throw new Error(`the run ended with ${JSON.stringify(run)}`);
    const ms = Date.parse(run.completedAt) - Date.parse(run.startedAt);
    return { perSecond: (run.counts.total / ms) * 1000, growthMb: most - before };
  }
}

async function simulationsOf(service: Service): Promise<string> {
  const { projectId } = await send(service, 'GET', '/v1/sdk/whoami');
  return `/v1/projects/${projectId}/simulations`;
}

async function send(service: Service, method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
