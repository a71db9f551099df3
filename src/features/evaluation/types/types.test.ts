import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../contract/errors.ts';
import { evaluatorConfigs, evaluatorTypeNames } from '../../../contract/evaluators.ts';
import type { EvaluatorTypeName } from '../../../contract/evaluators.ts';
import { EvaluationError } from '../evaluation-error.ts';
import { MeasureThread } from '../measure/measure-thread.ts';
import { postedMessages } from '../measure/posted-messages.fixture.ts';
import { Measures } from '../measures.ts';
import type { JudgeAnswer, JudgeRequest, Subject, Verdict } from './evaluator-type.ts';
import { evaluatorTypes } from './index.ts';

const calculations = new MeasureThread();
afterAll(() => calculations.close());

const asked: Array<[string, JudgeRequest]> = [];
let judgement: JudgeAnswer = { score: 3, reasoning: 'well', usage: { inputTokens: 5, outputTokens: 2, costUsd: 0.1 } };
const judge = {
  judge: async (projectId: string, request: JudgeRequest) => {
    asked.push([projectId, request]);
    return judgement;
  },
};
const models = {
  findConnection: async (_project: string, id: string) => (id === configs.llm_judge['connectionId'] ? ({ id } as never) : null),
};
const measures = new Measures({ models, judge, calculations });

const nothing: Subject = { input: null, output: undefined, expectedOutput: undefined, latencyMs: null, costUsd: null };
/** A valid configuration of each type. */
const configs = Object.fromEntries(
  evaluatorTypeNames.map((type) => {
    const { examples } = evaluatorConfigs[type].meta() ?? {};
    return [type, (examples as readonly unknown[])[0]];
  }),
) as Record<EvaluatorTypeName, Record<string, unknown>>;

/** Measures like a stored evaluator: the configuration is serialized to JSON and back. */
async function verdict(type: EvaluatorTypeName, config: Record<string, unknown>, subject: Partial<Subject>): Promise<Verdict> {
  const saved = JSON.parse(JSON.stringify(await measures.checkedConfig('project', type, config))) as Record<string, unknown>;
  return measures.measure({ projectId: 'project', type, config: saved }, { ...nothing, ...subject });
}
async function passes(type: EvaluatorTypeName, config: Record<string, unknown>, subject: Partial<Subject>): Promise<boolean> {
  const found = await verdict(type, config, subject);
  expect(found).toMatchObject({ status: 'scored', score: found.status === 'scored' && found.passed ? 1 : 0 });
  return found.status === 'scored' && found.passed === true;
}
const refusal = async (type: EvaluatorTypeName, config: unknown, by = measures): Promise<ServiceError> => {
  const error = await by.checkedConfig('project', type, config).catch((thrown: unknown) => thrown);
  expect(error, JSON.stringify(config)).toBeInstanceOf(ServiceError);
  return error as ServiceError;
};

const members = ['type', 'config', 'pool', 'needsExpectedOutput', 'dependsOn', 'scale', 'ignoresPayloads', 'problem', 'evaluate'];

describe('every type', () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .filter((name) => !['index.ts', 'evaluator-type.ts'].includes(name));

  it('has its own file with its name, which exports it and nothing else', async () => {
    expect(files.toSorted()).toEqual(evaluatorTypeNames.map((name) => `${name.replaceAll('_', '-')}.ts`).toSorted());
    for (const file of files) {
      const exported: Record<string, unknown> = await import(join(import.meta.dirname, file));
      const name = file.replace('.ts', '').replaceAll('-', '_') as EvaluatorTypeName;
      expect(Object.values(exported), file).toEqual([evaluatorTypes[name]]);
      expect(members, file).toEqual(expect.arrayContaining(Object.keys(evaluatorTypes[name])));
      expect(evaluatorTypes[name].type, file).toBe(name);
    }
    expect(Object.keys(evaluatorTypes)).toEqual(evaluatorTypeNames);
  });

  it.each(evaluatorTypeNames)('%s skips a subject without data to measure, with a reason', async (type) => {
    expect(await verdict(type, configs[type], {})).toEqual({
      status: 'skipped',
      reason: expect.stringMatching(/^There is no .+\.$/),
    });
  });

  it.each(evaluatorTypeNames)(
    '%s refuses invalid fields and keeps unknown ones (docs/semantics.md, "Request bodies")',
    async (type) => {
      expect(await measures.checkedConfig('project', type, configs[type])).toMatchObject(configs[type]);
      expect(await measures.checkedConfig('project', type, { ...configs[type], note: 1 })).toMatchObject({
        ...configs[type],
        note: 1,
      });
      for (const config of [
        null,
        [],
        'a',
        ...Object.keys(configs[type]).map((name) => ({ ...configs[type], [name]: undefined })),
      ]) {
        if (JSON.stringify(config) !== '{}') expect((await refusal(type, config)).code).toBe('invalid_request');
      }
    },
  );
});

it.each(['exact', 'fuzzy', 'contains', 'regex', 'json_schema'] as const)(
  '%s fails for what is nested too deeply',
  async (type) => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const error = await verdict(type, configs[type], { output: deep, expectedOutput: [] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EvaluationError);
    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining('500 levels') });
  },
);

