import { afterAll, describe, expect, it } from 'vitest';
import { EvaluationError } from '../evaluation-error.ts';
import { compare, similarityOf } from './edit-distance.ts';
import { MeasureThread } from './measure-thread.ts';
import { postedMessages } from './posted-messages.fixture.ts';

const thread = new MeasureThread();
afterAll(() => thread.close());

const failure = async (work: Promise<unknown>): Promise<EvaluationError> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EvaluationError);
  return error as EvaluationError;
};

/** A schema that takes twice as long with each level, on a number without memory. */
function branching(levels: number, keyword: 'allOf' | 'anyOf' = 'allOf'): object {
  const parts = Array.from({ length: levels }, (_, at) => {
    const next = { $ref: `#/$defs/a${at + 1}` };
    return [`a${at}`, { [keyword]: [next, next] }];
  });
  return { $defs: { ...Object.fromEntries(parts), [`a${levels}`]: { type: 'number' } }, $ref: '#/$defs/a0' };
}

function text(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join('');
}

describe('the measuring thread', () => {
  it('compares long texts in the thread, with the result of the main thread', async () => {
    const [left, right] = [text(30_000, 1), text(30_000, 2)];
    expect(await thread.similarity(left, right)).toBe(similarityOf(compare(left, right)));
    expect(await thread.similarity('kitten', 'sitting')).toBe(4 / 7);
    expect(await postedMessages(() => thread.similarity(left, right))).toBe(1);
    expect(await postedMessages(() => thread.similarity('kitten', 'sitting'))).toBe(0);
  });

  it('compares texts of very many marks in the thread, within its time', async () => {
    const marks = 100_000;
    const left = `a${'\u0301'.repeat(marks)}${'\u0316'.repeat(marks)}`;
    // The first mark is composed with its letter.
    expect(await thread.similarity(left, `${left.slice(0, -1)}b`)).toBe(1 - 1 / (2 * marks));
    // Different in one place: few steps, but normalizing the texts takes long as well.
    const short = `a${'\u0301'.repeat(3_000)}${'\u0316'.repeat(3_000)}`;
    expect(await postedMessages(() => thread.similarity(short, `${short}b`))).toBe(1);
  });

  it('searches texts in the thread where that may take long', async () => {
    const text = 'a'.repeat(100_000);
    const evil = `${'a'.repeat(1_000)}b${'a'.repeat(1_000)}`;
    expect(await thread.contains(text, evil, false)).toBe(false);
    expect(await postedMessages(() => thread.contains(text, evil, false))).toBe(1);
    expect(await thread.contains(`${text}b${text}`, evil, false)).toBe(true);
    expect(await thread.contains(`${text}b${text}`, evil.toUpperCase(), false)).toBe(false);
    expect(await thread.contains(`${text}ß${text}`, `${'A'.repeat(1_000)}SS${'a'.repeat(1_000)}`, true)).toBe(true);
    expect(await postedMessages(() => thread.contains('a'.repeat(1_000_000), 'b', true))).toBe(1);
    expect(await postedMessages(() => thread.contains('a small text', 'small', true))).toBe(0);
  });

  it('returns why a schema cannot be used', async () => {
    expect(await thread.refusedSchema({ type: 'number' })).toBeNull();
    expect(await thread.refusedSchema({ type: 'nothing' })).toContain('cannot be used');
    expect(await thread.refusedSchema({ pattern: '(' })).toContain('has a pattern that');
  });

  it('refuses comparisons that would take minutes', async () => {
    const { message, retryable } = await failure(thread.similarity('a'.repeat(200_000), 'b'.repeat(200_000)));
    expect([message, retryable]).toEqual([expect.stringContaining('too long to compare'), false]);
    expect(await thread.similarity('a'.repeat(500_000), 'a'.repeat(500_000))).toBe(1);
    expect(await thread.similarity('a'.repeat(500_000), `${'a'.repeat(499_990)}b`)).toBeCloseTo(0.99998, 5);
  });

  it('checks values under schemas', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };
    expect(await thread.schemaProblem(schema, { a: 1 })).toBeNull();
    expect(await thread.schemaProblem(schema, { a: '1' })).toBe('/a must be number');
    expect(await thread.schemaProblem(schema, {})).toBe("the value must have required property 'a'");
    const { retryable } = await failure(thread.schemaProblem({ $ref: '#' }, 1));
    expect(retryable).toBe(false);
  });

  it('refuses a schema whose alternatives fail in too many places, before it fills the heap', async () => {
    const patient = new MeasureThread({ limitMs: 600_000 });
    const { message, retryable } = await failure(patient.schemaProblem(branching(40, 'anyOf'), 'x'));
    await patient.close();
    expect([message, retryable]).toEqual(['The schema has alternatives that fail in too many places; make it simpler.', false]);
  });

  it('finds patterns, small and large', async () => {
    expect(await thread.found('^b+$', '', 'bbb')).toBe(true);
    expect(await thread.found('(a+)+$', '', `${'a'.repeat(200_000)}!`)).toBe(false);
    expect(await thread.found('(a|aa)+b', 'i', `${'A'.repeat(200_000)}B`)).toBe(true);
    expect((await failure(thread.found('(', '', 'a'))).message).toContain('The pattern cannot be used');
  });

  it('ends a task at its time limit and runs the next ones', async () => {
    const limited = new MeasureThread({ limitMs: 2_000 });
    const results = await Promise.all([
      failure(limited.schemaProblem(branching(60), 1)),
      limited.schemaProblem(branching(3), 'x'),
      failure(limited.schemaProblem(branching(60), 1)),
      limited.schemaProblem(branching(3), 1),
      failure(limited.similarity('ab'.repeat(65_000), 'cd'.repeat(65_000))),
    ]);
    expect(results).toEqual([
      expect.objectContaining({ message: expect.stringContaining('2 seconds'), retryable: false }),
      'the value must be number',
      expect.objectContaining({ retryable: false }),
      null,
      expect.objectContaining({ message: expect.stringContaining('evaluate shorter values'), retryable: false }),
    ]);
    await limited.close();
  });

  it('has a bounded queue, whose tasks fail when it is closed', async () => {
    const busy = new MeasureThread();
    const waiting = Array.from({ length: 101 }, () => failure(busy.schemaProblem(branching(60), 1)));
    expect(await waiting[100]).toMatchObject({ retryable: true, message: expect.stringContaining('Too many') });
    await busy.close();
    for (const error of await Promise.all(waiting.slice(0, 100))) expect(error.retryable).toBe(true);
    expect((await failure(busy.schemaProblem({}, 1))).retryable).toBe(true);
  });

  it('keeps room for evaluations when many schemas are checked', async () => {
    const busy = new MeasureThread();
    const schemas = Array.from({ length: 10 }, () => busy.refusedSchema({}));
    expect((await failure(busy.refusedSchema({}))).retryable).toBe(true);
    expect(await busy.schemaProblem({}, 1)).toBeNull();
    expect(await Promise.all(schemas)).toEqual(schemas.map(() => null));
    await busy.close();
  });
});
