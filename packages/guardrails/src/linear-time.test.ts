import { expect, test } from 'vitest';
import { Budget } from './budget.ts';
import { compileBundle } from './index.ts';
import type { GuardrailType } from './index.ts';
import { TextWork } from './text-work.ts';

const configs: ReadonlyArray<[type: GuardrailType, config: unknown]> = [
  ['pii', {}],
  ['secrets', {}],
  ['prompt_injection', {}],
  ['blocklist', { terms: ['a a a a', 'jo@', '1111', 'sk-', 'Ä'] }],
  ['regex', { patterns: [{ pattern: '(?:a|aa)+b' }, { pattern: String.raw`\d+-\d+x` }] }],
];
const hostile = [
  'a',
  'a ',
  '1',
  '1111 ',
  '4111-',
  'a@',
  'a.',
  'a@a.',
  'sk-',
  'eyJ',
  'eyJ.',
  '-----BEGIN RSA PRIVATE KEY-----',
  '1:',
  '::',
  '+1',
  '(',
  'xoxb-1',
  'key=',
  'key=a1',
  'key=!!!!',
  'aws ',
  '://a:',
  '-u a:',
  'ignore all ',
];

test.each(configs)('%s takes steps in proportion to the length of any text, also of one that may continue', (type, config) => {
  const { guardrails } = compileBundle([
    { slug: 'g', type, stage: 'both', action: 'flag', config, priority: 1, onError: 'block' },
  ]);
  const steps = (text: string) => {
    const budget = new Budget(1e9);
    guardrails[0]?.detector?.detect({
      work: new TextWork(text),
      budget,
      limit: Infinity,
      open: true,
      from: 0,
      charactersBefore: 0,
    });
    return 1e9 - budget.left;
  };
  // Lengths beside which the states that the set pass makes for a text count little.
  for (const piece of hostile) {
    const [short, long] = [20_000, 60_000].map((length) =>
      steps(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
    );
    expect((long ?? 0) / (short ?? 1), piece).toBeLessThan(3.5);
  }
});
