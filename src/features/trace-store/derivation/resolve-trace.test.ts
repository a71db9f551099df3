import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTrace } from './resolve-trace.ts';
import { blankNode } from './trace-node.ts';
import type { TraceNode } from './trace-node.ts';

const blank: TraceNode = { ...blankNode, kind: 'llm', model: 'm', endNs: 1n };

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
    ['with tokens contains the one without', [tokens, {}], ['0']],
    ['with a response id contains the one without', [{ responseId: 'a' }, {}], ['0']],
    ['repeats the inner one of two without tokens', [{}, {}, {}], ['2']],
    ['that failed repeats a descendant that failed', [{ error: true }, { error: true }], ['1']],
    ['is one call with two instrumentations around it', [{ error: true }, { error: true }, { error: true }], ['2']],
    ['that succeeded does not repeat a failure', [tokens, { error: true }], ['0', '1']],
    ['that failed without tokens repeats a success', [{ error: true }, {}], ['1']],
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
    ['of another model is a call', [{ inputTokens: 4, model: 'n' }, tokens], ['0', '1']],
    ['of another model with the same tokens repeats', [{ ...tokens, model: 'n' }, tokens], ['1']],
    [
      'of an alias repeats one that was requested by it',
      [
        { ...tokens, model: 'openai/gpt-4o' },
        { inputTokens: 4, model: 'gpt-4o-2024-08-06', requestModel: 'gpt-4o' },
      ],
      ['1'],
    ],
    [
      'of a region repeats the model',
      [{ model: 'us.anthropic.claude-x-v1:0' }, { ...tokens, model: 'anthropic.claude-x-v1:0' }],
      ['1'],
    ],
    [
      'of an ARN repeats the model',
      [
        { model: 'arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-x' },
        { ...tokens, model: 'anthropic.claude-x' },
      ],
      ['1'],
    ],
  ])('%s', (_, spans, calls) => {
    expect(callsOf(chain(...spans)).toSorted()).toEqual(calls);
  });

  test('that failed does not repeat two attempts twice', () => {
    const [outer, first] = chain({ error: true }, { error: true });
    if (!outer || !first) throw new Error('two spans');
    expect(callsOf([outer, first, { ...first, spanId: '2' }])).toEqual(['1', '2']);
  });
});

/** docs/semantics.md, "Repeated calls", pair by pair, for spans of which none names a response. */
function repeatsByDefinition(node: TraceNode, nodes: readonly TraceNode[]): boolean {
  const above = (one: TraceNode): TraceNode[] => {
    const parent = nodes.find(({ spanId }) => spanId === one.parentSpanId);
    return parent ? [parent, ...above(parent)] : [];
  };
  const isCall = ({ kind, model }: TraceNode) => ['llm', 'embedding'].includes(kind) && model !== '';
  const sum = ({ inputTokens, outputTokens }: TraceNode) => Number(inputTokens) + Number(outputTokens);
  const names = (one: TraceNode) => [one.model, one.requestModel].filter((name) => name !== '');
  const isBare = (one: TraceNode) => sum(one) === 0 && one.responseId === '';
  const sameNames = (left: TraceNode, right: TraceNode) => names(left).some((name) => names(right).includes(name));
  const sameTokens = (left: TraceNode, right: TraceNode) =>
    sum(left) > 0 &&
    Number(left.inputTokens) === Number(right.inputTokens) &&
    Number(left.outputTokens) === Number(right.outputTokens);
  const pairs = nodes.flatMap((inner) => above(inner).map((outer) => ({ outer, inner })));
  return pairs.some(({ outer, inner }) => {
    if (!isCall(outer) || !isCall(inner) || outer.kind !== inner.kind) return false;
    if (outer.responseId !== '' && inner.responseId !== '' && outer.responseId !== inner.responseId) return false;
    const named = sameNames(outer, inner);
    if (!named && !sameTokens(outer, inner)) return false;
    if (node === outer) return sum(inner) > 0 || (outer.error && inner.error) || (named && isBare(outer));
    return node === inner && named && isBare(inner) && !inner.error && !isBare(outer);
  });
}

