import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { dayMs } from '../../../contract/durations.ts';
import type { SpanRecord } from '../../records/index.ts';
import type { TestProject } from '../../../../test/support/test-projects.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';

let service: TracesService;
beforeAll(async () => {
  service = await openTracesService();
}, 60_000);
afterAll(() => service.close());

/** Words that are in each other, in several cases and scripts, with letters that fold to others. */
const words = [
  'refund',
  'Refunds',
  'prerefund',
  'REFUND',
  'order',
  'reorder',
  'ordering',
  'a',
  'the',
  'x1y2',
  'call_ab12cd34',
  'ab12',
  'Größe',
  'GRÖSSE',
  'größer',
  'Straße',
  'STRASSE',
  'strasse',
  'ΟΔΟΣ',
  'οδός',
  'İstanbul',
  'istanbul',
  '\u{212a}elvin',
  'kelvin',
  '東京都庁',
  '京都',
  '东京',
  'Привет',
  'ПРИВЕТ',
  'приветствие',
  'naïve',
  '😀smile',
  'ǅungla',
  'ﬁnal',
  'final',
];
const separators = [' ', ' ', ' ', '-', '_', '. ', '"', '\\', '\n', ', ', '', '。', ' “', '%', '😀'];
const phrase = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...separators)), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.flat().join(''));

const span = fc.record({
  traceId: fc.constantFrom('t1', 't2', 't3', 't4'),
  // The empty id is the trace's own record.
  spanId: fc.constantFrom('', 'a', 'b', 'c'),
  hours: fc.constantFrom(0, 0, 1, 30, 24 * 20),
  name: fc.oneof(fc.constant('chat'), phrase),
  errorMessage: fc.oneof(fc.constant(''), phrase),
  errorCode: fc.constantFrom('', 'order_refused', 'Größe'),
  input: phrase.map((text) => JSON.stringify({ text })),
  output: fc.oneof(
    fc.constant(''),
    phrase.map((text) => JSON.stringify(text)),
  ),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ store: fc.array(span, { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom('t1', 't2', 't3') }) },
  { weight: 1, arbitrary: fc.constant({ merge: true }) },
  { weight: 1, arbitrary: fc.constant({ wait: 10 * dayMs }) },
);
/** A phrase, or a part of one. */
const searched = fc
  .tuple(phrase, fc.nat(), fc.nat())
  .map(([text, from, length]) => {
    const letters = Array.from(text);
    const start = from % letters.length;
    return letters.slice(start, start + 1 + (length % 12)).join('');
  })
  .filter((text) => text.trim() !== '');

const modes = { index: [true, true], texts: [false, true], spans: [false, false] } as const;

/** Everything that a text finds, in one way of searching. */
async function foundBy(project: TestProject, text: string, mode: keyof typeof modes): Promise<unknown> {
  [service.search.hasWords, service.search.whole] = modes[mode];
  const filter = encodeURIComponent(JSON.stringify(text));
  const q = encodeURIComponent(text);
  const read = async (path: string) => (await service.request(project, path)).body;
  return {
    spans: idsOf(await read(`/spans?range=90d&filter=${filter}&limit=2`), 'spans'),
    further: idsOf(await read(`/spans?range=90d&sort=startTime&filter=${filter}%20NOT%20name:chat`), 'spans'),
    other: idsOf(await read(`/spans?range=90d&filter=${filter}%20OR%20name:chat`), 'spans'),
    counts: await read(`/span-counts?range=90d&filter=${filter}`),
    facets: await read(`/facets?on=spans&range=90d&field=name&filter=${filter}`),
    traces: idsOf(await read(`/traces?range=90d&filter=${filter}`), 'traces'),
    without: idsOf(await read(`/traces?range=90d&filter=NOT%20${filter}`), 'traces'),
    byQ: idsOf(await read(`/traces?range=90d&q=${q}`), 'traces'),
    byLatency: idsOf(await read(`/traces?range=90d&sort=-latency&filter=${filter}`), 'traces'),
    traceCounts: await read(`/trace-counts?range=90d&filter=${filter}`),
  };
}

function idsOf(body: unknown, list: 'spans' | 'traces'): unknown {
  const rows = (body as Record<string, Array<{ traceId: string; spanId?: string }> | undefined>)[list];
  return rows?.map(({ traceId, spanId }) => [traceId, spanId]) ?? body;
}

test(
  'the index finds what a search of the spans finds, whatever was sent again, deleted, merged or has expired',
  { timeout: 300_000 },
  async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 5 }),
        fc.array(searched, { minLength: 2, maxLength: 3 }),
        async (steps, texts) => {
          const project = service.project('scale');
          service.clock.advance(nowMs - service.clock.now());
          for (const one of steps) {
            if ('store' in one) await service.store(project, { spans: one.store.map(spanOf) });
            else if ('remove' in one) await service.request(project, `/traces/${one.remove}`, { method: 'DELETE', by: 'admin' });
            else if ('merge' in one) await service.clickhouse.command('OPTIMIZE TABLE span_texts FINAL');
            else service.clock.advance(one.wait);
          }
          for (const text of texts) {
            const expected = await foundBy(project, text, 'spans');
            expect(await foundBy(project, text, 'texts')).toEqual(expected);
            expect(await foundBy(project, text, 'index')).toEqual(expected);
            if (((expected as { traces: unknown[] }).traces.length ?? 0) > 0) found++;
          }
        },
      ),
      { numRuns: runs({ usual: 4, nightly: 150 }) },
    );
    // The texts are of the words that the spans have.
    expect(found).toBeGreaterThan(0);
  },
);

function spanOf({ hours, ...fields }: { hours: number } & Partial<SpanRecord>): Partial<SpanRecord> {
  const startNs = BigInt(service.clock.now() - hours * 3_600_000) * 1_000_000n;
  return { ...fields, startNs, endNs: startNs + 1_000_000n, status: fields.errorMessage === '' ? 'ok' : 'error' };
}
