// Time of a local check of 20 guardrails, by size and kind of text: node scripts/run.mjs bench/guardrail-check.ts
import { checkText, compileBundle } from '../packages/guardrails/src/index.ts';
import type { Guardrail } from '../packages/guardrails/src/index.ts';

const configs: ReadonlyArray<[type: Guardrail['type'], config: unknown, count: number]> = [
  ['pii', {}, 3],
  ['secrets', {}, 3],
  ['prompt_injection', {}, 3],
  ['max_length', { maxCharacters: 1_000_000 }, 1],
  ['blocklist', { terms: Array.from({ length: 200 }, (_, index) => `term${index} word`) }, 4],
  [
    'regex',
    {
      patterns: Array.from({ length: 10 }, (_, index) => ({
        pattern: String.raw`\bproject-${index}\d{3,8}\b`,
        ignoreCase: true,
      })),
    },
    6,
  ],
];
const bundle = compileBundle(
  configs.flatMap(([type, config, count]) =>
    Array.from({ length: count }, (_, index) => ({
      slug: `${type.replaceAll('_', '-')}-${index}`,
      type,
      stage: 'both' as const,
      action: type === 'prompt_injection' ? ('flag' as const) : ('redact' as const),
      config,
      priority: 1,
      onError: 'allow' as const,
    })),
  ),
);

const kinds: Record<string, string> = {
  prose: 'The quick brown fox jumps over the lazy dog, and writes to nobody about it at all. ',
  digits: '4111 1111 1111 1112 ',
  emails: 'jo@example.com, ',
  dashes: 'sk-xoxb-eyJ-',
  phones: '212-555-0100 ',
  words: 'ignore all the term1 word project-1 ',
  brackets: '((((1:2::3.4.5.',
};
for (const [kind, piece] of Object.entries(kinds)) {
  const figures = [2, 4, 256].map((kibibytes) => {
    const text = piece.repeat(Math.ceil((kibibytes * 1024) / piece.length)).slice(0, kibibytes * 1024);
    let best = Infinity;
    for (let run = 0; run < (kibibytes > 100 ? 2 : 20); run += 1) {
      const start = performance.now();
      const { results } = checkText(bundle, { text });
      best = Math.min(best, performance.now() - start);
      if (results.some(({ failed }) => failed)) best = Infinity;
    }
    return `${kibibytes} KiB ${best.toFixed(2)} ms`;
  });
  console.log(kind.padEnd(10), figures.join(', '));
}
