import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { latestEvaluationsQuery } from '../../api/evaluators.ts';
import type { Evaluation, Evaluator } from '../../api/service.ts';
import { Card, Stat } from '../../design/card.tsx';
import { Moment, Score, Share } from '../../design/figures.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { noteOf, ScoreCell, StatusBadge, TargetLink } from './evaluation-cells.tsx';
import { recentResults } from './recent-results.ts';

const maxShown = 12;

/** Results of the latest evaluations of an evaluator, and the last twelve of them. */
export function LatestEvaluations({ evaluator }: { evaluator: Evaluator }): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(latestEvaluationsQuery(projectId, evaluator.id, true));
  const runs = query.data?.evaluations;
  return (
    <Card
      title="Latest evaluations"
      aside={
        <Link {...pages.evaluations(at)} search={{ evaluator: evaluator.slug }} className="text-accent hover:underline">
          View all
        </Link>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !runs ? (
        <Skeleton className="m-3 h-40" />
      ) : runs.length === 0 ? (
        <Empty title="No evaluations">
          {evaluator.enabled ? 'Scores new data and items added to dataset runs.' : 'The evaluator is disabled.'}
        </Empty>
      ) : (
        <>
          <div className="p-3">
            <Results runs={runs} />
          </div>
          <ul>
            {runs.slice(0, maxShown).map((run) => (
              <Run key={run.id} run={run} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Results({ runs }: { runs: readonly Evaluation[] }): ReactNode {
  const { passRate, judged, meanScore, completed, failed } = recentResults(runs);
  return (
    <dl className="grid grid-cols-3 gap-2">
      <Stat
        label="Pass rate"
        value={passRate === null ? '–' : <Share value={passRate} />}
        note={judged === 0 ? 'no threshold' : `of ${judged} evaluations`}
      />
      <Stat
        label="Mean score"
        value={meanScore === null ? '–' : <Score value={meanScore} />}
        note={`of ${completed} evaluations`}
      />
      <Stat label="Failed" value={failed} note="after retries" {...(failed > 0 ? { tone: 'bad' as const } : {})} />
    </dl>
  );
}

function Run({ run }: { run: Evaluation }): ReactNode {
  const note = noteOf(run);
  return (
    <li className="border-t border-line px-3 py-1.5">
      <div className="flex items-center gap-2">
        {run.status === 'completed' ? <ScoreCell score={run.score} passed={run.passed} /> : <StatusBadge status={run.status} />}
        <span className="min-w-0 flex-1">
          <TargetLink target={run.target} />
        </span>
        <span className="text-xs text-ink-faint">
          <Moment ago iso={run.createdAt} />
        </span>
      </div>
      {note !== null && <VisibleLine text={note} className="text-xs text-ink-soft" />}
    </li>
  );
}
