import { describe, expect, test } from 'vitest';
import { turnsUntil } from '../../../platform/jobs/turns-until.fixture.ts';
import type { WrittenSpans } from '../../trace-store/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { Candidates } from '../queue/candidates.ts';
import type { TraceFacts } from '../sampling/trace-facts.ts';
import { MetExpressions } from '../sampling/met-expressions.ts';
import { addSpanCandidates, addTraceCandidates } from './find-candidates.ts';

/** Of evaluators without expressions. */
const met = new MetExpressions();

type Span = WrittenSpans['spans'][number];

const span = (overrides: Partial<Span>): Span => ({
  traceId: 't',
  spanId: 's',
  parentSpanId: '',
  kind: 'llm',
  startNs: 0n,
  endNs: 1n,
  model: '',
  agentName: '',
  environment: '',
  tags: [],
  sessionId: '',
  source: 'native',
  origin: 'application',
  ...overrides,
});
const facts = (overrides: Partial<TraceFacts> = {}): TraceFacts => ({
  kinds: ['llm'],
  models: new Set(),
  agents: new Set(),
  environments: new Set(),
  tags: new Set(),
  environment: '',
  hasRoot: true,
  rootFinished: true,
  sessionId: '',
  agentOfSpan: new Map(),
  ...overrides,
});
const evaluator = (id: string, target: Evaluator['target'], filter: Evaluator['filter'] = {}) =>
  ({ id, target, filter }) as Evaluator;
const found = ({ kept }: Candidates) =>
  kept.map((one) => [one.evaluator.id, one.target.type, one.target.traceId, one.target.spanId]);

const spans = Array.from({ length: 1_000 }, (_, at) => span({ traceId: `t${at % 10}`, spanId: `s${at}` }));
const ofSpans = Array.from({ length: 20 }, (_, at) => evaluator(`e${at}`, 'span'));
const sampled = new Map(Array.from({ length: 10 }, (_, at) => [`t${at}`, at === 0 ? [] : ofSpans]));

describe('spans', () => {
  test('are candidates of the evaluators that sample their trace and whose filter they match', async () => {
    const candidates = new Candidates(10);
    const looking = [
      evaluator('all', 'span'),
      evaluator('tagged', 'span', { tags: ['own', 'other'] }),
      evaluator('of-trace', 'span', { tags: ['inherited'], environments: ['production'] }),
      evaluator('elsewhere', 'span', { tags: ['none'] }),
      evaluator('whole', 'trace'),
    ];
    await addSpanCandidates(
      candidates,
      [span({ tags: ['own'] }), span({ endNs: null }), span({ spanId: '' }), span({ traceId: 'unsampled' })],
      {
        facts: new Map([['t', facts({ tags: new Set(['inherited']), environment: 'production' })]]),
        sampled: new Map([['t', looking]]),
        met,
      },
    );
    expect(found(candidates)).toEqual(['all', 'tagged', 'of-trace'].map((id) => [id, 'span', 't', 's']));
  });

  test('beyond the size of the queue are only counted', async () => {
    const candidates = new Candidates(7);
    await addSpanCandidates(candidates, spans, { facts: new Map(), sampled, met });
    expect(found(candidates)).toEqual(ofSpans.slice(0, 7).map(({ id }) => [id, 'span', 't1', 's1']));
    expect(candidates.beyond).toBe(900 * 20 - 7);
  });

  test('in large numbers yield to the event loop', async () => {
    expect(
      await turnsUntil(addSpanCandidates(new Candidates(7), spans, { facts: new Map(), sampled, met })),
    ).toBeGreaterThanOrEqual(8);
  });
});

test('traces are candidates when their root has finished; the search yields to the event loop', async () => {
  const ofTraces = ofSpans.map(({ id }) => evaluator(id, 'trace'));
  const many = new Map(Array.from({ length: 1_000 }, (_, at) => [`t${at}`, facts({ rootFinished: at !== 0 })]));
  const all = new Map([...many.keys()].map((traceId) => [traceId, [...ofTraces, evaluator('span', 'span')]]));
  const candidates = new Candidates(3);
  expect(await turnsUntil(addTraceCandidates(candidates, { facts: many, sampled: all, met }))).toBeGreaterThanOrEqual(9);
  expect(found(candidates)).toEqual(['e0', 'e1', 'e2'].map((id) => [id, 'trace', 't1', '']));
  expect(candidates.beyond).toBe(999 * 20 - 3);
});
