import fc from 'fast-check';
import { defaultActionOf } from '../../contract/guardrails.ts';
import type { GuardrailTypeName } from '../../contract/guardrails.ts';
import type { Specification } from '../policy-revisions/index.ts';

/** Characters that YAML has as escapes of their own, and others that it has as numbers. */
const controls = [...'\0\x01\x07\b\t\n\v\f\r\x1b\x7f\u0085\u00a0\u2028\u2029\ufeff"\\/'];

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...controls) }),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '1.0',
    '0x1f',
    '- a',
    'a: b',
    '# no',
    "it's",
    '"x"',
    ' lead',
    'trail ',
    'a\nb\n',
    '\n',
    '\ttab',
    '\u0085',
    '\ufffd',
    '{',
    '<<',
    '...',
    '---',
    '!tag',
    '&a',
    '*a',
    '%',
  ),
);
const term = text.filter((value) => value.trim() !== '');
/** What the schema of a name and a description takes. */
const line = text.map((value) => value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim() || 'x');
const label = text.filter((value) => value.length <= 100);

const configs = {
  regex: fc.record({
    patterns: fc.array(
      fc.record(
        { pattern: fc.constantFrom('a+', '[xyz]', String.raw`\d{2}`, 'é|\u{1f600}'), label, ignoreCase: fc.boolean() },
        { requiredKeys: ['pattern'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  blocklist: fc.record(
    { terms: fc.array(term, { minLength: 1, maxLength: 4 }), ignoreCase: fc.boolean(), wholeWords: fc.boolean() },
    { requiredKeys: ['terms'] },
  ),
  pii: fc.record(
    { entities: fc.subarray(['email', 'iban', 'phone'], { minLength: 1 }), phoneRegions: fc.constant(['US']) },
    { requiredKeys: [] },
  ),
  secrets: fc.record({ exclude: fc.subarray(['jwt', 'npm_token']) }, { requiredKeys: [] }),
  prompt_injection: fc.record({ threshold: fc.constantFrom(0, 0.5, 0.75, 1) }, { requiredKeys: [] }),
  max_length: fc.record({ maxCharacters: fc.integer({ min: 1, max: 10_000_000 }) }),
  json_schema: fc.record({
    schema: fc.oneof(
      fc.boolean(),
      fc.record({ type: fc.constant('object'), const: fc.jsonValue({ maxDepth: 3 }), title: text }, { requiredKeys: [] }),
    ),
  }),
} satisfies Partial<Record<GuardrailTypeName, fc.Arbitrary<object>>>;
const types = Object.keys(configs) as Array<keyof typeof configs>;

const environment = fc
  .record({ name: fc.constantFrom('production', 'a..', 'B_2', '0', 'null', 'yes'), description: fc.oneof(fc.constant(''), line) })
  .map(({ name, description }): Specification => ({ kind: 'Environment', name, spec: { description } }));

const guardrail = fc.constantFrom(...types).chain((type) =>
  fc
    .record({
      name: fc.constantFrom('a', 'b', '1', '-', 'null', 'on-2'),
      config: configs[type],
      displayName: fc.option(line, { nil: undefined }),
      stage: fc.constantFrom('input' as const, 'output' as const, 'both' as const),
      action: fc.constantFrom(undefined, 'block' as const, 'flag' as const),
      priority: fc.constantFrom(0, 100, 1_000_000),
      enabled: fc.boolean(),
      onError: fc.constantFrom('allow' as const, 'block' as const),
    })
    .map(({ name, displayName = name, action = defaultActionOf(type), config, ...fields }): Specification => {
      // As it is stored and read back.
      const stored: unknown = JSON.parse(JSON.stringify(config));
      return { kind: 'Guardrail', name, spec: { displayName, type, action, config: stored, environments: null, ...fields } };
    }),
);

/** Random policies, at most one of a kind and name; no judges. */
export const policySets: fc.Arbitrary<Specification[]> = fc.uniqueArray(fc.oneof(environment, guardrail), {
  maxLength: 8,
  selector: ({ kind, name }) => `${kind} ${name}`,
});
