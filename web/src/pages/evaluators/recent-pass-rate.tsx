import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { latestEvaluationsQuery } from '../../api/evaluators.ts';
import { Badge } from '../../design/badge.tsx';
import { Absent } from '../../design/figures.tsx';
import { formatScore, formatShare } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { recentResults } from './recent-results.ts';

/** How many of the latest runs of an evaluator passed; their mean score where it has no threshold. */
export function RecentPassRate({ evaluatorId }: { evaluatorId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(latestEvaluationsQuery(projectId, evaluatorId));
  if (query.error) return <Absent why={query.error.message} text="not known" />;
  if (!query.data) return <span className="text-ink-faint">…</span>;
  const { passRate, judged, meanScore, completed, failed, runs } = recentResults(query.data.evaluations);
  return (
    <span className="inline-flex items-center gap-1.5">
      {failed > 0 && (
        <Badge tone="bad" title={`${failed} of the latest ${runs} runs could not be evaluated`}>
          {failed} failed
        </Badge>
      )}
      {passRate !== null ? (
        <span className="numbers" title={`of the latest ${judged} runs that passed or did not`}>
          {formatShare(passRate)}
        </span>
      ) : meanScore === null ? (
        <Absent why={runs === 0 ? 'It has not run yet' : 'None of its latest runs has a score'} />
      ) : (
        <span className="numbers" title={`mean of the latest ${completed} runs; without a pass threshold none passes`}>
          ⌀ {formatScore(meanScore)}
        </span>
      )}
    </span>
  );
}
