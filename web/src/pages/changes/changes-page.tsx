import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { changesQuery } from '../../api/changes.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Change } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { classNames } from '../../design/class-names.ts';
import { Snippet } from '../../design/copy.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { urlTo } from '../../api/operations.ts';
import { linkRange } from '../../range.ts';
import { changeDays } from './change-days.ts';
import { ChangeRow } from './change-row.tsx';
import { ChangesFilters } from './changes-filters.tsx';
import { RecordChange } from './record-change.tsx';
import { changesRequest } from './search.ts';
import type { ChangesSearch } from './search.ts';
import { reportSnippet } from './snippets.ts';

/** The changes of a time range by day, reported and automatic. */
export default function ChangesPage(): ReactNode {
  const { projectId, can } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/changes' });
  const nowMs = useNow(search);
  const [recording, setRecording] = useState(false);
  const query = useInfiniteQuery({
    ...changesQuery(projectId, changesRequest(search, nowMs)),
    placeholderData: keepPreviousData,
  });
  const changes = useMemo(() => query.data?.pages.flatMap((page) => page.changes) ?? [], [query.data]);
  const record = can('alerts:manage') && (
    <Button look="primary" onClick={() => setRecording(true)}>
      <Plus aria-hidden />
      Record change
    </Button>
  );
  return (
    <Page
      title="Changes"
      actions={
        <>
          <RangePicker />
          {record}
        </>
      }
    >
      <ChangesFilters search={search} changes={changes} />
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : (
        <div
          className={classNames('flex flex-col gap-3', query.isPlaceholderData && 'opacity-60')}
          aria-busy={query.isPlaceholderData}
        >
          {changes.length === 0 ? <NoChanges search={search} /> : <Days changes={changes} />}
          {query.hasNextPage ? (
            <Button className="self-start" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older changes
            </Button>
          ) : (
            changes.length > 0 && <p className="text-xs text-ink-faint">{countedExactly(changes.length, 'change')}</p>
          )}
          <Pipeline />
        </div>
      )}
      {recording && <RecordChange onClose={() => setRecording(false)} />}
    </Page>
  );
}

function Days({ changes }: { changes: readonly Change[] }): ReactNode {
  return changeDays(changes).map(({ day, changes: own }) => (
    <Card key={day} title={day} aside={<span className="text-xs text-ink-faint">{countedExactly(own.length, 'change')}</span>}>
      <ul aria-label={`Changes of ${day}`}>
        {own.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </ul>
    </Card>
  ));
}

function NoChanges({ search }: { search: ChangesSearch }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const { kind, environment, service } = search;
  const isFiltered = [kind, environment, service].some((filter) => filter !== undefined);
  if (isFiltered) {
    const clear = () => void navigate({ ...pages.changes(at), search: linkRange(search) });
    return (
      <Empty title="No changes match the filters" action={<Button onClick={clear}>Clear filters</Button>}>
        Choose a longer time range, or remove a filter.
      </Empty>
    );
  }
  return (
    <Empty title="No changes in this time range">
      A change says what was different from a time on. Moved prompt labels, applied policy files, and changed guardrails and
      evaluators are recorded automatically. Report deployments and configuration from your pipeline.
    </Empty>
  );
}

/** How a pipeline reports a change. */
function Pipeline(): ReactNode {
  const { projectId } = useProject();
  return (
    <Card title="Report from a pipeline">
      <div className="flex flex-col gap-2 p-3">
        <p className="text-ink-soft">
          Run this after a deployment, with an API key of this project. Charts then mark the time, and the page of the change
          compares the hours before and after it.
        </p>
        <Snippet
          label="curl command to report a change"
          text={reportSnippet(location.origin + urlTo('/v1/projects/{id}/changes', { id: projectId }))}
        />
      </div>
    </Card>
  );
}