test('any tree has the calls of the definition, in any order of its spans', () => {
  const span = fc.record({
    kind: fc.constantFrom('llm' as const, 'llm' as const, 'embedding' as const, 'chain' as const),
    model: fc.constantFrom('m', 'm', 'n', ''),
    requestModel: fc.constantFrom('', 'm', 'o'),
    error: fc.boolean(),
    // Ids of their own: siblings with one id are one call, which another test covers.
    names: fc.boolean(),
    inputTokens: fc.constantFrom(null, null, 0, 5),
    outputTokens: fc.constantFrom(null, null, 0, 5),
    parent: fc.nat(),
    place: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const nodes = spans
        .map(({ parent, place, names, ...fields }, index) => ({
          place,
          node: {
            ...blank,
            ...fields,
            responseId: names ? `r${index}` : '',
            spanId: `s${index}`,
            parentSpanId: index === 0 ? '' : `s${parent % index}`,
          },
        }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ node }) => node);
      const resolved = resolveTrace(nodes);
      for (const node of nodes) expect(resolved.get(node)?.repeats, node.spanId).toBe(repeatsByDefinition(node, nodes));
    }),
  );
});

describe('spans beside each other', () => {
  const beside = (...spans: Array<Partial<TraceNode>>): TraceNode[] =>
    spans.map((span, index) => ({
      ...blank,
      source: 'otlp',
      operation: 'chat',
      spanId: `${index}`,
      startNs: BigInt(index),
      ...span,
    }));
  const tokens = { inputTokens: 3, outputTokens: 1 };

  test('of one response are one call: that with contents', () => {
    const nodes = beside(
      { ...tokens, responseId: 'a' },
      { ...tokens, responseId: 'a', inputPreview: '"hi"', outputPreview: '"ho"' },
      { ...tokens, responseId: 'b' },
      { ...tokens, responseId: 'a', kind: 'embedding' },
    );
    expect(callsOf(nodes)).toEqual(['1', '2', '3']);
  });

  test('of which one only reports the tokens of the other are one call', () => {
    const usage = { ...tokens, operation: '' };
    const nodes = beside(
      tokens,
      usage,
      { ...tokens, spanId: 'x' },
      { ...usage, inputTokens: 4 },
      { ...usage, requestModel: 'm' },
    );
    expect(callsOf(nodes)).toEqual(['0', 'x', '3', '4']);
    expect(resolveTrace(nodes).get(nodes[1] ?? blank)?.kind).toBe('span');
  });

  test('of which one only holds the request of the other are one call', () => {
    const call = { outputPreview: '"ho"' };
    expect(callsOf(beside({}, call, {}))).toEqual(['1']);
    expect(callsOf(beside({ endNs: null }, { error: true }, { responseId: 'a' }, tokens, call))).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(callsOf(beside({}, { ...call, model: 'n' }))).toEqual(['0', '1']);
    expect(callsOf(beside({ model: 'gpt' }, { ...call, model: 'gpt-2', requestModel: 'gpt' }))).toEqual(['1']);
  });
});

describe('the contents of a call', () => {
  const from = (nodes: readonly TraceNode[]): string[] => {
    const resolved = resolveTrace(nodes);
    return nodes.map((node) => resolved.get(node)?.contentFrom ?? '');
  };
  const contents = { inputPreview: '"hi"', outputPreview: '"ho"' };
  const tokens = { inputTokens: 3 };

  test('are those of the innermost span that repeats it and has them', () => {
    expect(from(chain({ ...tokens, ...contents }, { ...tokens, ...contents }, tokens))).toEqual(['', '', '1']);
    expect(from(chain({ ...tokens, ...contents }, { ...tokens, inputPreview: '"hi"' }, tokens))).toEqual(['', '', '0']);
    expect(from(chain({ ...tokens, ...contents }, { ...tokens, inputPreview: '"hi"' }))).toEqual(['', '0']);
    expect(from(chain({ ...tokens, ...contents }, { ...tokens, ...contents }))).toEqual(['', '']);
  });

  test('are not those of a span around two calls', () => {
    const [outer, inner] = chain({ ...tokens, ...contents }, tokens);
    if (!outer || !inner) throw new Error('two spans');
    expect(from([outer, inner, { ...inner, spanId: '2' }])).toEqual(['', '', '']);
  });

  test('may be those of a span beside it', () => {
    const nodes = [
      { ...blank, spanId: 'a', responseId: 'r', inputPreview: '"hi"' },
      { ...blank, spanId: 'b', responseId: 'r', ...tokens },
    ];
    expect(from(nodes)).toEqual(['', 'a']);
  });
});

