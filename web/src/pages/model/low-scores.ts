import type { ModelDetail } from '../../api/wire.ts';

type EvaluatorQuality = ModelDetail['quality']['byEvaluator'][number];

/** The filter for low scores of an evaluator: failed ones, or, if none failed, those up to the mean. */
export function lowScores({ avg_score: mean, fail_count: failed }: Pick<EvaluatorQuality, 'avg_score' | 'fail_count'>) {
  // Rounded up, so that identical scores match.
  return failed > 0 ? { passed: 'false' } : { maxScore: String(Math.ceil(mean * 1000) / 1000) };
}
