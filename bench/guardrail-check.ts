// Time of a local check of 20 guardrails, by guardrails, kind and size of text: node scripts/run.mjs bench/guardrail-check.ts [KINDS OF GUARDRAILS]
import { checkText, compileBundle, piiEntities } from '../packages/guardrails/src/index.ts';
import type { Bundle, GuardrailType } from '../packages/guardrails/src/index.ts';

type Config = [type: GuardrailType, config: unknown];

const hostilePatterns = ['(a+)+$', '(?:a|aa)+b', '(.*)*x', String.raw`\b\d{4}-\d{4}\b`].map((pattern) => ({ pattern }));
const twenty = (configOf: (index: number) => Config): Config[] => Array.from({ length: 20 }, (_, index) => configOf(index));
const terms = (suffix: number | string) => Array.from({ length: 1_000 }, (_, index) => `term${index} word${suffix}`);
const mixed: readonly Config[] = [
  ['pii', {}],
  ['secrets', {}],
  ['prompt_injection', {}],
  ['blocklist', { terms: terms('') }],
];
const sets: Record<string, readonly Config[]> = {
  mixed: twenty((index) =>
    index < 12
      ? (mixed[index % 4] ?? ['pii', {}])
      : ['regex', { patterns: [...hostilePatterns, { pattern: `secret-${index}`, ignoreCase: true }] }],
  ),
  pii: twenty((index) => {
    const entity = piiEntities[index % 6];
    if (index < 6) return ['pii', { entities: [entity] }];
    return ['pii', index < 12 ? { entities: piiEntities.filter((other) => other !== entity) } : {}];
  }),
  blocklist: twenty((index) => ['blocklist', { terms: terms(index) }]),
  regex: twenty((index) => ['regex', { patterns: [...hostilePatterns, { pattern: `q${index}` }] }]),
};
const kinds: Record<string, string> = {
  prose: 'The quick brown fox jumps over the lazy dog, and writes to nobody about it at all. ',
  a: 'a',
  'a!': 'a!',
  'groups of 3': '212 ',
  'groups of 4': '4111 1111 1111 1112 ',
  phones: '+49 30 12345678 ',
  accounts: 'GB82 WEST 1234 5698 7654 33 ',
  emails: 'jo@example.com, ',
  dashes: 'sk-xoxb-eyJ-',
  words: 'ignore all the term1 word project-1 ',
  brackets: '((((1:2::3.4.5.',
  emoji: '😀',
};

function bundleOf(configs: readonly Config[]): Bundle {
  return compileBundle(
    configs.map(([type, config], index) => ({
      slug: `g${index}`,
      type,
      stage: 'both',
      action: type === 'prompt_injection' ? 'flag' : 'redact',
      config,
      priority: 1,
      onError: 'allow',
    })),
  );
}

/** CPU time of this thread, which other programs do not lengthen. Its clock is too coarse for short texts. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const wanted = process.argv.slice(2);
for (const [name, configs] of Object.entries(sets)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const bundle = bundleOf(configs);
  for (const [kind, piece] of Object.entries(kinds)) {
    const figures = [2, 4, 256].map((kibibytes) => {
      const length = Math.floor((kibibytes * 1024) / Buffer.byteLength(piece)) * piece.length;
      const text = piece.repeat(Math.ceil(length / piece.length));
      let best = Infinity;
      for (let run = 0; run < (kibibytes > 100 ? 2 : 20); run += 1) {
        const started = kibibytes > 100 ? cpuMs() : performance.now();
        const { results } = checkText(bundle, { text });
        best = Math.min(best, (kibibytes > 100 ? cpuMs() : performance.now()) - started);
        if (results.some(({ failed }) => failed)) best = Infinity;
      }
      return `${kibibytes} KiB ${best.toFixed(2)} ms`;
    });
    console.log(name.padEnd(10), kind.padEnd(12), figures.join(', '));
  }
}
