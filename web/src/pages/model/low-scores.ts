import type { ModelDetail } from '../../api/wire.ts';

type EvaluatorQuality = ModelDetail['quality']['byEvaluator'][number];

/** The filter for scores that are low beside an evaluator's others: those that failed, or, where it fails none, those up to its mean. */
export function lowScores({ avg_score: mean, fail_count: failed }: Pick<EvaluatorQuality, 'avg_score' | 'fail_count'>) {
  // Rounded up, so that scores that are all the same are not left out.
  return failed > 0 ? { passed: 'false' } : { maxScore: String(Math.ceil(mean * 1000) / 1000) };
}
