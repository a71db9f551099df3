import type { Evaluator, ModelDetail } from '../../api/service.ts';

type EvaluatorQuality = ModelDetail['quality']['byEvaluator'][number];

/** The lowest tenth of a scale has low scores. */
const lowShare = 0.1;

/** The scale of an evaluator: that of a judge, otherwise 0 to 1; null for scores that are on none of the two. */
function scaleOf(evaluator: Evaluator | undefined, mean: number): readonly [number, number] | null {
  const scale = evaluator?.config['scale'];
  if (Array.isArray(scale)) return [Number(scale[0]), Number(scale[1])];
  return mean >= 0 && mean <= 1 ? [0, 1] : null;
}

/**
 * The filter for low scores of an evaluator: failed ones, or, if none failed, those in the lowest tenth of the scale.
 *
 * @param evaluator undefined for scores of applications and people
 * @returns null if the scale is not known
 */
export function lowScores(
  { avg_score: mean, fail_count: failed }: Pick<EvaluatorQuality, 'avg_score' | 'fail_count'>,
  evaluator?: Evaluator,
): { passed: 'false' } | { maxScore: string } | null {
  if (failed > 0) return { passed: 'false' };
  const scale = scaleOf(evaluator, mean);
  return scale && { maxScore: String(Number((scale[0] + lowShare * (scale[1] - scale[0])).toPrecision(12))) };
}
