import { expect, test } from 'vitest';
import type { OutlineSpan } from '../../api/parts.ts';
import { firstSpan } from './first-span.ts';

const span = (spanId: string, kind: OutlineSpan['kind'], more: Partial<OutlineSpan> = {}) =>
  ({ spanId, kind, inputPreview: null, outputPreview: null, status: null, ...more }) as OutlineSpan;
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

test('else the first call; without calls a failed span, else the first', () => {
  expect(first([root, one, two], { outputPreview: '"other"' })).toBe('one');
  expect(first([root, span('t', 'tool', { status: 'error' })])).toBe('t');
  expect(first([root, span('t', 'tool')])).toBe('root');
  expect(first([])).toBeNull();
});
