import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { latestEvaluationsQuery } from '../../api/evaluators.ts';
import { failureOf } from '../../api/failure-of.ts';
import { Badge } from '../../design/badge.tsx';
import { Absent, Score, Share } from '../../design/figures.tsx';
import { useProject } from '../../frame/project-context.ts';
import { recentResults } from './recent-results.ts';

/** The pass rate of the latest evaluations; the mean score for an evaluator without threshold. */
export function RecentPassRate({ evaluatorId }: { evaluatorId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(latestEvaluationsQuery(projectId, evaluatorId));
  if (query.error && failureOf(query)) return <Absent why={query.error.message} text="unknown" />;
  if (!query.data) return <span className="text-ink-faint">…</span>;
  const { passRate, judged, meanScore, completed, failed, runs } = recentResults(query.data.evaluations);
  return (
    <span className="inline-flex items-center gap-1.5">
      {failed > 0 && (
        <Badge tone="bad" title={`${failed} of the latest ${runs} evaluations failed`}>
          {failed} failed
        </Badge>
      )}
      {passRate !== null ? (
        <Share value={passRate} note={`of the latest ${judged} evaluations with a verdict`} />
      ) : meanScore === null ? (
        <Absent why={runs === 0 ? 'No evaluations' : 'No scores'} />
      ) : (
        <span>
          mean <Score value={meanScore} note={`Mean score of the latest ${completed} evaluations. No pass threshold.`} />
        </span>
      )}
    </span>
  );
}
