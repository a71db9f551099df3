import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { latestEvaluationsQuery } from '../../api/evaluators.ts';
import type { EvaluationRecord, EvaluatorRecord } from '../../api/wire.ts';
import { Card, Stat } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatScore, formatShare } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { saidOf, ScoreCell, StatusBadge, TargetLink } from './evaluation-cells.tsx';
import { recentResults } from './recent-results.ts';

const shown = 12;

/** What the latest runs of an evaluator came to, and the last of them. */
export function LatestRuns({ evaluator }: { evaluator: EvaluatorRecord }): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(latestEvaluationsQuery(projectId, evaluator.id));
  const runs = query.data?.evaluations;
  return (
    <Card
      title="Latest runs"
      aside={
        <Link {...pages.evaluations(at)} search={{ evaluator: evaluator.slug }} className="text-accent hover:underline">
          All runs
        </Link>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !runs ? (
        <Skeleton className="m-3 h-40" />
      ) : runs.length === 0 ? (
        <Empty title="It has not run yet">
          {evaluator.enabled
            ? 'It runs on what arrives from now on, and on items that are added to dataset runs.'
            : 'It is off. Enable it, and it runs on what arrives from then on.'}
        </Empty>
      ) : (
        <>
          <div className="p-3">
            <Results runs={runs} />
          </div>
          <ul>
            {runs.slice(0, shown).map((run) => (
              <Run key={run.id} run={run} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Results({ runs }: { runs: readonly EvaluationRecord[] }): ReactNode {
  const { passRate, judged, meanScore, completed, failed } = recentResults(runs);
  return (
    <dl className="grid grid-cols-3 gap-2">
      <Stat
        label="Passed"
        value={passRate === null ? '–' : formatShare(passRate)}
        note={judged === 0 ? 'no threshold' : `of ${judged} runs`}
      />
      <Stat label="Mean score" value={meanScore === null ? '–' : formatScore(meanScore)} note={`of ${completed} runs`} />
      <Stat label="Not evaluated" value={failed} note="failed for good" {...(failed > 0 ? { tone: 'bad' as const } : {})} />
    </dl>
  );
}

function Run({ run }: { run: EvaluationRecord }): ReactNode {
  const said = saidOf(run);
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
      {said !== null && <VisibleLine text={said} className="text-xs text-ink-soft" />}
    </li>
  );
}
