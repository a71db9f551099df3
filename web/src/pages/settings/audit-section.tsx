import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { auditLogQuery } from '../../api/audit.ts';
import { ApiError } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { AuditEntries } from './audit-entries.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditRequest } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';
import { AuditVerification } from './audit-verification.tsx';

/** The audit log with filters and verification. */
export function AuditSection(): ReactNode {
  const { can } = useProject();
  if (!can('audit:read')) {
    return <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission audit:read')} />;
  }
  return <AuditLog />;
}

function AuditLog(): ReactNode {
  const { organization } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/settings/$section' });
  const navigate = useNavigate();
  const request = useMemo(() => auditRequest(search), [search]);
  const query = useInfiniteQuery({ ...auditLogQuery(organization.id, request), placeholderData: keepPreviousData });
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.entries), [query.data]);
  const change = useCallback(
    (next: Partial<AuditSearch>) =>
      void navigate({ to: '.', search: (before: AuditSearch) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const filtered = Object.keys(request).length > 0;
  return (
    <Card
      title={
        <>
          Audit log of <Visible text={organization.name} />
        </>
      }
      aside={<AuditVerification />}
    >
      <AuditFilters {...{ search }} onChange={change} />
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !entries ? (
        <Skeleton className="m-3 h-64" />
      ) : entries.length === 0 ? (
        <Empty
          title={filtered ? 'No matching entries' : 'No entries'}
          action={
            filtered && (
              <Button onClick={() => change({ kind: undefined, actor: undefined, from: undefined, to: undefined })}>
                Clear filters
              </Button>
            )
          }
        >
          Recorded: sign-ins, keys, members, guardrails, environments, prompt labels, policies and retention deletions.
        </Empty>
      ) : (
        <>
          <AuditEntries
            {...{ entries }}
            open={search.entry ?? null}
            dimmed={query.isPlaceholderData}
            onOpen={(entry) => change({ entry: entry ?? undefined })}
          />
          <footer className="flex items-center gap-3 border-t border-line px-3 py-2 text-xs text-ink-faint">
            {query.hasNextPage ? (
              <Button size="small" repeatable busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Load older entries
              </Button>
            ) : (
              `${formatExact(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}`
            )}
          </footer>
        </>
      )}
    </Card>
  );
}
