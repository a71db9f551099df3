import { expect, test } from 'vitest';
import type { OutlineSpan } from '../../api/parts.ts';
import { firstSpan } from './first-span.ts';

const span = (spanId: string, kind: OutlineSpan['kind'], more: Partial<OutlineSpan> = {}) =>
  ({ spanId, kind, inputPreview: null, outputPreview: null, status: null, parentSpanId: null, ...more }) as OutlineSpan;
const first = (spans: OutlineSpan[], trace: { outputFrom?: string | null; outputPreview?: string | null } = {}) =>
  firstSpan({ trace: { outputFrom: null, outputPreview: null, ...trace }, spans });

const [root, one, two] = [
  span('root', 'agent'),
  span('one', 'llm', { outputPreview: '"plan"' }),
  span('two', 'llm', { outputPreview: '"done"' }),
];

test('the call whose output is that of the trace', () => {
  expect(first([root, one, two], { outputFrom: 'two' })).toBe('two');
  expect(first([root, one, two], { outputPreview: '"plan"' })).toBe('one');
  const message = span('m', 'llm', { outputPreview: '[{"role":"assistant","content":"The refund takes five days."}]' });
  expect(first([root, one, message], { outputPreview: '"The refund takes five days."' })).toBe('m');
});

test('else the first call; without calls the first span', () => {
  expect(first([root, one, two], { outputPreview: '"other"' })).toBe('one');
  expect(first([root, span('t', 'tool')])).toBe('root');
  expect(first([])).toBeNull();
});

test('a trace with failed spans opens where its first error began, whatever its output', () => {
  const failed = { status: 'error' } as const;
  const late = span('late', 'tool', { ...failed, parentSpanId: 'root' });
  expect(first([root, one, late, two], { outputFrom: 'two' })).toBe('late');
  // The agent repeats the error of a tool that an intact step called.
  const tree = [
    span('agent', 'agent', failed),
    span('step', 'span', { parentSpanId: 'agent' }),
    span('tool', 'tool', { ...failed, parentSpanId: 'step' }),
    span('again', 'tool', { ...failed, parentSpanId: 'step' }),
  ];
  expect(first(tree)).toBe('tool');
  expect(first([span('alone', 'agent', failed), one])).toBe('alone');
  // Data from outside can have a circle, and a parent that is not there.
  const circle = [span('a', 'tool', { ...failed, parentSpanId: 'b' }), span('b', 'tool', { ...failed, parentSpanId: 'a' })];
  expect(first(circle)).toBe('a');
  expect(first([root, span('orphan', 'tool', { ...failed, parentSpanId: 'gone' })])).toBe('orphan');
});
