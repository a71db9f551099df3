import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from '../../../test/support/test-projects.ts';
import type { ListedTrace } from '../../contract/traces.ts';
import type { SpanRecord } from '../records/index.ts';
import { nowNs, openTracesService } from './traces-service.fixture.ts';
import type { TracesService } from './traces-service.fixture.ts';

let service: TracesService;

beforeAll(async () => {
  service = await openTracesService();
});
afterAll(() => service.close());

/** The error of each listed trace by its id. */
async function errorsOf(project: TestProject): Promise<Record<string, ListedTrace['error']>> {
  const { body } = await service.request(project, '/traces');
  return Object.fromEntries(body.traces.map(({ traceId, error }: ListedTrace) => [traceId, error]));
}

const failed = (spanId: string, startMs: number, errorCode: string, errorMessage = ''): Partial<SpanRecord> => ({
  spanId,
  startNs: nowNs + BigInt(startMs) * 1_000_000n,
  status: 'error',
  errorCode,
  errorMessage,
});

test('the error of a trace follows its spans: later, late, sent again, and deleted', async () => {
  const project = service.project();
  const sent = async (span: Partial<SpanRecord>) => {
    await service.store(project, { spans: [span] });
    return (await errorsOf(project))['t1'];
  };
  expect(await sent({ spanId: 'root' })).toBeNull();
  expect(await sent(failed('b', 2, '500', 'down'))).toEqual({ code: '500', message: 'down' });
  expect(await sent(failed('c', 3, '429'))).toEqual({ code: '429', message: null });
  expect(await sent(failed('a', 1, 'late'))).toEqual({ code: '429', message: null });
  expect(await sent({ spanId: 'c', startNs: nowNs, status: 'ok' })).toEqual({ code: '500', message: 'down' });
  expect(await sent(failed('b', 0, '503'))).toEqual({ code: 'late', message: null });
  await service.request(project, '/traces/t1', { method: 'DELETE', by: 'admin' });
  expect(await errorsOf(project)).toEqual({});
  expect(await sent({ spanId: 'root' })).toBeNull();
});

test('a message is cut after 200 characters', async () => {
  const project = service.project();
  await service.store(project, { spans: [failed('a', 1, '429', '\u{1f525}'.repeat(201))] });
  expect(await errorsOf(project)).toEqual({ t1: { code: '429', message: '\u{1f525}'.repeat(200) } });
});

test('rows of earlier releases, which have no error, and of this one are listed together', async () => {
  const project = service.project();
  const spans = ['old', 'new', 'fine'].flatMap((traceId): Array<Partial<SpanRecord>> => {
    const own = [failed('a', 1, '500', `${traceId} is down`), failed('b', 2, '429', `${traceId} is slow`)];
    return traceId === 'fine' ? [{ traceId }] : own.map((span) => ({ ...span, traceId }));
  });
  await service.store(project, { spans });
  await service.clickhouse.command(
    `ALTER TABLE traces UPDATE error_code = '', error_message = '' WHERE trace_id = 'old' SETTINGS mutations_sync = 2`,
  );
  expect(await errorsOf(project)).toEqual({
    old: { code: '429', message: 'old is slow' },
    new: { code: '429', message: 'new is slow' },
    fine: null,
  });
});
