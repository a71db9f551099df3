import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKey, openIngestService } from './ingest-service.fixture.ts';
import type { IngestService } from './ingest-service.fixture.ts';
import { defaultLimits, ingestLimits } from './ingest-limits.ts';

let service: IngestService;
beforeAll(async () => {
  service = await openIngestService('scale', undefined, ingestLimits({ maxRequestMiB: 3, ingestRate: 600 }));
});
afterAll(() => service.close());

const mebibytes = (count: number) => 'x'.repeat(count * 1_048_576);
const span = (input: string) =>
  JSON.stringify({
    type: 'span',
    traceId: 't',
    spanId: 's',
    name: 'n',
    startTime: new Date(service.clock.now()).toISOString(),
    input,
  });

async function send(body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    body,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/x-ndjson', ...headers },
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { error: string },
    retryAfter: answer.headers.get('retry-after'),
  };
}

test('the published limits are the default, and the operator raises both sizes with one setting', () => {
  expect(defaultLimits).toEqual({ wireBytes: 1_048_576, inflatedBytes: 16_777_216, rate: { capacity: 300, refillPerSecond: 5 } });
  expect(ingestLimits({ maxRequestMiB: 64, ingestRate: 100_000 }).inflatedBytes).toBe(256 * 1_048_576);
});

test('a larger request is taken up to the limit, whose setting the refusal names', async () => {
  expect((await send(span(mebibytes(2)))).status).toBe(202);
  const sent = await send(mebibytes(4));
  expect([sent.status, sent.body.error]).toEqual([413, expect.stringMatching(/more than 3 MiB.*SPANWISE_MAX_REQUEST_MIB/)]);
  const inflated = await send(gzipSync(mebibytes(49)), { 'content-encoding': 'gzip' });
  expect([inflated.status, inflated.body.error]).toEqual([
    413,
    expect.stringMatching(/more than 48 MiB.*SPANWISE_MAX_REQUEST_MIB/),
  ]);
});

test('the bucket of a key has the requests of a minute', async () => {
  service.clock.advance(60_000);
  const answers = await Promise.all(Array.from({ length: 601 }, () => send('')));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(600);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused).toMatchObject({ retryAfter: '1', body: { error: expect.stringContaining('SPANWISE_INGEST_RATE') as string } });
});
