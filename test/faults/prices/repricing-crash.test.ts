import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repricingFailpoints } from '../../../src/platform/failpoint/failpoint.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';
import { dayMs } from '../../../src/contract/durations.ts';

/** `REPRICING_ROUNDS=50 npm run test:faults -- test/faults/prices` runs more. */
const rounds = Number(process.env['REPRICING_ROUNDS'] ?? repricingFailpoints.length);
/** More than a page has. */
const spans = 1_100;
const model = 'ours/model';

type Json = ReturnType<typeof JSON.parse>;

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
});
afterAll(() => directory.remove());

const range = () => ({ from: new Date(Date.now() - 2 * dayMs).toISOString(), to: new Date().toISOString() });

async function sendSpans(url: string, apiKey: string): Promise<void> {
  const startTime = new Date(Date.now() - dayMs).toISOString();
  for (let sent = 0; sent < spans; sent += 100) {
    const events = Array.from({ length: 100 }, (_, index) => {
      const traceId = `t${Math.trunc((sent + index) / 7)}`;
      return {
        type: 'span',
        traceId,
        spanId: `s${sent + index}`,
        name: 'chat',
        kind: 'llm',
        model,
        startTime,
        usage: { inputTokens: 1_000 },
      };
    });
    const answer = await fetch(`${url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson' },
      body: events.map((event) => JSON.stringify(event)).join('\n'),
    });
    expect(answer.status).toBe(202);
  }
}

async function figures({ project }: Session): Promise<Json> {
  const { models } = (await project('GET', '/models?range=7d'))?.body ?? {};
  const { total_calls: calls, total_cost: cost, unpriced_calls: unpriced } = models?.[0] ?? {};
  return { calls, cost, unpriced };
}

async function completed({ project }: Session, id: string): Promise<Json> {
  for (let tried = 0; tried < 600; tried += 1) {
    const { body } = (await project('GET', `/prices/reprice/${id}`)) ?? {};
    if (body?.status === 'completed' || body?.status === 'failed') return body;
    await delay(100);
  }
  throw new Error('the repricing did not end');
}

test(
  'a repricing that is killed anywhere continues, and counts each span once',
  { timeout: 60_000 + rounds * 60_000 },
  async () => {
    let before = 0;
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      const point = repricingFailpoints[round % repricingFailpoints.length];
      const hit = 1 + (Math.trunc(round / repricingFailpoints.length) % 2);
      const killed = await startService({ dataDirectory: directory.path, env: { SPANWISE_FAILPOINT: `${point}:${hit}` } });
      const ended = new Promise<void>((resolve) => killed.child.once('exit', () => resolve()));
      if (round === 0) await sendSpans(killed.url, killed.apiKey);
      const first = await openSession(killed);
      const rate = 1 + round;
      await first.project('PUT', `/prices/${encodeURIComponent(model)}`, { inputPerMillion: rate, outputPerMillion: 0 });
      const { body } = (await first.project('POST', '/prices/reprice', range())) ?? {};
      await ended;
      expect(killed.child.signalCode).toBe('SIGKILL');
      kills += 1;

      const service = await startService({ dataDirectory: directory.path });
      const session = await openSession(service);
      const after = Number(((spans * rate) / 1_000).toPrecision(15));
      expect(await completed(session, body.id)).toMatchObject({
        status: 'completed',
        spans,
        changed: spans,
        costBefore: before,
        costAfter: after,
      });
      expect(await figures(session)).toEqual({ calls: spans, cost: after, unpriced: 0 });
      const { entries } = await session.organization(`/audit-log?kind=repricing.ended`);
      expect(entries.filter(({ subject }: Json) => subject === body.id)).toHaveLength(1);
      before = after;
      expect(await service.stop()).toBe(0);
    }
    expect(kills).toBe(rounds);
  },
);
