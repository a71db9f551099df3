import { afterAll, expect, test } from 'vitest';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { BodyReader } from './body-reader.ts';
import { checkOtlp } from './check-otlp.ts';
import { readEvents } from './native/read-events.ts';

const reader = new BodyReader();
afterAll(() => reader.close());

const nowMs = Date.UTC(2026, 10, 21, 12);
const times = { nowMs, oldestMs: nowMs - 86_400_000 };
const options = { ...times, bodyKey: 'body', firstSeenMs: nowMs };
/** Many distinct member names, the worst case of JSON.parse. */
const members = `{${Array.from({ length: 60_000 }, (_, index) => `"name${index}":1e999`).join(',')}}`;

const span = (metadata: string) =>
  `{"type":"span","traceId":"t","spanId":"s","name":"n","startTime":"2026-11-21T11:00:00Z","metadata":${metadata}}`;
const otlp = (extra: string) =>
  `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${'1'.repeat(32)}","spanId":"${'1'.repeat(16)}","name":"n","startTimeUnixNano":"${nowMs}000000","unknown":${extra}}]}]}]}`;

test('events that are slow to parse are read in another thread, to the same records', async () => {
  const body = Buffer.from(`${span('{}')}\n${span(members)}\n{"type":"nothing"}`);
  const reading = reader.events('p', body, options);
  expect(await turnsUntil(reading)).toBeGreaterThan(0);
  const read = await reading;
  expect(read).toEqual(readEvents(body, options));
  expect(read).toMatchObject({ accepted: 2, rejected: [{ line: 3 }] });
});

test('an OTLP body in JSON that is slow to parse is checked in another thread', async () => {
  const body = Buffer.from(otlp(members));
  const checking = reader.otlp('p', body, 'json', times);
  expect(await turnsUntil(checking)).toBeGreaterThan(0);
  expect(await checking).toEqual(checkOtlp(body, 'json', times));
  expect(await checking).toMatchObject({ accepted: 1, rejected: 0 });
});

test('a refusal from the thread keeps code, message and details', async () => {
  await expect(reader.otlp('p', Buffer.from(`${otlp(members)}}`), 'json', times)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('it is not JSON'),
  });
  const lines = Buffer.from(`${`${span('{}')}\n`.repeat(101)}${span(members)}`);
  await expect(reader.events('p', lines, options)).rejects.toMatchObject({ code: 'payload_too_large' });
});
