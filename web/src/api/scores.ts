import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { traceOutlineQuery, traceQuery } from './traces.ts';
import type { RangeRequest } from '../range.ts';
import { useWrite } from './use-write.ts';
import type { Score, ScoreBody, ScoreChange, TraceDetail } from './service.ts';

/**
 * Records a score of a trace or a span. Requires `evaluations:manage`. Adds the score to the cached trace, because the service returns
 * it only after up to two seconds. A read that started earlier can still replace the cached trace by one without the score: scoring again
 * then updates the score that was recorded here.
 */
export function useRecordScore(projectId: string) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: (fields: ScoreBody & { traceId: string }) => {
      const earlier = client
        .getQueryData<Score[]>(recordedKey(projectId, fields.traceId))
        ?.find(({ evaluator, spanId }) => evaluator === fields.evaluator && spanId === (fields.spanId ?? null));
      return send(
        'POST',
        '/v1/projects/{id}/scores',
        { id: projectId },
        { ...(earlier && { scoreId: earlier.scoreId }), ...fields },
      );
    },
    onSuccess: async (recorded, { traceId }) => {
      client.setQueryData<Score[]>(recordedKey(projectId, traceId), (scores = []) => withScore(scores, recorded));
      await updateScores(client, projectId, traceId, (scores) => withScore(scores, recorded));
    },
  });
}

/** Scores that were recorded here, of a trace. */
const recordedKey = (projectId: string, traceId: string) => ['recorded-scores', projectId, traceId];

/** Changes the scores of the cached trace, and reads the figures of scores again. */
async function updateScores(
  client: QueryClient,
  projectId: string,
  traceId: string,
  next: (scores: readonly Score[]) => Score[],
): Promise<void> {
  for (const queryKey of [traceQuery(projectId, traceId).queryKey, traceOutlineQuery(projectId, traceId).queryKey]) {
    await client.cancelQueries({ queryKey, exact: true });
    client.setQueryData<Pick<TraceDetail, 'scores'>>(queryKey, (detail) =>
      detail === undefined ? detail : { ...detail, scores: next(detail.scores) },
    );
  }
  await client.invalidateQueries({ queryKey: ['score-summary', projectId] });
}

/** Adds a score, or replaces the one with its id. */
export function withScore(scores: readonly Score[], recorded: Score): Score[] {
  return [...scores.filter(({ scoreId }) => scoreId !== recorded.scoreId), recorded];
}

/** Figures and days of the scores of each evaluator. @param range by default of the last 30 days */
export function scoreSummaryQuery(projectId: string, evaluator?: string, range: RangeRequest = { range: '30d' }) {
  return queryOptions({
    queryKey: ['score-summary', projectId, evaluator ?? null, range],
    queryFn: ({ signal }) => get('/v1/projects/{id}/score-summary', { id: projectId, ...range, evaluator }, signal),
    staleTime: 30_000,
  });
}

/** Changes and deletes scores of traces. Requires `evaluations:manage`. The cached trace follows at once, as when a score is recorded. */
export function useScoreActions(projectId: string) {
  const client = useQueryClient();
  const show = async (traceId: string | null, next: (scores: readonly Score[]) => Score[]) => {
    if (traceId !== null) await updateScores(client, projectId, traceId, next);
  };
  return {
    change: useWrite({
      mutationFn: ({ score: { scoreId }, fields }: { score: Score; fields: ScoreChange }) =>
        send('PATCH', '/v1/projects/{id}/scores/{scoreId}', { id: projectId, scoreId }, fields),
      onSuccess: ({ scoreId, score, passed, label, comment }, { score: { traceId } }) =>
        show(traceId, (scores) =>
          scores.map((one) => (one.scoreId === scoreId ? { ...one, score, passed, label, comment } : one)),
        ),
    }),
    remove: useWrite({
      mutationFn: ({ scoreId }: Score) => send('DELETE', '/v1/projects/{id}/scores/{scoreId}', { id: projectId, scoreId }),
      onSuccess: async (_none, { scoreId, traceId }) => {
        const without = (scores: readonly Score[]) => scores.filter((one) => one.scoreId !== scoreId);
        // Else the next score of its evaluator would be sent with its id.
        if (traceId !== null) client.setQueryData<Score[]>(recordedKey(projectId, traceId), (scores = []) => without(scores));
        await show(traceId, without);
      },
    }),
  };
}
