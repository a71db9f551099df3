import { useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { send } from './client.ts';
import { traceOutlineQuery, traceQuery } from './traces.ts';
import { useWrite } from './use-write.ts';
import type { Score, ScoreFields, TraceDetail } from './wire.ts';

/**
 * Records a score of a trace or a span. Requires `evaluations:manage`. Adds the score to the cached trace, because the service returns
 * it only after up to two seconds. A read that started earlier can still replace the cached trace by one without the score: scoring again
 * then updates the score that was recorded here.
 */
export function useRecordScore(projectId: string) {
  const client = useQueryClient();
  const recordedKey = (traceId: string) => ['recorded-scores', projectId, traceId];
  return useWrite({
    mutationFn: (fields: ScoreFields & { traceId: string }) => {
      const earlier = client
        .getQueryData<Score[]>(recordedKey(fields.traceId))
        ?.find(({ evaluator, spanId }) => evaluator === fields.evaluator && spanId === (fields.spanId ?? null));
      return send<Score>('POST', endpoints.scores(projectId), { ...(earlier && { scoreId: earlier.scoreId }), ...fields });
    },
    onSuccess: async (recorded, { traceId }) => {
      const keys = [traceQuery(projectId, traceId).queryKey, traceOutlineQuery(projectId, traceId).queryKey];
      client.setQueryData<Score[]>(recordedKey(traceId), (scores = []) => withScore(scores, recorded));
      for (const queryKey of keys) {
        await client.cancelQueries({ queryKey, exact: true });
        client.setQueryData<Pick<TraceDetail, 'scores'>>(queryKey, (detail) =>
          detail === undefined ? detail : { ...detail, scores: withScore(detail.scores, recorded) },
        );
      }
    },
  });
}

/** Adds a score, or replaces the one with its id. */
export function withScore(scores: readonly Score[], recorded: Score): Score[] {
  return [...scores.filter(({ scoreId }) => scoreId !== recorded.scoreId), recorded];
}
