import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../design/button.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { useNow } from '../../frame/use-now.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { pickWords, queueFilterNames } from './search.ts';
import type { AnnotationSearch, Position } from './search.ts';
import { useNext } from './use-next.ts';

interface NextTraceProps {
  search: AnnotationSearch;
  evaluator: string;
  /** The place to look from on; null: from the beginning. */
  from: Position | null;
  onFound(at: Position): void;
  onChange(change: Partial<AnnotationSearch>): void;
}

/** Looks for the next trace and shows it; says so when there is none. */
export function NextTrace({ search, evaluator, from, onFound, onChange }: NextTraceProps): ReactNode {
  const { projectId } = useProject();
  const nowMs = useNow(search);
  const query = useNext(projectId, search, evaluator, from, nowMs);
  const next = query.data;
  const found = useEffectEvent(onFound);
  useEffect(() => {
    if (next?.kind === 'trace') found(next.at);
  }, [next]);
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
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
  const wanted = pickWords[search.pick ?? 'unscored'];
  const clear = () => onChange({ ...Object.fromEntries(queueFilterNames.map((name) => [name, undefined])), q: undefined });
  return (
    <Empty
      title={started ? 'That was the last one' : 'No trace comes up'}
      action={
        <>
          {started && <Button onClick={() => onChange({})}>Start over</Button>}
          {filtered && <Button onClick={clear}>Clear the filters</Button>}
          <Link {...pages.traces(at)} className={buttonClass()}>
            All traces
          </Link>
        </>
      }
    >
      {started
        ? `There is no older trace ${wanted} (${evaluator}) in this range.`
        : `There is no trace ${wanted} (${evaluator}) in this range. Choose other traces or another evaluator above, or take a longer range.`}
    </Empty>
  );
}
