import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliveries } from '../../packages/sdk/scripts/delivery-vectors.ts';
import { compiledPrompts, guardedTexts } from '../../packages/sdk/scripts/vectors.ts';

const read = (name: string): unknown[] =>
  readFileSync(new URL(`../../packages/vectors/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

// The SDK for Python reads the same files. After a change: node packages/sdk/scripts/write-vectors.ts
test('the vectors are those of this SDK', () => {
  expect(read('compiled-prompts')).toEqual(compiledPrompts());
  expect(read('guarded-texts')).toEqual(guardedTexts());
});

test('the courses of deliveries are those of this SDK', async () => {
  expect(read('deliveries')).toEqual(await deliveries());
});

test('whatever arrives, what was shown stays', () => {
  for (const { steps, whole } of guardedTexts()) {
    for (const { shown } of steps) expect(whole.action === 'block' || whole.text.startsWith(shown)).toBe(true);
  }
});
