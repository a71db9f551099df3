import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { guardrailActivityQuery, guardrailsQuery } from '../../api/guardrails.ts';
import type { Guardrail } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import type { Sort } from '../../design/column.ts';
import { Snippet } from '../../design/copy.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { urlTo } from '../../api/operations.ts';
import { timelineOf } from '../../range.ts';
import { recentBySlug } from './activity-figures.ts';
import { guardrailColumns } from './guardrail-columns.tsx';

const recentRange = { range: '7d' } as const;

/** The list of guardrails with what they caught in the last seven days. */
export default function GuardrailsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const navigate = useNavigate();
  const query = useQuery(guardrailsQuery(projectId));
  const recent = useRecent();
  const [sort, setSort] = useState<Sort>({ id: 'name', descending: false });
  const columns = useMemo(() => guardrailColumns(at, recent), [at, recent]);
  const guardrails = query.data?.guardrails ?? [];
  const create = can('guardrails:manage') && (
    <Link {...pages.newGuardrail(at)} className={buttonClass('primary')}>
      <Plus aria-hidden />
      New guardrail
    </Link>
  );
  return (
    <Page title="Guardrails" fill actions={guardrails.length > 0 && create}>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : guardrails.length === 0 ? (
        <NoGuardrails action={create} />
      ) : (
        <DataTable<Guardrail>
          label="Guardrails"
          columns={columns}
          rows={guardrails}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          onOpen={({ slug }) => void navigate(pages.guardrail(at, slug))}
          className="min-h-0 flex-1 bg-surface"
          footer={<p className="px-3 py-2 text-xs text-ink-faint">{countedExactly(guardrails.length, 'guardrail')}</p>}
        />
      )}
    </Page>
  );
}

/** What each guardrail did in the last seven days; null while it loads, undefined if it is unknown. */
function useRecent() {
  const { projectId } = useProject();
  const nowMs = useNow(recentRange);
  const { data, isPending } = useQuery(guardrailActivityQuery(projectId, recentRange, { by: 'day' }));
  return useMemo(() => {
    if (isPending) return null;
    return data && recentBySlug(data, timelineOf(recentRange, nowMs, undefined, 'day').starts);
  }, [data, isPending, nowMs]);
}

function NoGuardrails({ action }: { action: ReactNode }): ReactNode {
  const command = [
    `curl ${location.origin}${urlTo('/v1/guardrails/check')} \\`,
    "  -H 'x-api-key: <your key>' -H 'content-type: application/json' \\",
    `  -d '{"text": "Call me at +1 202 555 0143", "stage": "input"}'`,
  ].join('\n');
  return (
    <div className="scroll-thin min-h-0 flex-1 overflow-auto pb-6">
      <Empty title="No guardrails" action={action}>
        A guardrail checks texts before they go to a model or after they come from one. It blocks, redacts or flags a text that
        has personal data, secrets, prompt injection or anything else that you define. Your application sends each text to be
        checked:
      </Empty>
      <div className="mx-auto w-full max-w-2xl px-4">
        <Snippet label="curl command to check a text" text={command} />
      </div>
    </div>
  );
}
