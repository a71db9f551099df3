import type { Score } from '../../api/service.ts';

/**
 * The scores to show beside the form: those of evaluators, and others' of the chosen evaluator, only once the viewer has scored the trace, so that
 * they do not sway the viewer.
 *
 * @param mayScore whether the viewer scores at all
 */
export function shownScores(
  scores: readonly Score[],
  { evaluator, userId, mayScore }: { evaluator: string; userId: string; mayScore: boolean },
): { shown: Score[]; hidden: number } {
  const isOwn = (score: Score) => score.source === 'annotation' && score.recordedBy?.id === userId;
  const hasScored = scores.some((score) => score.evaluator === evaluator && score.spanId === null && isOwn(score));
  if (!mayScore || hasScored) return { shown: [...scores], hidden: 0 };
  const shown = scores.filter((score) => isOwn(score) || (score.source !== 'evaluator' && score.evaluator !== evaluator));
  return { shown, hidden: scores.length - shown.length };
}
