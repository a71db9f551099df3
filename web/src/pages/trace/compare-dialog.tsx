import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { ListedTrace, WholeOutline } from '../../api/parts.ts';
import { newestTracesQuery } from '../../api/traces.ts';
import { previewOf } from '../../content/preview.ts';
import { Badge } from '../../design/badge.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Duration, Moment, Usd } from '../../design/figures.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Traces that the dialog lists. */
const limit = 20;

interface CompareDialogProps {
  trace: WholeOutline['trace'];
  onClose(): void;
}

/** Chooses the trace that one is compared with: at first among the newest of the same name, then by a search. */
export default function CompareDialog({ trace, onClose }: CompareDialogProps): ReactNode {
  const { projectId } = useProject();
  const [q, setQ] = useState('');
  const wanted = q !== '' ? { q } : trace.name === null ? {} : { name: [trace.name] };
  // One more: the trace itself may be among them.
  const query = useQuery({
    ...newestTracesQuery(projectId, { range: '90d', simulated: 'any', ...wanted }, limit + 1),
    placeholderData: keepPreviousData,
  });
  const others = query.data?.traces.filter(({ traceId }) => traceId !== trace.traceId).slice(0, limit);
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Compare with…"
      description={
        q === '' ? 'The newest traces of the same name. Search for others by a text or an ID.' : 'Traces of the last 90 days.'
      }
    >
      <div className="flex flex-col gap-2">
        <SearchBox label="Search traces, or paste an ID" value={q} onSearch={setQ} />
        {failureOf(query) ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : others === undefined ? (
          <Skeleton className="h-40" />
        ) : others.length === 0 ? (
          <p role="status" className="px-1 py-4 text-ink-faint">
            {q === '' ? 'No other trace of this name in the last 90 days.' : 'No matching traces.'}
          </p>
        ) : (
          <ul className="flex flex-col" aria-label="Traces">
            {others.map((other) => (
              <OtherTrace key={other.traceId} trace={trace} other={other} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function OtherTrace({ trace, other }: { trace: WholeOutline['trace']; other: ListedTrace }): ReactNode {
  const { at } = useProject();
  return (
    <li className="border-t border-line first:border-t-0">
      <Link {...pages.traceComparison(at, trace.traceId, other.traceId)} className="block rounded px-2 py-1.5 hover:bg-hover">
        <span className="flex min-w-0 items-center gap-2">
          <Visible text={other.name ?? other.traceId} className="min-w-0 truncate font-medium" />
          {other.status === 'error' && <Badge tone="bad">failed</Badge>}
          <span className="flex-1" />
          <span className="flex shrink-0 gap-3 text-xs text-ink-soft">
            <Duration ms={other.durationMs} />
            <Usd value={other.costUsd} unpriced={other.unpricedCalls} />
            <Moment iso={other.startTime} />
          </span>
        </span>
        {other.inputPreview !== null && (
          <span className="block truncate text-xs text-ink-faint">
            <Visible text={previewOf(other.inputPreview)} />
          </span>
        )}
      </Link>
    </li>
  );
}
