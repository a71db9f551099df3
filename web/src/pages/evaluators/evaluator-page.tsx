import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { evaluatorQuery, useEvaluatorActions } from '../../api/evaluators.ts';
import { scoreSummaryQuery } from '../../api/scores.ts';
import type { Evaluator } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Score } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DeleteEvaluator } from './delete-evaluator.tsx';
import { EvaluatorForm } from './evaluator-form.tsx';
import { changedFields, formOf } from './form-values.ts';
import { LatestEvaluations } from './latest-evaluations.tsx';
import { ScoreTrend } from './reported-evaluators.tsx';
import { EvaluatorsTrail } from './new-evaluator-page.tsx';

/** One evaluator: settings and latest evaluations. */
export default function EvaluatorPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { evaluatorId } = useParams({ from: '/o/$org/p/$project/evaluators/$evaluatorId' });
  const query = useQuery(evaluatorQuery(projectId, evaluatorId));
  if (!query.data) {
    return (
      <Page title="Evaluator" trail={<EvaluatorsTrail />}>
        {query.error ? (
          <Failure
            error={query.error}
            what="Evaluator"
            back={<BackLink {...pages.evaluators(at)}>Back to evaluators</BackLink>}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <PageSkeleton />
        )}
      </Page>
    );
  }
  const evaluator = query.data;
  const canManage = can('evaluations:manage');
  return (
    <Page
      title={evaluator.name}
      trail={<EvaluatorsTrail />}
      badges={!evaluator.enabled && <Badge>disabled</Badge>}
      actions={
        canManage && (
          <>
            <Link {...pages.annotation(at)} search={{ evaluator: evaluator.slug }} className={buttonClass()}>
              <PenLine aria-hidden />
              Annotate
            </Link>
            <DeleteEvaluator evaluator={evaluator} />
          </>
        )
      }
    >
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1.1fr)_minmax(22rem,1fr)]">
        <Change key={evaluator.id} evaluator={evaluator} readOnly={!canManage} />
        <div className="flex min-w-0 flex-col gap-3">
          <Trend slug={evaluator.slug} />
          <LatestEvaluations evaluator={evaluator} />
        </div>
      </div>
    </Page>
  );
}

/** The daily means of the evaluator's scores. */
function Trend({ slug }: { slug: string }): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(scoreSummaryQuery(projectId, slug));
  const summary = data?.evaluators[0];
  if (summary === undefined) return null;
  return (
    <Card title="Mean score a day, last 30 days">
      <div className="flex items-center gap-3 px-3 py-2.5">
        <ScoreTrend summary={summary} />
        {summary.avg !== null && <Score value={summary.avg} note="Mean score" />}
        <span className="text-ink-faint">{countedExactly(summary.count, 'score')}</span>
      </div>
    </Card>
  );
}

function Change({ evaluator, readOnly }: { evaluator: Evaluator; readOnly: boolean }): ReactNode {
  const { projectId } = useProject();
  const { change } = useEvaluatorActions(projectId);
  const say = useToast();
  const initial = useMemo(() => formOf(evaluator), [evaluator]);
  return (
    <EvaluatorForm
      initial={initial}
      action="Save"
      busy={change.isPending}
      error={change.error}
      readOnly={readOnly}
      onSubmit={(form, filled, done) =>
        change.mutate(
          { id: evaluator.id, ...changedFields(form, filled) },
          {
            onSuccess: () => {
              done();
              say('Saved. Applies to new data.');
            },
          },
        )
      }
    />
  );
}