describe('a tool', () => {
  test('within a tool of its name is the call', () => {
    const nodes = chain(
      { kind: 'tool', toolName: 'look' },
      { kind: 'chain' },
      { kind: 'tool', name: 'look' },
      { kind: 'tool', name: 'up' },
    );
    expect(callsOf(nodes)).toEqual(['1', '2', '3']);
  });

  test('that failed around one that did not is a call too', () => {
    const tool = { kind: 'tool' as const, name: 'look' };
    expect(callsOf(chain({ ...tool, error: true }, tool))).toEqual(['0', '1']);
    expect(callsOf(chain({ ...tool, error: true }, tool, { ...tool, error: true }))).toEqual(['2']);
  });
});

test('a chain of 20,000 spans with response ids of their own is resolved', () => {
  const nodes = chain(...Array.from({ length: 20_000 }, (_, index) => ({ inputTokens: 1, responseId: `${index}` })));
  expect(callsOf(nodes)).toHaveLength(20_000);
});

describe('an agent', () => {
  const names = (nodes: readonly TraceNode[]) => {
    const resolved = resolveTrace(nodes);
    return nodes.map((node) => resolved.get(node)?.agentName);
  };

  test('gives its name to what is below it; one without a name has that of its span', () => {
    const nodes = chain(
      { kind: 'agent', agentName: 'outer' },
      { kind: 'chain' },
      { kind: 'tool', agentName: 'its own' },
      { kind: 'agent', name: 'weather_agent.run' },
      { kind: 'llm' },
    );
    expect(names(nodes)).toEqual(['outer', 'outer', 'its own', 'weather_agent', 'weather_agent']);
  });

  test('of OTLP without a name around named agents is a chain', () => {
    const around = { kind: 'agent' as const, name: 'workflow' };
    const nodes = chain({ ...around, source: 'otlp' }, {}, { kind: 'agent', agentName: 'weather' }, {});
    expect(names(nodes)).toEqual(['', '', 'weather', 'weather']);
    expect([...resolveTrace(nodes).values()].map(({ kind }) => kind)).toEqual(['chain', 'llm', 'agent', 'llm']);
    expect(names(chain(around, { kind: 'agent', agentName: 'weather' }))).toEqual(['workflow', 'weather']);
  });

  test('that failed without saying why has the error of the span below it that failed last', () => {
    const failed = { error: true, errorCode: '429', errorMessage: 'slow down' };
    const nodes = chain(
      { kind: 'agent', error: true, errorCode: 'unknown', errorMessage: 'run status: error' },
      { kind: 'chain' },
      failed,
    );
    expect(resolveTrace(nodes).get(nodes[0] ?? blank)).toMatchObject({ errorCode: '429', errorMessage: 'slow down' });
  });
});

test('a session id that is the id of a response is none', () => {
  const nodes = chain({ responseId: 'resp_1', sessionId: 's' }, { sessionId: 'resp_1' });
  expect(nodes.map((node) => resolveTrace(nodes).get(node)?.sessionId)).toEqual(['s', '']);
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
      expect(
        nodes
          .filter((node) => resolved.get(node)?.repeats)
          .map(({ spanId }) => spanId)
          .toSorted(),
      ).toEqual(['b', 'e']);
    }),
  );
});
