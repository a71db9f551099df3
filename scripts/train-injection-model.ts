// Trains the model of prompt injections on test/fixtures/guardrails/injection.jsonl: node scripts/run.mjs scripts/train-injection-model.ts [--folds 10]
// Without arguments it writes packages/guardrails/src/injection/weights.ts; with --folds it prints what cross-validation finds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf, generator, marginOf, shuffle, train } from './injection-model/training.ts';
import type { LabelledText } from './injection-model/training.ts';
import { plainText } from '../packages/guardrails/src/injection/plain-text.ts';
import { injectionPatterns } from '../packages/guardrails/src/injection/injection-patterns.ts';
import { compilePatterns } from '../packages/guardrails/src/pattern-set.ts';
import { weightsFile } from './injection-model/weights-file.ts';

interface Row extends LabelledText {
  set: string;
}

const root = join(import.meta.dirname, '..');
const rows = readFileSync(join(root, 'test/fixtures/guardrails/injection.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Row);
const patterns = compilePatterns(injectionPatterns.map(({ pattern }) => ({ pattern, ignoreCase: true })));
const byPattern = rows.map(({ text }) => patterns.find(plainText(text).text).matches.length > 0);
const folds = Number(process.argv[process.argv.indexOf('--folds') + 1]);
if (!process.argv.includes('--folds'))
  writeFileSync(join(root, 'packages/guardrails/src/injection/weights.ts'), weightsFile(train(rows)));
else for (const seed of [1, 2, 3]) crossValidate(seed);

/** Prints for some margins how many texts are found by the patterns or by a model that was trained without them. */
function crossValidate(seed: number): void {
  const order = rows.map((_, index) => index);
  shuffle(order, generator(seed));
  const margins = rows.map(() => -Infinity);
  for (let fold = 0; fold < folds; fold += 1) {
    const held = new Set(order.filter((_, place) => place % folds === fold));
    const model = train(rows.filter((_, index) => !held.has(index)));
    for (const index of held) margins[index] = marginOf(model, examplesOf(rows[index]?.text ?? ''));
  }
  const count = (least: number, injection: boolean, set?: string) =>
    rows.filter(
      (row, index) =>
        row.injection === injection &&
        (set === undefined || row.set === set) &&
        (byPattern[index] === true || (margins[index] ?? 0) >= least),
    ).length;
  for (const least of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    const sets = ['deepset', 'bipia', 'notinject'].map(
      (set) => `${set} ${count(least, true, set)} found, ${count(least, false, set)} false`,
    );
    console.log(`seed ${seed}, margin ${least}: ${sets.join('; ')}`);
  }
}
