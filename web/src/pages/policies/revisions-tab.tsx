import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { policyRevisionsQuery } from '../../api/policies.ts';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RevisionDiff } from './revision-diff.tsx';
import { RevisionList } from './revision-list.tsx';

/** The revisions of a project, and what the selected one changed. */
export default function RevisionsTab(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/policies' });
  const query = useInfiniteQuery(policyRevisionsQuery(projectId));
  const revisions = useMemo(() => query.data?.pages.flatMap((page) => page.revisions) ?? [], [query.data]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <ListSkeleton />;
  const newest = revisions[0]?.revision;
  const selected = search.revision ?? newest;
  if (newest === undefined || selected === undefined) {
    return (
      <Empty title="No revisions">
        Every change of a guardrail or environment counts a revision, made in the dashboard or by applied files.
      </Empty>
    );
  }
  return (
    <div className="flex h-full min-h-0 max-lg:flex-col">
      <RevisionList
        revisions={revisions}
        selected={selected}
        older={{ has: query.hasNextPage, busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      />
      <div className="scroll-thin min-h-0 min-w-0 flex-1 overflow-auto" tabIndex={0} role="group" aria-label="Revision">
        <RevisionDiff
          key={`${selected} ${search.with ?? ''}`}
          revision={selected}
          baseline={search.with ?? selected - 1}
          newest={newest}
          record={revisions.find(({ revision }) => revision === selected) ?? null}
        />
      </div>
    </div>
  );
}