describe('exact', () => {
  const same = (output: unknown, expectedOutput: unknown, config = {}) => passes('exact', config, { output, expectedOutput });

  it('compares strings as they are', async () => {
    expect(await same('a', 'a')).toBe(true);
    for (const [left, right] of [
      ['a', 'A'],
      ['a', 'a '],
      ['é', 'e\u0301'],
      ['', ' '],
    ])
      expect(await same(left, right)).toBe(false);
  });

  it('ignores case where configured', async () => {
    const ignoring = { ignoreCase: true };
    for (const [left, right] of [
      ['Straße', 'STRASSE'],
      ['ΟΔΟΣ', 'οδος'],
      ['\u1e9e', 'ss'],
    ]) {
      expect(await same(left, right, ignoring), left).toBe(true);
      expect(await same(left, right, { ignoreCase: false }), left).toBe(false);
    }
    expect(await same({ a: 'X' }, { a: 'x' }, ignoring)).toBe(true);
    expect(await same({ A: 'x' }, { a: 'x' }, ignoring)).toBe(false);
  });

  it('compares other values by structure', async () => {
    expect(await same({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1.0 })).toBe(true);
    expect(await same([1, 2], [2, 1])).toBe(false);
    expect(await same({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(await same(null, null)).toBe(true);
    expect(await same(0, false)).toBe(false);
    expect(await same('{"b": 2, "a": 1}', { a: 1, b: 2 })).toBe(true);
    expect(await same({ a: 1 }, '{ "a": 1 }')).toBe(true);
    expect(await same('not JSON', { a: 1 })).toBe(false);
  });

  it('is true for a JSON value and itself with keys in another order', async () => {
    const reordered = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reordered);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, entry]) => [key, reordered(entry)]),
      );
    };
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const value: unknown = JSON.parse(text);
        expect(await same(value, reordered(value))).toBe(true);
        expect(await same(value, [value])).toBe(false);
      }),
    );
  });
});

describe('fuzzy', () => {
  it('scores the similarity and passes from 0.8, or from the configured threshold', async () => {
    const score = (left: unknown, right: unknown, config = {}) =>
      verdict('fuzzy', config, { output: left, expectedOutput: right });
    expect(await score('abcdefghij', 'abcdefghXX')).toEqual({ status: 'scored', score: 0.8, passed: true, comment: null });
    expect(await score('abcdefghij', 'abcdefgXXX')).toMatchObject({ score: 0.7, passed: false });
    expect(await score('abcdefghij', 'abcdefgXXX', { threshold: 0.7 })).toMatchObject({ passed: true });
    expect(await score('', '')).toMatchObject({ score: 1, passed: true });
    expect(await score('e\u0301', 'é')).toMatchObject({ score: 1 });
    expect(await score({ b: 1, a: 2 }, { a: 2, b: 1 })).toMatchObject({ score: 1 });
    expect(await score(12, 13)).toMatchObject({ score: 0.5 });
  });

  it.each([-0.1, 1.1, 'a', null])('refuses the threshold %j', async (threshold) => {
    expect((await refusal('fuzzy', { threshold })).details?.[0]?.path).toBe('/config/threshold');
  });
});

describe('contains', () => {
  it('searches the text of the output', async () => {
    expect(await passes('contains', { value: 'ell' }, { output: 'hello' })).toBe(true);
    expect(await passes('contains', { value: 'ELL' }, { output: 'hello' })).toBe(false);
    expect(await passes('contains', { value: 'ELL', ignoreCase: true }, { output: 'hello' })).toBe(true);
    expect(await passes('contains', { value: 'STRASSE', ignoreCase: true }, { output: 'eine straße' })).toBe(true);
    expect(await passes('contains', { value: '"a":[1]' }, { output: { b: 1, a: [1] } })).toBe(true);
    for (const value of ['', 'a\0', '\ud800']) expect((await refusal('contains', { value })).code).toBe('invalid_request');
  });
});

