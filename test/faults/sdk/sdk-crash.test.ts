import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Spanwise } from '../../../packages/sdk/src/index.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';

const kills = 3;
const tracesOfRound = 40;
const spansOfTrace = 10;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let service: Service;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  service = await startService({ dataDirectory: directory.path });
});
afterAll(async () => {
  await service.stop();
  await directory.remove();
});

async function read(path: string): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': service.apiKey } });
  expect(answer.status, path).toBe(200);
  return answer.json();
}

test('every event of the SDK is stored once while the service is killed and started again', { timeout: 120_000 }, async () => {
  const { url, apiKey } = service;
  const spanwise = new Spanwise({ apiKey, baseUrl: url, flushMs: 50 });
  const traces = new Map<string, Set<string>>();
  const sendRound = async () => {
    for (let count = 0; count < tracesOfRound; count += 1) {
      spanwise.trace({ name: 'answer' }, (trace) => {
        const ids = new Set([trace.spanId]);
        for (let span = 0; span < spansOfTrace; span += 1) spanwise.span({ name: 'step' }, ({ spanId }) => ids.add(spanId));
        traces.set(trace.traceId, ids);
      });
      await wait(5);
    }
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const sending = sendRound();
    // Somewhere within the round: with a request under way, or between two.
    await wait(40 + 60 * kill);
    await service.stop('SIGKILL');
    await sending;
    service = await startService({ dataDirectory: directory.path, env: { SPANWISE_PORT: new URL(url).port } });
  }
  await sendRound();
  await spanwise.shutdown({ timeoutMs: 60_000 });

  const { sent, accepted, rejected, dropped, queued } = spanwise.delivery();
  // The record of each trace, its root span and the spans below.
  const events = traces.size * (2 + spansOfTrace);
  expect({ sent, accepted, rejected, dropped, queued }).toEqual({
    sent: events,
    accepted: events,
    rejected: [],
    dropped: { queue_full: 0, too_old: 0, refused: 0 },
    queued: 0,
  });
  const { projectId } = await read('/v1/sdk/whoami');
  await vi.waitFor(async () => expect((await read(`/v1/projects/${projectId}/ingest-health`)).pendingEvents).toBe(0), 30_000);
  for (const [traceId, ids] of traces) {
    const { spans } = await read(`/v1/projects/${projectId}/traces/${traceId}`);
    const found: string[] = spans.map(({ spanId }: { spanId: string }) => spanId);
    expect(found.toSorted()).toEqual([...ids].toSorted());
  }
});
