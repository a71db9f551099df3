import { eachByte } from '../base64.ts';
import { distinctFeatures, featureCount, isJudged, normOf } from './features.ts';
import { bias, center, packed, scale } from './weights.ts';

/** How steeply the score rises around the margin that counts as 0.5. */
const steepness = 4;
let weights: Int8Array | null = null;

/**
 * How sure the model is that a segment is an injected instruction, 0 to 1; 0 for one that is too short. Time linear in the segment.
 *
 * @param text in the form of `plainText` and lower case
 */
export function modelScore(text: string, from: number, to: number): number {
  if (!isJudged(text, from, to)) return 0;
  const table = (weights ??= unpacked());
  let sum = 0;
  const count = distinctFeatures(text, from, to, (index) => {
    sum += table[index] ?? 0;
  });
  return scoreOf((sum * scale) / normOf(count) + bias, center);
}

/** The score of a margin. @param middle the margin whose score is 0.5 */
export function scoreOf(margin: number, middle: number): number {
  return 1 / (1 + Math.exp(-steepness * (margin - middle)));
}

function unpacked(): Int8Array {
  const table = new Int8Array(featureCount);
  let at = 0;
  eachByte(packed, (byte) => {
    if (at < featureCount) table[at++] = byte;
    return true;
  });
  return table;
}
