import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileBundle } from '../compile-bundle.ts';
import { configWithDefaults, measureConfig } from '../validate-config.ts';
import { describeType, guardrailTypes } from './index.ts';
import { piiEntities, piiEntityTitles } from './pii.ts';

const filesIn = (folder: string, others: RegExp) =>
  globSync('*.ts', { cwd: folder })
    .filter((file) => !others.test(file))
    .toSorted();

test('every file of a type is in the list', () => {
  const files = filesIn(import.meta.dirname, /^(?:index|guardrail-type|.*\.test)\.ts$/);
  expect(files).toEqual(guardrailTypes.map((type) => `${type.replaceAll('_', '-')}.ts`).toSorted());
});

test.each(guardrailTypes)('the description of %s holds together', (type) => {
  const { name, title, hint, example, redacts, defaultAction, detector } = describeType(type);
  expect(name).toBe(type);
  expect(title).toMatch(/^[A-Z]/);
  expect(hint).toMatch(/^[A-Z].*\.$/);
  expect(defaultAction === 'redact' && !redacts).toBe(false);
  const guardrail = {
    slug: 'a',
    type,
    stage: 'input',
    action: defaultAction,
    config: example,
    priority: 1,
    onError: 'block',
  } as const;
  expect(measureConfig(guardrail).problems).toEqual([]);
  expect(measureConfig({ ...guardrail, config: configWithDefaults(type, example) }).problems).toEqual([]);
  const [compiled] = compileBundle([guardrail]).guardrails;
  expect(compiled?.detector === undefined).toBe(detector === undefined);
});

test.each(piiEntities)('the entity %s has its name as label', (name) => {
  const guardrail = { slug: 'a', type: 'pii', stage: 'input', action: 'flag', priority: 1, onError: 'block' } as const;
  expect(measureConfig({ ...guardrail, config: { entities: [name] } }).problems).toEqual([]);
  expect(piiEntityTitles[name]).toMatch(/^[A-Z]/);
});
