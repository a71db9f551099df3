import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceSpan } from '../../api/service.ts';
import { repeatedCall, toolLinks } from './tool-links.ts';
import { callsIn, resultFromInputs } from './call-results.ts';

let nextStart = 0;

/** A span; each starts after the one that was made before it. */
function span(spanId: string, kind: TraceSpan['kind'], fields: Partial<TraceSpan> = {}): TraceSpan {
  const startTime = new Date(Date.UTC(2026, 10, 21) + nextStart++).toISOString();
  return {
    spanId,
    kind,
    startTime,
    parentSpanId: 'agent',
    name: spanId,
    attributes: null,
    metadata: null,
    input: null,
    output: null,
    ...fields,
  } as TraceSpan;
}

type Call = readonly [name: string, id?: string];

const answer = (...calls: readonly Call[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: calls.map(([name, id]) => ({ ...(id === undefined ? {} : { id }), function: { name, arguments: '{}' } })),
});
const llm = (spanId: string, calls: readonly Call[], fields: Partial<TraceSpan> = {}) =>
  span(spanId, 'llm', { output: answer(...calls), ...fields });
const tool = (spanId: string, name: string, id?: string, fields: Partial<TraceSpan> = {}) =>
  span(spanId, 'tool', {
    attributes: { 'gen_ai.tool.name': name, ...(id === undefined ? {} : { 'gen_ai.tool.call.id': id }) },
    ...fields,
  });

/** `run: asker#place` of every run that has a call. */
function linked(spans: readonly TraceSpan[]): Record<string, string> {
  const { askedBy } = toolLinks(spans);
  return Object.fromEntries([...askedBy].map(([run, { asker, call }]) => [run, `${asker.spanId}#${call.place}`]));
}

describe('a run with the id of its call', () => {
  test('is matched anywhere in the trace', () => {
    const spans = [
      llm('l', [
        ['search', 'x'],
        ['search', 'y'],
      ]),
      tool('t1', 'other name', 'y', { parentSpanId: 'tools' }),
      tool('t2', '', 'x'),
    ];
    expect(linked(spans)).toEqual({ t1: 'l#1', t2: 'l#0' });
  });

  test('with a repeated id belongs to a sibling, and to the last one before it', () => {
    const spans = [
      llm('l1', [['search', 'call_1']]),
      tool('t1', 'search', 'call_1'),
      llm('l2', [['search', 'call_1']]),
      llm('other', [['search', 'call_1']], { parentSpanId: 'agent 2' }),
      tool('t2', 'search', 'call_1'),
      llm('l3', [['search', 'call_1']]),
    ];
    expect(linked(spans)).toEqual({ t1: 'l1#0', t2: 'l2#0' });
  });

  test('that is repeated belongs to the same call, which links to the first run', () => {
    const spans = [llm('l', [['search', 'x']]), tool('t1', 'search', 'x'), tool('t2', 'search', 'x')];
    expect(linked(spans)).toEqual({ t1: 'l#0', t2: 'l#0' });
    expect(toolLinks(spans).asked.get('l')?.[0]?.run?.spanId).toBe('t1');
  });

  test('with an unknown id is not matched by name', () => {
    expect(linked([llm('l', [['search', 'x'], ['search']]), tool('t', 'search', 'z')])).toEqual({});
  });
});

describe('a run without an id', () => {
  test('belongs to the first unmatched call of its name in the last sibling output', () => {
    const spans = [
      llm('l1', [['search', 'x'], ['read'], ['search']]),
      tool('t1', 'search'),
      tool('t2', 'search'),
      tool('t3', 'read'),
      llm('l2', [['search']]),
      tool('t4', 'search'),
      tool('t5', 'search'),
    ];
    expect(linked(spans.toReversed())).toEqual({ t1: 'l1#0', t2: 'l1#2', t3: 'l1#1', t4: 'l2#0' });
  });

  test('does not take a call that has a run by id', () => {
    const spans = [
      llm('l', [
        ['search', 'x'],
        ['search', 'y'],
      ]),
      tool('t1', 'search'),
      tool('t2', 'search', 'x'),
    ];
    expect(linked(spans)).toEqual({ t1: 'l#1', t2: 'l#0' });
  });

  test('may be a child of the llm span, but not below another parent or earlier', () => {
    const early = tool('early', 'search');
    const spans = [early, llm('l', [['search'], ['search']]), tool('in', 'search', undefined, { parentSpanId: 'l' })];
    expect(linked([...spans, tool('elsewhere', 'search', undefined, { parentSpanId: 'agent 2' })])).toEqual({ in: 'l#0' });
  });

  test.each([
    ['get_weather', {}],
    ['execute_tool get_weather', {}],
    ['get_weather.tool', {}],
    ['ai.toolCall', { attributes: { 'ai.toolCall.name': 'get_weather' } }],
    ['TOOL', { metadata: { tool_name: 'get_weather' } }],
  ])('is known by the name %s', (name, fields) => {
    expect(linked([llm('l', [['get_weather']]), span('t', 'tool', { name, ...fields })])).toEqual({ t: 'l#0' });
  });
});

