import { describe, expect, test } from 'vitest';
import type { WrittenSpans } from '../../ingest/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { Wants } from '../queue/wants.ts';
import { turnsUntil } from '../../../platform/jobs/turns-until.fixture.ts';
import type { TraceFacts } from './trace-facts.ts';
import { wantSpans, wantTraces } from './wanted.ts';

type Span = WrittenSpans['spans'][number];

const span = (overrides: Partial<Span>): Span => ({
  traceId: 't',
  spanId: 's',
  parentSpanId: '',
  kind: 'llm',
  endNs: 1n,
  model: '',
  agentName: '',
  environment: '',
  tags: [],
  sessionId: '',
  source: 'native',
  ...overrides,
});
const facts = (overrides: Partial<TraceFacts> = {}): TraceFacts => ({
  kinds: ['llm'],
  models: new Set(),
  agents: new Set(),
  environments: new Set(),
  tags: new Set(),
  environment: '',
  rootFinished: true,
  sessionId: '',
  agentOfSpan: new Map(),
  ...overrides,
});
const evaluator = (id: string, target: Evaluator['target'], filter: Evaluator['filter'] = {}) =>
  ({ id, target, filter }) as Evaluator;
const found = ({ kept }: Wants) => kept.map((one) => [one.evaluator.id, one.target.type, one.target.traceId, one.target.spanId]);

const spans = Array.from({ length: 1_000 }, (_, at) => span({ traceId: `t${at % 10}`, spanId: `s${at}` }));
const ofSpans = Array.from({ length: 20 }, (_, at) => evaluator(`e${at}`, 'span'));
const sampled = new Map(Array.from({ length: 10 }, (_, at) => [`t${at}`, at === 0 ? [] : ofSpans]));

describe('spans', () => {
  test('are wanted by the evaluators that look at their trace and whose filter they fit', async () => {
    const wants = new Wants(10);
    const looking = [
      evaluator('all', 'span'),
      evaluator('tagged', 'span', { tags: ['own', 'other'] }),
      evaluator('of-trace', 'span', { tags: ['inherited'], environments: ['production'] }),
      evaluator('elsewhere', 'span', { tags: ['none'] }),
      evaluator('whole', 'trace'),
    ];
    await wantSpans(
      wants,
      [span({ tags: ['own'] }), span({ endNs: null }), span({ spanId: '' }), span({ traceId: 'unsampled' })],
      {
        facts: new Map([['t', facts({ tags: new Set(['inherited']), environment: 'production' })]]),
        sampled: new Map([['t', looking]]),
      },
    );
    expect(found(wants)).toEqual(['all', 'tagged', 'of-trace'].map((id) => [id, 'span', 't', 's']));
  });

  test('beyond what the queue can take are counted alone', async () => {
    const wants = new Wants(7);
    await wantSpans(wants, spans, { facts: new Map(), sampled });
    expect(found(wants)).toEqual(ofSpans.slice(0, 7).map(({ id }) => [id, 'span', 't1', 's1']));
    expect(wants.beyond).toBe(900 * 20 - 7);
  });

  test('that are many let others have their turn', async () => {
    expect(await turnsUntil(wantSpans(new Wants(7), spans, { facts: new Map(), sampled }))).toBeGreaterThanOrEqual(8);
  });
});

test('traces are wanted when their root has finished, and let others have their turn', async () => {
  const ofTraces = ofSpans.map(({ id }) => evaluator(id, 'trace'));
  const many = new Map(Array.from({ length: 1_000 }, (_, at) => [`t${at}`, facts({ rootFinished: at !== 0 })]));
  const all = new Map([...many.keys()].map((traceId) => [traceId, [...ofTraces, evaluator('span', 'span')]]));
  const wants = new Wants(3);
  expect(await turnsUntil(wantTraces(wants, { facts: many, sampled: all }))).toBeGreaterThanOrEqual(9);
  expect(found(wants)).toEqual(['e0', 'e1', 'e2'].map((id) => [id, 'trace', 't1', '']));
  expect(wants.beyond).toBe(999 * 20 - 3);
});
