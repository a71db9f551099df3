import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runItemTarget, scoreIdOf, sessionTarget, spanTarget, traceTarget } from './score-id.ts';

const evaluator = {
  id: '0197a000-0000-7000-8000-000000000001',
  projectId: '0197a000-0000-7000-8000-000000000002',
  createdAtMs: 1_795_000_000_000,
};
const text = fc.string({ unit: 'binary', minLength: 1 });
const target = fc.oneof(
  fc.tuple(text, text).map(([traceId, spanId]) => spanTarget(traceId, spanId)),
  text.map(traceTarget),
  text.map(sessionTarget),
  fc.uuid().map(runItemTarget),
);

test('is a UUIDv7, equal for equal targets only', () => {
  fc.assert(
    fc.property(target, target, (one, other) => {
      const id = scoreIdOf(evaluator, one);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(scoreIdOf(evaluator, { ...one })).toBe(id);
      expect(scoreIdOf(evaluator, other) === id).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test('differs by evaluator and project', () => {
  const of = scoreIdOf(evaluator, traceTarget('t'));
  expect(scoreIdOf({ ...evaluator, id: evaluator.projectId }, traceTarget('t'))).not.toBe(of);
  expect(scoreIdOf({ ...evaluator, projectId: evaluator.id }, traceTarget('t'))).not.toBe(of);
});