test('only llm spans have calls, and only tool spans are runs', () => {
  const spans = [span('a', 'agent', { output: answer(['search', 'x']) }), tool('t', 'search', 'x'), llm('l', [['search', 'x']])];
  expect(linked(spans)).toEqual({ t: 'l#0' });
  expect(linked([llm('l', [['search', 'x']]), { ...tool('t', 'search', 'x'), kind: 'chain' }])).toEqual({});
});

/** One agent that calls a model again and again and runs what it asks for in between. */
interface Turn {
  calls: Array<{ name: string; withId: boolean; runSaysId: boolean; isRun: boolean }>;
}
const turn: fc.Arbitrary<Turn> = fc.record({
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('search', 'read'),
      withId: fc.boolean(),
      runSaysId: fc.boolean(),
      isRun: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

describe('any trace', () => {
  test('each run has its call: by id in any trace, by order if all calls were executed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(turn, { maxLength: 4 }), { maxLength: 3 }),
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        (agents, ids, order) => {
          const spans: TraceSpan[] = [];
          const truth: Record<string, string> = {};
          for (const [agent, turns] of agents.entries()) {
            const parentSpanId = `agent ${agent}`;
            for (const [number, { calls }] of turns.entries()) {
              const asker = `l${agent}.${number}`;
              const idOf = (place: number) => `${asker}/${place}`;
              const named = calls.map(({ name, withId }, place): Call => (ids || withId ? [name, idOf(place)] : [name]));
              spans.push(llm(asker, named, { parentSpanId }));
              for (const [place, call] of calls.entries()) {
                if (ids && !call.isRun) continue;
                const says = ids || (call.withId && call.runSaysId);
                spans.push(tool(`t${asker}.${place}`, call.name, says ? idOf(place) : undefined, { parentSpanId }));
                truth[`t${asker}.${place}`] = `${asker}#${place}`;
              }
            }
          }
          const shuffled = spans.map((one) => ({ one, at: order.next().value })).toSorted((a, b) => a.at - b.at);
          expect(linked(shuffled.map(({ one }) => one))).toEqual(truth);
        },
      ),
    );
  });

  const anySpan = fc.record({
    kind: fc.constantFrom('llm', 'tool', 'chain'),
    parent: fc.nat(5),
    start: fc.nat(6),
    name: fc.constantFrom('search', 'read'),
    id: fc.constantFrom(undefined, 'x', 'y'),
    calls: fc.array(fc.tuple(fc.constantFrom('search', 'read'), fc.constantFrom(undefined, 'x', 'y')), { maxLength: 3 }),
  });

  test('a run has at most one call, by id or name, and the links are mutual', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 14 }), (made) => {
        const spans = made.map(({ kind, parent, start, name, id, calls }, index) => ({
          ...(kind === 'llm'
            ? llm(
                `${index}`,
                calls.map(([one, its]) => (its === undefined ? [one] : [one, its])),
              )
            : tool(`${index}`, name, id)),
          kind: kind as TraceSpan['kind'],
          parentSpanId: parent === 5 ? null : `${parent}`,
          startTime: new Date(start).toISOString(),
        }));
        const { asked, askedBy } = toolLinks(spans);
        const byName = new Set();
        for (const [runId, found] of askedBy) {
          const [run, its] = [spans[Number(runId)], made[Number(runId)]];
          expect([run?.kind, found.asker.kind]).toEqual(['tool', 'llm']);
          expect(found.run && askedBy.get(found.run.spanId)).toBe(found);
          if (its?.id !== undefined) expect(found.call.id).toBe(its.id);
          else {
            expect(found.call.name).toBe(its?.name);
            expect(found.run?.spanId).toBe(runId);
            expect([found.asker.spanId, found.asker.parentSpanId]).toContain(run?.parentSpanId);
            expect(byName.has(found)).toBe(false);
            byName.add(found);
          }
        }
        for (const one of [...asked.values()].flat()) if (one.run) expect(askedBy.get(one.run.spanId)).toBe(one);
        // A run that has the id of a call is never left out.
        const ids = new Set([...asked.values()].flat().map(({ call }) => call.id));
        for (const [index, { kind, id }] of made.entries())
          if (kind === 'tool' && id !== undefined) expect(askedBy.has(`${index}`)).toBe(ids.has(id));
      }),
    );
  });
});

