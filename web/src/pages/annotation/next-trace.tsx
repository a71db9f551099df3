import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { pickLabels, queueFilterNames } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';
import { useNext } from './use-next.ts';

interface NextTraceProps {
  search: AnnotationSearch;
  evaluator: string;
  /** The position to continue from; null for the start of the queue. */
  from: Position | null;
  onFound(at: Position): void;
  onChange(change: Partial<AnnotationSearch>): void;
}

/** Finds and opens the next trace, or shows that the queue is empty. */
export function NextTrace({ search, evaluator, from, onFound, onChange }: NextTraceProps): ReactNode {
  const { projectId } = useProject();
  const nowMs = useNow(search);
  const query = useNext(projectId, search, evaluator, from, nowMs);
  const next = query.data;
  const found = useEffectEvent(onFound);
  useEffect(() => {
    if (next?.kind === 'trace') found(next.at);
  }, [next]);
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (next === undefined || next.kind === 'trace') {
    return (
      <div className="p-4">
        <PageSkeleton />
      </div>
    );
  }
  return <NothingLeft {...{ search, evaluator, onChange }} started={from !== null} />;
}

function NothingLeft({
  search,
  evaluator,
  started,
  onChange,
}: Pick<NextTraceProps, 'search' | 'evaluator' | 'onChange'> & { started: boolean }): ReactNode {
  const { at } = useProject();
  const filtered = search.q !== undefined || queueFilterNames.some((name) => search[name] !== undefined);
  const label = pickLabels[search.pick ?? 'unscored'].toLowerCase();
  const clear = () => onChange({ ...Object.fromEntries(queueFilterNames.map((name) => [name, undefined])), q: undefined });
  return (
    <Empty
      title={started ? 'End of queue' : 'Queue empty'}
      action={
        <>
          {started && <Button onClick={() => onChange({})}>Start over</Button>}
          {filtered && <Button onClick={clear}>Clear filters</Button>}
          <Link {...pages.traces(at)} className={buttonClass()}>
            View traces
          </Link>
        </>
      }
    >
      {started
        ? `No more ${label} for ${evaluator} in this time range.`
        : `No ${label} for ${evaluator} in this time range. Change the selection above or choose a longer time range.`}
    </Empty>
  );
}
