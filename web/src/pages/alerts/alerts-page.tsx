import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { alertsQuery } from '../../api/alerts.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { AlertRule } from '../../api/service.ts';
import { buttonClass } from '../../design/button.tsx';
import type { Sort } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { alertColumns } from './alert-columns.tsx';

const pollMs = 60_000;

/** The list of alert rules with their state. */
export default function AlertsPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const navigate = useNavigate();
  const query = useQuery({ ...alertsQuery(projectId), refetchInterval: pollMs });
  const [sort, setSort] = useState<Sort>({ id: 'state', descending: false });
  const columns = useMemo(() => alertColumns(at), [at]);
  const rules = query.data?.alerts ?? [];
  const create = can('alerts:manage') && (
    <Link {...pages.newAlert(at)} className={buttonClass('primary')}>
      <Plus aria-hidden />
      New rule
    </Link>
  );
  return (
    <Page title="Alerts" fill actions={rules.length > 0 && create}>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : rules.length === 0 ? (
        <Empty title="No alert rules" action={create}>
          A rule watches error rate, latency, cost, quality, guardrails or ingestion. When it fires it opens an incident and
          notifies by email or webhook.
        </Empty>
      ) : (
        <DataTable<AlertRule>
          label="Alert rules"
          columns={columns}
          rows={rules}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={setSort}
          onOpen={({ id }) => void navigate(pages.alert(at, id))}
          className="min-h-0 flex-1 bg-surface"
          footer={<p className="px-3 py-2 text-xs text-ink-faint">{countedExactly(rules.length, 'rule')}</p>}
        />
      )}
    </Page>
  );
}
