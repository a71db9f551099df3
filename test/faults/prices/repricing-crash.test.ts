import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repricingFailpoints } from '../../../src/platform/failpoint/failpoint.ts';
import { isNightly } from '../../support/runs.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';
import { isKilled, startUntilKilled } from '../killed-service.ts';
import { openSession } from '../session.ts';
import type { Session } from '../session.ts';
import { dayMs } from '../../../src/contract/durations.ts';

/** One repricing that is killed at each point, in its first page and in the second one. */
const inTurn = [['page-noted:1', 'costs-marked:1', 'page-recorded:1', 'costs-derived:1', 'costs-written:1']];
/** `REPRICING_ROUNDS=50 npm run test:faults -- test/faults/prices` kills so many repricings once each; `npm run test:nightly` does ten more. */
const alone = Array.from({ length: Number(process.env['REPRICING_ROUNDS'] ?? (isNightly ? 10 : 0)) }, (_, round) => {
  const { length } = repricingFailpoints;
  return [`${repricingFailpoints[round % length]}:${1 + (Math.trunc(round / length) % 2)}`];
});
const rounds = [...inTurn, ...alone];
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
  { timeout: 60_000 + rounds.flat().length * 60_000 },
  async () => {
    expect(new Set(inTurn.flat().map((point) => point.split(':')[0]))).toEqual(new Set(repricingFailpoints));
    let before = 0;
    for (const [round, [first = '', ...others]] of rounds.entries()) {
      const killed = await startService({ dataDirectory: directory.path, env: { SPANWISE_FAILPOINT: first } });
      if (round === 0) await sendSpans(killed.url, killed.apiKey);
      const session = await openSession(killed);
      const rate = 1 + round;
      await session.project('PUT', `/prices/${encodeURIComponent(model)}`, { inputPerMillion: rate, outputPerMillion: 0 });
      const { body } = (await session.project('POST', '/prices/reprice', range())) ?? {};
      await isKilled(killed.child, first);
      for (const point of others) await startUntilKilled({ dataDirectory: directory.path }, point);

      const service = await startService({ dataDirectory: directory.path });
      const after = await openSession(service);
      const cost = Number(((spans * rate) / 1_000).toPrecision(15));
      expect(await completed(after, body.id)).toMatchObject({
        status: 'completed',
        spans,
        changed: spans,
        costBefore: before,
        costAfter: cost,
      });
      expect(await figures(after)).toEqual({ calls: spans, cost, unpriced: 0 });
      const { entries } = await after.organization(`/audit-log?kind=repricing.ended`);
      expect(entries.filter(({ subject }: Json) => subject === body.id)).toHaveLength(1);
      before = cost;
      expect(await service.stop()).toBe(0);
    }
  },
);