describe('the result of a call', () => {
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

  test('is taken from the next input that contains it', () => {
    const asker = llm('l1', [['search', 'x']]);
    const other = llm('l2', [], { parentSpanId: 'agent 2', input: [{ role: 'user', content: 'Hello' }] });
    const next = llm('l3', [], { input: [answer(['search', 'x']), result('x', '[1]')] });
    const later = llm('l4', [], { input: [result('x', '[2]')] });
    const found = resultFromInputs([later, asker, other, next], { asker, call: toolCall(asker, 0) });
    expect([found?.value, found?.span.spanId]).toEqual([[1], 'l3']);
    expect(resultFromInputs([asker, later], { asker, call: toolCall(asker, 0) })?.value).toEqual([2]);
    expect(resultFromInputs([asker, other], { asker, call: toolCall(asker, 0) })).toBeNull();
  });

  test('without an id is taken by position from the next sibling input', () => {
    const history = [answer(['search']), { role: 'tool', name: 'search', content: 'old' }];
    const asker = llm('l1', [['search'], ['search']], { input: history });
    const results = ['first', 'second'].map((content) => ({ role: 'tool', name: 'search', content }));
    const elsewhere = llm('l2', [], { parentSpanId: 'agent 2', input: [asker.output, ...results] });
    const next = llm('l3', [], { input: [...history, asker.output, ...results] });
    const spans = [asker, elsewhere, next];
    expect([0, 1].map((place) => resultFromInputs(spans, { asker, call: toolCall(asker, place) })?.value)).toEqual([
      'first',
      'second',
    ]);
    expect(resultFromInputs([asker, elsewhere], { asker, call: toolCall(asker, 0) })).toBeNull();
  });
});

test('a call repeated in a later input is matched by id', () => {
  const asker = llm('l1', [['search', 'x'], ['search']]);
  const run = tool('t', 'search', 'x');
  const next = llm('l2', [], { input: [asker.output] });
  const links = toolLinks([asker, run, next]);
  const [known, unnamed] = callsIn(next, 'input');
  expect(known && repeatedCall(links, next, known)?.run).toBe(run);
  expect(unnamed && repeatedCall(links, next, unnamed)).toBeNull();
});

test('thousands of calls and runs with one id or none are linked in linear time', () => {
  const spans = Array.from({ length: 6_000 }, (_, index) =>
    index % 3 === 0
      ? llm(`l${index}`, [['search', 'call_1'], ['search']])
      : tool(`t${index}`, 'search', index % 3 === 1 ? 'call_1' : undefined),
  );
  const { askedBy } = toolLinks(spans);
  expect(askedBy.size).toBe(4_000);
  expect(askedBy.get('t5998')?.asker.spanId).toBe('l5997');
  expect(askedBy.get('t5999')?.asker.spanId).toBe('l5997');
});

test('ten thousand calls in one output and as many runs are linked in linear time', () => {
  const many = Array.from({ length: 10_000 }, (_, place) => place);
  const asker = (id: string | null) => span('l', 'llm', { output: many.map(() => ({ toolName: 'a', toolCallId: id })) });
  const runs = (id?: string, fields: Partial<TraceSpan> = {}) => many.map((place) => tool(`t${place}`, 'a', id, fields));
  const places = (spans: readonly TraceSpan[]) => [...toolLinks(spans).askedBy.values()].map(({ call }) => call.place);
  expect(places([asker(null), ...runs()])).toEqual(many);
  expect(places([asker(null), ...runs(undefined, { parentSpanId: 'l' })])).toEqual(many);
  // With one id: the last of an answer before them, the first of one after them.
  expect(places([asker('x'), ...runs('x')])).toEqual(many.map(() => 9_999));
  expect(places([...runs('x'), asker('x')])).toEqual(many.map(() => 0));
  const links = toolLinks([asker('x')]);
  const own = asker('x');
  expect(callsIn(own, 'output').every((call) => repeatedCall(links, own, call) === null)).toBe(true);
});

test('a child run takes the first unmatched call of any of its names', () => {
  const asker = llm('l', [['read'], ['search'], ['read'], ['find']]);
  const run = (spanId: string, name: string) => tool(spanId, 'search', undefined, { name, parentSpanId: 'l' });
  expect(linked([asker, run('t1', 'read'), run('t2', 'find'), run('t3', 'read'), run('t4', 'read')])).toEqual({
    t1: 'l#0',
    t2: 'l#1',
    t3: 'l#2',
  });
});

function toolCall(asker: TraceSpan, place: number) {
  const call = callsIn(asker, 'output')[place];
  if (!call) throw new Error(`${asker.spanId} asks for no call ${place}`);
  return call;
}
