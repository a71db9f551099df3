import { useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../paths.ts';
import { send } from './client.ts';
import { traceQuery } from './traces.ts';
import { useWrite } from './use-write.ts';
import type { Score, ScoreFields, TraceDetail } from './wire.ts';

/**
 * Records a score of a trace or a span; needs `evaluations:manage`. What was read of the trace gets it at once: the service takes up to two
 * seconds until it reads it itself.
 */
export function useRecordScore(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (fields: ScoreFields & { traceId: string }) => send<Score>('POST', endpoints.scores(projectId), fields),
    onSuccess: (recorded, { traceId }) => {
      client.setQueryData<TraceDetail>(traceQuery(projectId, traceId).queryKey, (detail) =>
        detail === undefined ? detail : { ...detail, scores: withScore(detail.scores, recorded) },
      );
    },
  });
}

/** Scores with one more, or with one replaced, as the service does it. */
export function withScore(scores: readonly Score[], recorded: Score): Score[] {
  return [...scores.filter(({ scoreId }) => scoreId !== recorded.scoreId), recorded];
}
