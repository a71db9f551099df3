import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListChecks, PenLine, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import type { Evaluator } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import type { Sort } from '../../design/column.ts';
import { Snippet } from '../../design/copy.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { urlTo } from '../../api/operations.ts';
import { evaluatorColumns } from './evaluator-columns.tsx';
import { ReportedEvaluators } from './reported-evaluators.tsx';

const none: ReadonlySet<string> = new Set();

/** The list of evaluators, with those whose scores are reported. */
export default function EvaluatorsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const navigate = useNavigate();
  const query = useQuery(evaluatorsQuery(projectId));
  const [sort, setSort] = useState<Sort>({ id: 'name', descending: false });
  const columns = useMemo(() => evaluatorColumns(at), [at]);
  const create = can('evaluations:manage') && (
    <Link {...pages.newEvaluator(at)} className={buttonClass('primary')}>
      <Plus aria-hidden />
      New evaluator
    </Link>
  );
  return (
    <Page
      title="Evaluators"
      fill
      actions={
        <>
          <Link {...pages.evaluations(at)} className={buttonClass()}>
            <ListChecks aria-hidden />
            Evaluations
          </Link>
          {create !== false && (
            <Link {...pages.annotation(at)} className={buttonClass()}>
              <PenLine aria-hidden />
              Annotate
            </Link>
          )}
          {create}
        </>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <div className="p-4">
          <PageSkeleton />
        </div>
      ) : query.data.evaluators.length === 0 ? (
        <>
          <ReportedEvaluators slugs={none} />
          <NoEvaluators action={create} />
        </>
      ) : (
        <>
          <DataTable<Evaluator>
            label="Evaluators"
            columns={columns}
            rows={query.data.evaluators}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            onOpen={({ id }) => void navigate(pages.evaluator(at, id))}
            className="min-h-0 flex-1 bg-surface"
          />
          <ReportedEvaluators slugs={new Set(query.data.evaluators.map(({ slug }) => slug))} />
        </>
      )}
    </Page>
  );
}

function NoEvaluators({ action }: { action: ReactNode }): ReactNode {
  const { projectId } = useProject();
  const command = [
    `curl ${location.origin}${urlTo('/v1/projects/{id}/evaluators', { id: projectId })} \\`,
    "  -H 'x-api-key: <your key>' -H 'content-type: application/json' \\",
    `  -d '{"slug": "no-apology", "type": "regex", "config": {"pattern": "^[^!]*$"}, "target": "trace"}'`,
  ].join('\n');
  return (
    <>
      <Empty title="No evaluators of this project" action={action}>
        Evaluators score spans, traces, sessions and dataset runs by a rule or with an LLM judge. Create one here or with the API:
      </Empty>
      <div className="mx-auto w-full max-w-2xl px-4">
        <Snippet label="curl command to create an evaluator" text={command} />
      </div>
    </>
  );
}