describe('regex', () => {
  const found = (pattern: string, flags: string | undefined, output: unknown) =>
    passes('regex', flags === undefined ? { pattern } : { pattern, flags }, { output });

  it('finds a pattern anywhere, with its flags', async () => {
    expect(await found('\\d{4}', undefined, 'in 2026')).toBe(true);
    expect(await found('^\\d{4}$', undefined, 'in 2026')).toBe(false);
    expect(await found('^B$', undefined, 'a\nb')).toBe(false);
    expect(await found('^B$', 'im', 'a\nb')).toBe(true);
    expect([await found('a.b', '', 'a\nb'), await found('a.b', 's', 'a\nb')]).toEqual([false, true]);
    expect(await found('^.$', 'u', '😀')).toBe(true);
    expect(await found('\\p{Lu}', undefined, { a: 'É' })).toBe(true);
  });

  it('takes linear time for every pattern', async () => {
    // A backtracking engine would not end within the time limit of the test.
    expect(await found('^(a+)+$', undefined, `${'a'.repeat(262_000)}!`)).toBe(false);
  });

  it('searches the first 262,144 characters', async () => {
    expect(await found('b', undefined, `${'a'.repeat(262_143)}b`)).toBe(true);
    expect(await found('b', undefined, `${'a'.repeat(262_144)}b`)).toBe(false);
  });

  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ pattern: '(a' }, '/config/pattern', /cannot be used: missing closing \)/],
    [{ pattern: 'a(?=b)' }, '/config/pattern', /RE2 syntax: no look-around, no back-references/],
    [{ pattern: '(a)\\1' }, '/config/pattern', /cannot be used/],
    [{ pattern: 'a{1000}'.repeat(6) }, '/config/pattern', /too large/],
    [{ pattern: 'a'.repeat(1_001) }, '/config/pattern', /at most 1000/],
    [{ pattern: '' }, '/config/pattern', /must not be empty/],
    [{ pattern: 'a', flags: 'g' }, '/config/flags', /i, m, s and u/],
    [{ pattern: 'a', flags: 'ii' }, '/config/flags', /each once/],
  ])('%j is refused when it is saved', async (config, path, message) => {
    const { details } = await refusal('regex', config);
    expect(details).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

describe('json_schema', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it('checks the output, parsed where it is a string, and names the problem', async () => {
    expect(await passes('json_schema', { schema }, { output: { city: 'Bern' } })).toBe(true);
    expect(await passes('json_schema', { schema }, { output: '{"city": "Bern"}' })).toBe(true);
    expect(await verdict('json_schema', { schema }, { output: '{"city": 1}' })).toMatchObject({
      passed: false,
      comment: '/city must be string',
    });
    expect(await verdict('json_schema', { schema }, { output: 'Bern' })).toMatchObject({
      score: 0,
      comment: 'The output is not valid JSON.',
    });
    expect(await passes('json_schema', { schema: { type: 'null' } }, { output: null })).toBe(true);
  });

  it.each([
    { schema: 'a' },
    { schema: { type: 'nothing' } },
    { schema: { $ref: 'http://example.com' } },
    { schema: { pattern: '(?=a)' } },
  ])('%j is refused when it is saved', async (config) => {
    expect((await refusal('json_schema', config)).details?.[0]?.path).toBe('/config/schema');
  });

  it('is compiled in the measuring thread', async () => {
    const slow = { schema: { oneOf: Array.from({ length: 900 }, () => false) } };
    expect(await postedMessages(() => measures.checkedConfig('project', 'json_schema', slow))).toBe(1);
    expect(await postedMessages(() => refusal('json_schema', { schema: { type: 'nothing' } }))).toBe(1);
  });

  it('is refused when checking it times out, and answered with Retry-After when the thread is busy', async () => {
    const by = (error: EvaluationError) => {
      const refusedSchema = async (): Promise<never> => {
        throw error;
      };
      const failing = { refusedSchema } as unknown as MeasureThread;
      return new Measures({ models, judge, calculations: failing });
    };
    const never = await refusal('json_schema', { schema: {} }, by(new EvaluationError('It took long.', { retryable: false })));
    expect(never).toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/config', message: expect.stringContaining('too long to check') }],
    });
    const busy = await refusal('json_schema', { schema: {} }, by(new EvaluationError('Too many wait.', { retryable: true })));
    expect(busy).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  });
});

describe('latency and cost', () => {
  it('pass up to their limit', async () => {
    expect(await passes('latency', { maxMs: 10 }, { latencyMs: 10 })).toBe(true);
    expect(await passes('latency', { maxMs: 10 }, { latencyMs: 10.001 })).toBe(false);
    expect(await passes('latency', { maxMs: 0 }, { latencyMs: 0 })).toBe(true);
    expect(await passes('cost', { maxUsd: 0.01 }, { costUsd: 0.01 })).toBe(true);
    expect(await passes('cost', { maxUsd: 0.01 }, { costUsd: 0.02 })).toBe(false);
    expect((await refusal('latency', { maxMs: -1 })).code).toBe('invalid_request');
    expect((await refusal('cost', { maxUsd: '1' })).code).toBe('invalid_request');
  });
});

describe('llm_judge', () => {
  it("returns the judge's score; the evaluator's threshold decides whether it passes", async () => {
    const subject = { ...nothing, input: 'q', output: 'a', expectedOutput: 'b' };
    expect(await verdict('llm_judge', configs.llm_judge, subject)).toEqual({
      status: 'scored',
      score: 3,
      passed: null,
      comment: 'well',
      usage: { inputTokens: 5, outputTokens: 2, costUsd: 0.1 },
    });
    expect(asked.at(-1)).toEqual(['project', { ...configs.llm_judge, subject }]);
    judgement = { ...judgement, reasoning: null };
    expect(await verdict('llm_judge', configs.llm_judge, { output: 'a' })).toMatchObject({ comment: null });
  });

  it.each([[[1, 1]], [[5, 1]], [[1]], [[1, 2, 3]], ['1-5'], [[0, 1e9]]])('refuses the scale %j', async (scale) => {
    expect((await refusal('llm_judge', { ...configs.llm_judge, scale })).details?.[0]?.path).toMatch(/^\/config\/scale/);
  });
});
