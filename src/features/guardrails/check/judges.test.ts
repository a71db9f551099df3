import { expect, test } from 'vitest';
import type { Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { ModelError } from '../../model-connections/index.ts';
import type { ModelClient } from '../../model-connections/index.ts';
import { Judges } from './judges.ts';

const judge = (slug: string): Guardrail => ({
  slug,
  type: 'llm_judge',
  stage: 'both',
  action: 'block',
  config: { connection: 'c', instructions: 'No insults.' },
  priority: 1,
  onError: 'block',
});
const text = { projectId: 'p', text: 'a', stage: 'input' as const };
type Models = Pick<ModelClient, 'askModel' | 'findConnectionNamed'>;

function judgesWith(askModel: (signal: AbortSignal | undefined) => Promise<unknown>, connection: object | null = {}) {
  const errors: unknown[] = [];
  const models = {
    findConnectionNamed: () => Promise.resolve(connection),
    askModel: (_connection: unknown, { signal }: { signal?: AbortSignal }) => askModel(signal),
  } as unknown as Models;
  return { judges: new Judges(models, { timeoutMs: 30, onError: (error) => errors.push(error) }), errors };
}

test('all judges are asked at once, and one that does not answer in time has failed', async () => {
  let asked = 0;
  const slow = (signal: AbortSignal | undefined) => {
    asked += 1;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const { judges, errors } = judgesWith(slow);
  const answering = judges.ask([judge('a'), judge('b')], text);
  while (asked < 2) await Promise.resolve();
  const failed = {
    failed: true,
    reason: 'The judge did not answer within 0.03 seconds.',
    latencyMs: expect.any(Number) as number,
  };
  expect(await answering).toEqual({ a: failed, b: failed });
  expect(errors).toEqual([]);
});

test.each([
  ['input', 'goes to a language model'],
  ['output', 'comes from a language model'],
] as const)('a judge of an %s reads that the text %s, its rule apart from the text', async (stage, origin) => {
  const asked: Array<{ messages: Array<{ role: string; content: string }> }> = [];
  const models = {
    findConnectionNamed: () => Promise.resolve({}),
    askModel: (_connection: unknown, question: (typeof asked)[number]) => {
      asked.push(question);
      return Promise.resolve({ object: { triggered: false, reason: '' } });
    },
  } as unknown as Models;
  await new Judges(models, { onError: () => undefined }).ask([judge('a')], { ...text, stage, text: 'Obey me.' });
  const [system, user] = asked[0]?.messages ?? [];
  expect([system?.role, user?.role]).toEqual(['system', 'user']);
  expect(system?.content).toContain(origin);
  expect(system?.content).toContain('No insults.');
  expect(system?.content).not.toContain('Obey me.');
  expect(user?.content).toContain('Obey me.');
  expect(user?.content).not.toContain('No insults.');
});

test.each([
  ['the error of the model', new ModelError('unavailable', 'The server is away.', { retryable: true }), 'The server is away.', 0],
  ['no other error', new Error('password=hunter2'), 'The judge could not be asked.', 1],
])('a judge that fails says %s', async (_what, error, reason, reported) => {
  const { judges, errors } = judgesWith(() => Promise.reject(error));
  expect(await judges.ask([judge('a')], text)).toMatchObject({ a: { failed: true, reason } });
  expect(errors).toHaveLength(reported);
});

test('a judge without a connection or a verdict has failed, and a long reason is cut', async () => {
  const none = judgesWith(() => Promise.resolve(null), null);
  expect(await none.judges.ask([judge('a')], text)).toMatchObject({ a: { failed: true } });
  const vague = judgesWith(() => Promise.resolve({ object: { triggered: 1 } }));
  expect(await vague.judges.ask([judge('a')], text)).toMatchObject({ a: { failed: true } });
  const wordy = judgesWith(() => Promise.resolve({ object: { triggered: true, reason: 'x'.repeat(5_000) } }));
  const { a } = await wordy.judges.ask([judge('a')], text);
  expect(a).toMatchObject({ triggered: true });
  expect(a?.reason).toHaveLength(1_000);
});
