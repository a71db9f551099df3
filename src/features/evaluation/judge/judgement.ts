import type { JsonObject } from '../../model-connections/index.ts';
import { storableComment } from '../types/evaluator-type.ts';

/** An answer without a usable score; the message completes the sentence "The judge ...". */
export class NoJudgement extends Error {}

export interface Judgement {
  score: number;
  reasoning: string | null;
}

/**
 * Reads the score and the reasoning of a judge's answer.
 *
 * @param scale lowest and highest score
 * Errors: {@link NoJudgement} unless the score is a finite number on the scale.
 */
export function judgementOf({ score: given, reasoning }: JsonObject, [min, max]: readonly [number, number]): Judgement {
  // Models that are asked for a number write it as a text now and then.
  const score = typeof given === 'string' && /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(given.trim()) ? Number(given) : given;
  if (score === undefined) throw new NoJudgement('gave no score');
  if (typeof score !== 'number' || !Number.isFinite(score)) throw new NoJudgement('gave a score that is not a number');
  if (score < min || score > max) throw new NoJudgement(`gave the score ${score}, which is not between ${min} and ${max}`);
  return { score, reasoning: typeof reasoning === 'string' && reasoning !== '' ? storableComment(reasoning) : null };
}
