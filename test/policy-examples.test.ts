import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkText, compileBundle } from '../packages/guardrails/src/index.ts';
import { isTestFile } from '../src/features/policies/documents/files-read.ts';
import { readPolicyFiles } from '../src/features/policies/documents/read-files.ts';

const folder = join(import.meta.dirname, '../docs/examples/policies');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => ({ path, content: readFileSync(join(folder, path), 'utf8') }));
const read = readPolicyFiles(files);

interface Case {
  name: string;
  text: string;
  stage?: 'input' | 'output';
  environment?: string;
  expect: { action: string; text?: string; triggered?: string[] };
}

test('the example files are valid and name nothing that they do not define', () => {
  expect(read.faults).toEqual([]);
  expect(read.references).toEqual([]);
  expect(read.policies.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'Environment production',
    'Environment staging',
    'Guardrail code-names',
    'Guardrail emails-in-questions',
    'Guardrail long-questions',
    'Guardrail no-payment-data',
    'Guardrail no-secrets',
  ]);
});

const cases = files
  .filter(({ path }) => isTestFile(path))
  .flatMap(({ content }) => parseAllDocuments(content).map((document) => document.toJS() as Case));

test.each(cases)('example case: $name', ({ text, stage = 'input', environment, expect: expected }) => {
  const guardrails = read.policies.flatMap((policy) => {
    if (policy.kind !== 'Guardrail') return [];
    const { displayName, config, ...spec } = policy.spec;
    return [{ ...spec, slug: policy.name, name: displayName, config: config as Readonly<Record<string, unknown>> }];
  });
  const outcome = checkText(compileBundle(guardrails), { text, stage, ...(environment === undefined ? {} : { environment }) });
  expect(outcome.action).toBe(expected.action);
  if (expected.text !== undefined) expect(outcome.text).toBe(expected.text);
  if (expected.triggered)
    expect(outcome.results.flatMap(({ guardrail, triggered }) => (triggered ? [guardrail] : []))).toEqual(expected.triggered);
});
