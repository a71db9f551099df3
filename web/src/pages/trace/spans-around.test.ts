import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutlineSpan } from '../../api/parts.ts';
import { spansAround } from './spans-around.ts';

const spanOf = (kind: string, index: number) =>
  ({ spanId: `s${index}`, kind, startTime: new Date(index * 1000).toISOString() }) as OutlineSpan;

test('the set holds the span and its neighbours, at most 50, and few sets cover a trace', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('llm', 'tool', 'agent'), { maxLength: 300 }), (kinds) => {
      const spans = kinds.map(spanOf);
      const relevant = spans.filter(({ kind }) => kind !== 'agent');
      const sets = new Set<string>();
      for (const [index, span] of relevant.entries()) {
        const ids = spansAround(spans, span).map(({ spanId }) => spanId);
        expect(ids.length).toBe(Math.min(50, relevant.length));
        const near = relevant.slice(Math.max(0, index - 12), index + 13).map(({ spanId }) => spanId);
        expect(ids).toEqual(expect.arrayContaining(near));
        sets.add(ids.join());
      }
      expect(sets.size).toBeLessThanOrEqual(Math.ceil(relevant.length / 25));
      for (const span of spans) if (span.kind === 'agent') expect(spansAround(spans, span)).toEqual([]);
    }),
  );
});
