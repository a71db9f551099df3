import type { LinearModel } from './training.ts';

/** The margin whose score is 0.5: cross-validation finds about one benign text in a hundred above it. */
const center = 0.2;

/** The source of packages/guardrails/src/injection/weights.ts: the weights in 8 bits each. */
export function weightsFile({ weights, bias }: LinearModel): string {
  const scale = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  const packed = Buffer.from(bytes.buffer).toString('base64');
  return [
    '// Written by scripts/train-injection-model.ts from test/fixtures/guardrails/injection.jsonl.',
    `export const scale = ${scale};`,
    `export const bias = ${bias};`,
    '/** The margin whose score is 0.5. */',
    `export const center = ${center};`,
    '/** A weight for each feature, 8 bits with a sign, in Base64. */',
    `export const packed =\n  '${packed}';`,
    '',
  ].join('\n');
}
