import { afterEach, describe, expect, test } from 'vitest';
import { validateConfig } from '../../../../packages/guardrails/src/index.ts';
import { ConfigCheck } from './config-check.ts';
import type { CheckedConfig } from './config-check.ts';

const opened: ConfigCheck[] = [];
const open = (options?: { limitMs: number }): ConfigCheck => {
  const check = new ConfigCheck(options);
  opened.push(check);
  return check;
};
afterEach(async () => {
  for (const check of opened.splice(0)) await check.close();
});

const regex = (...patterns: string[]): CheckedConfig => ({
  type: 'regex',
  action: 'block',
  config: { patterns: patterns.map((pattern) => ({ pattern, ignoreCase: true })) },
});
const literal = 'ab|'.repeat(3_300);

describe('a large configuration', () => {
  test('is checked as a small one is', async () => {
    const check = open({ limitMs: 60_000 });
    const faulty = regex(...Array.from({ length: 50 }, (_, index) => (index === 7 ? `${literal}(?=a)` : literal)));
    const small = regex('a', '(a)\\1');
    for (const given of [faulty, small]) {
      const { problems } = await check.measure('a project', given);
      expect(problems).toEqual(validateConfig(given));
      expect(problems).toHaveLength(1);
    }
    expect((await check.measure('a project', regex(literal))).problems).toEqual([]);
  });

  test('leaves the event loop free', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    await open().measure('a project', regex(...Array.from({ length: 50 }, () => literal)));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(10);
  });

  test('that takes too long is refused, and the next one is checked', async () => {
    const check = open({ limitMs: 1 });
    const [first, second] = await Promise.all([
      check.measure('a project', regex(literal)),
      check.measure('a project', regex(literal)),
    ]);
    expect([first, second].map(({ problems: [problem] }) => problem?.path)).toEqual(['/config', '/config']);
    expect((await check.measure('a project', regex('a'))).problems).toEqual([]);
  });
});

test('more than ten at once are refused for a while', async () => {
  const check = open();
  const answers = await Promise.allSettled(Array.from({ length: 11 }, () => check.measure('a project', regex(literal))));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 'fulfilled'), 'rejected']);
  expect(answers[10]).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 5 } });
  expect((await check.measure('a project', regex(literal))).problems).toEqual([]);
});
