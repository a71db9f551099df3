import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { guardrailTypes } from '../../../../packages/guardrails/src/index.ts';
import { readPolicyFiles } from './read-files.ts';
import { policySchema } from './policy-schema.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
addFormats.default(ajv);
const check = ajv.compile(policySchema());

const environment = (fields: object) => ({
  apiVersion: 'spanwise/v1',
  kind: 'Environment',
  metadata: { name: 'production' },
  ...fields,
});
const guardrail = (spec: object) => ({ apiVersion: 'spanwise/v1', kind: 'Guardrail', metadata: { name: 'one' }, spec });
const configs: Record<(typeof guardrailTypes)[number], object> = {
  regex: { patterns: [{ pattern: 'a+', label: 'x', ignoreCase: true }] },
  blocklist: { terms: ['a'], wholeWords: false },
  pii: { entities: ['email'], phoneRegions: ['DE'] },
  secrets: { exclude: [] },
  prompt_injection: { threshold: 0.75 },
  max_length: { maxCharacters: 10 },
  json_schema: { schema: { type: 'object' } },
  llm_judge: { connection: 'Local', instructions: 'Block it.' },
};

/** Documents with whether they are policies. */
const documents: ReadonlyArray<[unknown, boolean]> = [
  [environment({}), true],
  [environment({ spec: {} }), true],
  [environment({ spec: { description: 'text' } }), true],
  [environment({ spec: { text: 'text' } }), false],
  [environment({ spec: null }), false],
  [environment({ metadata: { name: '-x' } }), false],
  [environment({ metadata: {} }), false],
  [environment({ apiVersion: 'spanwise/v2' }), false],
  [environment({ more: 1 }), false],
  [{ ...environment({}), kind: 'Other' }, false],
  [{ apiVersion: 'spanwise/v1' }, false],
  [[], false],
  ...guardrailTypes.flatMap((type): Array<[unknown, boolean]> => [
    [guardrail({ type, config: configs[type] }), true],
    [guardrail({ type, config: { ...configs[type], more: 1 } }), false],
    [guardrail({ type, config: configs[type], action: 'flag', stage: 'both', environments: null, enabled: false }), true],
    [guardrail({ type, config: configs[type], priority: 1.5 }), false],
    [
      guardrail({ type, config: configs[type], action: 'redact' }),
      ['regex', 'blocklist', 'pii', 'secrets', 'max_length'].includes(type),
    ],
    [guardrail({ type }), ['pii', 'secrets', 'prompt_injection'].includes(type)],
  ]),
  [guardrail({ type: 'regex', config: { patterns: [{ label: 'x' }] } }), false],
  [guardrail({ type: 'blocklist', config: { terms: [] } }), false],
  [guardrail({ type: 'other' }), false],
  [guardrail({}), false],
  [{ ...guardrail({ type: 'pii' }), spec: undefined }, false],
];

test.each(documents)('%j: the schema says what the reader says', (document, valid) => {
  const content = JSON.stringify(document);
  expect(readPolicyFiles([{ path: 'a.yaml', content }]).faults.length === 0).toBe(valid);
  const plain: unknown = JSON.parse(content);
  expect(check(plain)).toBe(valid);
});
