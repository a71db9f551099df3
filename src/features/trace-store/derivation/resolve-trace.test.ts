import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTrace } from './resolve-trace.ts';
import type { TraceNode } from './resolve-trace.ts';

const blank: TraceNode = {
  spanId: '',
  parentSpanId: '',
  kind: 'llm',
  model: 'm',
  agentName: '',
  error: false,
  responseId: '',
  inputTokens: null,
  outputTokens: null,
};

/** A chain of spans, each the child of the one before, named `0`, `1` and so on. */
function chain(...spans: Array<Partial<TraceNode>>): TraceNode[] {
  return spans.map((span, index) => ({ ...blank, spanId: `${index}`, parentSpanId: index === 0 ? '' : `${index - 1}`, ...span }));
}

/** The ids of the spans that are calls. */
function callsOf(nodes: readonly TraceNode[]): string[] {
  const resolved = resolveTrace(nodes);
  return nodes.filter((node) => resolved.get(node)?.repeats === false).map(({ spanId }) => spanId);
}

describe('an outer span of the same kind and model', () => {
  const tokens = { inputTokens: 3 };
  test.each<[string, Array<Partial<TraceNode>>, string[]]>([
    ['repeats a descendant with tokens', [{}, { kind: 'chain' }, tokens], ['1', '2']],
    ['repeats none without tokens', [tokens, {}], ['0', '1']],
    ['that failed repeats a descendant that failed', [{ error: true }, { error: true }], ['1']],
    ['is one call with two instrumentations around it', [{ error: true }, { error: true }, { error: true }], ['2']],
    ['that succeeded does not repeat a failure', [tokens, { error: true }], ['0', '1']],
    ['that failed does not repeat a success without tokens', [{ error: true }, {}], ['0', '1']],
    [
      'with another response id is a call',
      [
        { ...tokens, responseId: 'a' },
        { ...tokens, responseId: 'b' },
      ],
      ['0', '1'],
    ],
    [
      'that failed with another response id is a call',
      [
        { error: true, responseId: 'a' },
        { error: true, responseId: 'b' },
      ],
      ['0', '1'],
    ],
    [
      'with the same response id repeats',
      [
        { ...tokens, responseId: 'a' },
        { ...tokens, responseId: 'a' },
      ],
      ['1'],
    ],
    ['without a response id repeats', [{ ...tokens }, { ...tokens, responseId: 'a' }], ['1']],
    ['repeats one without a response id', [{ ...tokens, responseId: 'a' }, tokens], ['1']],
    ['of another model is a call', [{ ...tokens, model: 'n' }, tokens], ['0', '1']],
  ])('%s', (_, spans, calls) => {
    expect(callsOf(chain(...spans)).toSorted()).toEqual(calls);
  });

  test('that failed does not repeat two attempts twice', () => {
    const [outer, first] = chain({ error: true }, { error: true });
    if (!outer || !first) throw new Error('two spans');
    expect(callsOf([outer, first, { ...first, spanId: '2' }])).toEqual(['1', '2']);
  });
});

/** docs/semantics.md, "Repeated calls", pair by pair. */
function repeatsByDefinition(node: TraceNode, nodes: readonly TraceNode[]): boolean {
  const below = (candidate: TraceNode): boolean =>
    candidate.parentSpanId !== '' &&
    (candidate.parentSpanId === node.spanId || nodes.some((parent) => parent.spanId === candidate.parentSpanId && below(parent)));
  return (
    ['llm', 'embedding'].includes(node.kind) &&
    node.model !== '' &&
    nodes.some(
      (other) =>
        below(other) &&
        other.kind === node.kind &&
        other.model === node.model &&
        (Number(other.inputTokens) > 0 || Number(other.outputTokens) > 0 || (node.error && other.error)) &&
        (node.responseId === '' || other.responseId === '' || node.responseId === other.responseId),
    )
  );
}

test('any tree has the calls of the definition, in any order of its spans', () => {
  const span = fc.record({
    kind: fc.constantFrom('llm' as const, 'llm' as const, 'embedding' as const, 'chain' as const),
    model: fc.constantFrom('m', 'm', 'n', ''),
    error: fc.boolean(),
    responseId: fc.constantFrom('', '', 'a', 'b'),
    inputTokens: fc.constantFrom(null, null, 0, 5),
    outputTokens: fc.constantFrom(null, null, 0, 5),
    parent: fc.nat(),
    place: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const nodes = spans
        .map(({ parent, place, ...fields }, index) => ({
          place,
          node: { ...blank, ...fields, spanId: `s${index}`, parentSpanId: index === 0 ? '' : `s${parent % index}` },
        }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ node }) => node);
      const resolved = resolveTrace(nodes);
      for (const node of nodes) expect(resolved.get(node)?.repeats, node.spanId).toBe(repeatsByDefinition(node, nodes));
    }),
  );
});

test('a chain of 20,000 spans with response ids of their own is resolved', () => {
  const nodes = chain(...Array.from({ length: 20_000 }, (_, index) => ({ inputTokens: 1, responseId: `${index}` })));
  expect(callsOf(nodes)).toHaveLength(20_000);
});

test('a span of any source takes the name of its nearest agent ancestor', () => {
  const nodes = chain(
    { kind: 'agent', agentName: 'outer' },
    { kind: 'agent' },
    { kind: 'tool', agentName: 'its own' },
    { kind: 'llm' },
  );
  const resolved = resolveTrace(nodes);
  expect(nodes.map((node) => resolved.get(node)?.agentName)).toEqual(['outer', 'outer', 'its own', 'outer']);
});

test('a cycle is cut at its span whose id sorts first, and what hangs below it keeps its ancestors, in any order', () => {
  const spans = [
    { ...blank, spanId: 'c', parentSpanId: 'd', kind: 'agent' as const, agentName: 'in the cycle' },
    { ...blank, spanId: 'd', parentSpanId: 'c', kind: 'chain' as const },
    { ...blank, spanId: 'b', parentSpanId: 'd', error: true },
    { ...blank, spanId: 'a', parentSpanId: 'b', error: true },
    { ...blank, spanId: 'e', parentSpanId: 'e' },
    { ...blank, spanId: '0', parentSpanId: 'e' },
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(spans, { minLength: spans.length }), (nodes) => {
      const resolved = resolveTrace(nodes);
      const of = (spanId: string) => resolved.get(nodes.find((node) => node.spanId === spanId) ?? blank);
      const parents = nodes.filter((node) => of(node.spanId)?.parent === of(node.parentSpanId)).map(({ spanId }) => spanId);
      expect(parents.toSorted()).toEqual(['0', 'a', 'b', 'd']);
      expect(of('a')?.agentName).toBe('in the cycle');
      expect(nodes.filter((node) => resolved.get(node)?.repeats).map(({ spanId }) => spanId)).toEqual(['b']);
    }),
  );
});
