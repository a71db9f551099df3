import { Link } from '@tanstack/react-router';
import { Columns2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, buttonClass, IconButton } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { bulkActions } from './bulk-actions.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkDialogProps } from './bulk-dialog.tsx';
import { JobProgress } from './job-progress.tsx';
import { canSelectAll, maxNamed, selectionOf } from './selection-body.ts';
import { spanOfKey } from './span-key.ts';
import type { Ticks } from './ticks.ts';
import type { Explore } from './use-explore.ts';
import type { Ticking } from './use-ticks.ts';

const BulkDialog = deferred<BulkDialogProps>(() => import('./bulk-dialog.tsx'));

/** Two ticked traces, or the traces of two spans, side by side. */
function Compare({ ticks, noun }: { ticks: Ticks; noun: string }): ReactNode {
  const { at } = useProject();
  const [a, b] = [...new Set([...ticks.keys].slice(0, 3).map((key) => (noun === 'span' ? spanOfKey(key).traceId : key)))];
  if (ticks.all || ticks.keys.size !== 2 || a === undefined || b === undefined) return null;
  return (
    <Link {...pages.traceComparison(at, a, b)} className={buttonClass('plain', 'small')}>
      <Columns2 aria-hidden />
      Compare
    </Link>
  );
}

interface BulkBarProps {
  explore: Explore;
  ticking: Ticking;
  noun: string;
  /** The number of ticked rows; null where all that match are, and how many is not known. */
  count: number | null;
  /** The number of rows that match; null while it is not known. */
  total: number | null;
}

/** What can be done with the ticked rows, and what becomes of it. */
export function BulkBar({ explore, ticking, noun, count, total }: BulkBarProps): ReactNode {
  const { can } = useProject();
  const { ticks, tickAll, clear } = ticking;
  const [asking, setAsking] = useState<BulkAction['type'] | null>(null);
  const [jobId, setJobId] = useState<string | null>(null);
  const bar = useRef<HTMLElement>(null);
  // With Tab it is behind every row.
  usePageKeys({ b: () => bar.current?.querySelector('button')?.focus() });
  const isEmpty = !ticks.all && ticks.keys.size === 0;
  const isTooMany = ticks.keys.size > maxNamed;
  const offered = bulkActions.filter(({ needs, ofTraces }) => can(needs) && (ofTraces !== true || noun === 'trace'));
  const counted = count === null ? `All ${noun}s that match` : countedExactly(count, noun);
  return (
    <>
      {jobId !== null && <JobProgress key={jobId} jobId={jobId} onClose={() => setJobId(null)} />}
      {!isEmpty && (
        <section
          ref={bar}
          aria-label="Selection"
          className="flex flex-wrap items-center gap-2 border-t border-line bg-raised px-3 py-2 shadow-high"
        >
          <span role="status" className="font-medium">
            {count === null ? counted : `${counted} selected`}
          </span>
          {!ticks.all && canSelectAll(explore.search) && (total === null || total > ticks.keys.size) && (
            <Button look="quiet" size="small" onClick={tickAll}>
              {total === null ? 'Select all that match' : `Select all ${formatExact(total)} that match`}
            </Button>
          )}
          {isTooMany && (
            <span className="text-bad">
              At most {formatExact(maxNamed)} {noun}s are named one by one. Narrow the list by a filter.
            </span>
          )}
          <span className="flex-1" />
          <Compare {...{ ticks, noun }} />
          {offered.map(({ type, label, icon: Icon }) => (
            <Button
              key={type}
              size="small"
              look={type === 'delete' ? 'danger' : 'plain'}
              disabled={isTooMany || count === 0}
              onClick={() => setAsking(type)}
            >
              <Icon aria-hidden />
              {label}
            </Button>
          ))}
          <IconButton label="Clear the selection" size="small" onClick={clear}>
            <X aria-hidden />
          </IconButton>
        </section>
      )}
      {asking !== null && (
        <BulkDialog
          type={asking}
          counted={counted}
          noun={noun}
          selection={selectionOf(explore.listed, ticks, explore.nowMs)}
          onClose={() => setAsking(null)}
          onMade={(job) => {
            setAsking(null);
            setJobId(job.id);
            clear();
          }}
        />
      )}
    </>
  );
}
